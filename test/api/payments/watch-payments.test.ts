import { until } from '../../support/until';
import { callAs } from '../../support/api/call-as';
import { BrowserSession } from '../../support/api/browser-session';
import { describeOperation } from '../../support/api/describe-operation';
import { policyOf } from '../../support/api/service';
import type { World } from '../../support/api/world';

describeOperation(
  'watchPayments',
  () => ({ query: { seconds: 0 } }),
  (status) => {
    status(409, 'refuses a sixth stream; the five are told of a change, once each', async (world) => {
      const open = await Promise.all(Array.from({ length: 5 }, () => openStream(world)));
      await Promise.all(open.map((stream) => stream.told(1)));
      expect((await watch(world, 0)).status).toBe(409);
      expect((await callAs('watchPayments', world, { query: { seconds: 0 } }, world.stranger)).status).toBe(
        200,
      );
      const body = { user_id: world.owner.id, amount_usd: 5, reason: 'Gift' };
      for (const told of [
        [10, 15],
        [10, 15, 20],
      ]) {
        expect((await callAs('addCredits', world, { body })).status).toBe(201);
        for (const stream of open) {
          expect(await stream.told(told.length)).toEqual(told);
        }
      }
      open.forEach((stream) => stream.close());
      await until('a place is free', async () => (await watch(world, 0)).status === 200);
    });
    status(200, 'tells how everything is, to a session too, and nothing of other accounts', async (world) => {
      const payment = { body: { amount_usd: 20, currency: 'BTC' } };
      const { body: own } = await callAs('createPayment', world, payment);
      await callAs('createPayment', world, payment, world.stranger);
      const session = await BrowserSession.start(world);
      const { text, headers } = await session.call('watchPayments', { query: { seconds: 0 } });
      expect(headers['content-type']).toContain('text/event-stream');
      expect(balancesIn(text)).toEqual([10]);
      const payments = [...text.matchAll(/^event: payment\ndata: (.*)$/gm)].map(
        ([, data = '']) => JSON.parse(data) as object,
      );
      expect(payments).toEqual([own]);
    });
  },
);

async function watch(world: World, seconds: number) {
  return callAs('watchPayments', world, { query: { seconds } });
}

/** A stream that is read as it comes. */
async function openStream(world: World) {
  const { method, path: url } = policyOf('watchPayments');
  const headers = { authorization: `Bearer ${world.owner.token}` };
  const query = { seconds: '60' };
  const closing = new AbortController();
  const answer = await world.service.app.inject({
    method,
    url,
    query,
    headers,
    signal: closing.signal,
    payloadAsStream: true,
  });
  const pieces = answer.stream()[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  let text = '';
  return {
    /** The balances that were told, as soon as they are so many. */
    told: async (count: number) => {
      while (balancesIn(text).length < count) {
        text += (await pieces.next()).value?.toString() ?? '';
      }
      return balancesIn(text);
    },
    close: () => closing.abort(),
  };
}

function balancesIn(text: string): number[] {
  return [...text.matchAll(/^event: balance\ndata: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { balance: number }).balance,
  );
}

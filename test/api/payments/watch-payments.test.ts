import { callAs } from '../../support/api/call-as';
import { BrowserSession } from '../../support/api/browser-session';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

describeOperation(
  'watchPayments',
  () => ({ query: { seconds: 0 } }),
  (status) => {
    status(400, 'refuses more than ten minutes', async (world) => {
      expect((await callAs('watchPayments', world, { query: { seconds: 601 } })).status).toBe(400);
    });
    status(409, 'refuses a sixth stream; the five are told of a change, once each', async (world) => {
      const open = Array.from({ length: 5 }, () => watch(world, 4));
      await new Promise(setImmediate);
      await callAs('getBalance', world, {});
      expect((await watch(world, 0)).status).toBe(409);
      expect((await callAs('watchPayments', world, { query: { seconds: 0 } }, world.stranger)).status).toBe(
        200,
      );
      const body = { user_id: world.owner.id, amount_usd: 5, reason: 'Gift' };
      expect((await callAs('addCredits', world, { body })).status).toBe(201);
      for (const { text } of await Promise.all(open)) {
        expect(balancesIn(text)).toEqual([10, 15]);
      }
      expect((await watch(world, 0)).status).toBe(200);
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

function balancesIn(text: string): number[] {
  return [...text.matchAll(/^event: balance\ndata: (.*)$/gm)].map(
    ([, data = '']) => (JSON.parse(data) as { balance: number }).balance,
  );
}

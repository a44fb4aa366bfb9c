import { setTimeout as delay } from 'node:timers/promises';
import { UpstreamBrokeOff } from '../../src/models/errors';
import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import type { ServerSentEvent } from '../../src/models/sse';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { chunkOf, DONE, STOP_CHUNK } from '../support/upstream/fake-stream';
import { openRequest } from '../support/api/open-request';
import { SeededRandom } from '../support/seeded-random';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';

const STREAMS = 100;
const RUNS = depth('STREAM_RUNS', { short: 1, deep: 3 });
const CHUNKS_MAX = 30;
const BEFORE = 100_000_000_000n;

/** One token each, whatever stands before it. */
const WORD = chunkOf('"choices":[{"index":0,"delta":{"content":" the"},"finish_reason":null}]');

/** How a stream is to go. */
interface Plan {
  chunks: number;
  end: 'complete' | 'break' | 'abort';
}

describe('a hundred streams at once', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => service.stop());

  it.each(Array.from({ length: RUNS }, (_, index) => index + 1))(
    'are charged for just what was produced, however each of them ends (run %d)',
    async (run) => {
      const random = new SeededRandom(run);
      const account = await createAccount(service, { creditUsd: '100' });
      const plans = Array.from({ length: STREAMS }, (): Plan => ({
        chunks: random.between(1, CHUNKS_MAX),
        end: random.pick(['complete', 'break', 'abort'] as const),
      }));
      const produced = new Map<string, number>();
      play(plans, produced);
      await Promise.all(plans.map((plan, index) => callOnce(account, plan, `run-${run}-stream-${index}`)));
      await until('every stream is settled', async () => {
        const { reservedNanoUsd } = await service.app.get(Ledger).balance(account.id);
        return reservedNanoUsd === 0n;
      });

      const receipts: { input: number; output: number; charged: string }[] = await service.database.query(
        'SELECT input_tokens AS input, output_tokens AS output, charged_nano AS charged FROM calls WHERE account_id = $1',
        [account.id],
      );
      expect(receipts).toHaveLength(STREAMS);
      const tokens = [...produced.values()].reduce((sum, count) => sum + count, 0);
      expect(receipts.reduce((sum, { output }) => sum + output, 0)).toBe(tokens);
      const input = receipts.reduce((sum, receipt) => sum + receipt.input, 0);
      const charged = receipts.reduce((sum, receipt) => sum + BigInt(receipt.charged), 0n);
      expect(charged).toBe(2_000_000n * BigInt(STREAMS) + 10_000n * BigInt(input + tokens));
      const { balanceNanoUsd } = await service.app.get(Ledger).balance(account.id);
      expect(balanceNanoUsd).toBe(BEFORE - charged);
      expect(await ledgerFaults(service.database)).toEqual([]);
    },
  );

  /** Plays to each call the plan that its model names, and counts what the service took of it. */
  function play(plans: readonly Plan[], produced: Map<string, number>): void {
    jest.spyOn(service.app.get(Models), 'streamChat').mockImplementation(({ model }, options) => {
      const plan = plans[Number(model)] as Plan;
      const events = eventsOf(plan, options?.signal, () =>
        produced.set(model, (produced.get(model) ?? 0) + 1),
      );
      const engine = { provider: 'played', method: 'upstream', quality: 'upstream' };
      return Promise.resolve({ model: 'played-1', engine, events });
    });
  }

  async function callOnce(account: TestAccount, plan: Plan, requestId: string): Promise<void> {
    const model = requestId.slice(requestId.lastIndexOf('-') + 1);
    const body = { model, max_tokens: 50, stream: true, messages: [{ role: 'user', content: 'Say the.' }] };
    const answer = await openRequest(service, account.key, body, { 'x-request-id': requestId });
    if (plan.end === 'abort') {
      await answer.arrived(' the');
      answer.hangUp();
      return;
    }
    await answer.ended;
    expect(answer.text().includes('[DONE]')).toBe(plan.end === 'complete');
  }
});

async function* eventsOf(
  plan: Plan,
  signal: AbortSignal | undefined,
  count: () => void,
): AsyncGenerator<ServerSentEvent> {
  for (let index = 0; index < plan.chunks || plan.end === 'abort'; index++) {
    if (index > 0) {
      await delay(1, undefined, { signal });
    }
    if (index < CHUNKS_MAX) {
      count();
      yield WORD;
    }
  }
  if (plan.end === 'break') {
    throw new UpstreamBrokeOff(502, 'played', 'was reset');
  }
  yield STOP_CHUNK;
  yield DONE;
}

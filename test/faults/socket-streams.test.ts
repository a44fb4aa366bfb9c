import { setTimeout as delay } from 'node:timers/promises';
import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import type { ServerSentEvent } from '../../src/models/sse';
import { createAccount, type TestAccount } from '../support/api/world';
import { TestService } from '../support/api/service';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { SeededRandom } from '../support/seeded-random';
import { SocketClient } from '../support/sockets/socket-client';
import { until } from '../support/until';
import { chunkOf, DONE, STOP_CHUNK } from '../support/upstream/fake-stream';

const STREAMS = depth('SOCKET_STREAMS', { short: 40, deep: 200 });
const STREAMS_PER_SOCKET = 4;
const CHUNKS_MAX = 30;
const BEFORE = 100_000_000_000n;

/** One token each, whatever stands before it. */
const WORD = chunkOf('"choices":[{"index":0,"delta":{"content":" the"},"finish_reason":null}]');

/** How a stream ends, and after how many chunks. */
interface Plan {
  chunks: number;
  end: 'complete' | 'cancel' | 'close';
}

describe('many streams over sockets', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => service.stop());

  it('are charged for just what was produced, however each of them ends', async () => {
    const random = new SeededRandom(7);
    const account = await createAccount(service, { creditUsd: '100' });
    const plans = Array.from({ length: STREAMS }, (): Plan => ({
      chunks: random.between(1, CHUNKS_MAX),
      end: random.pick(['complete', 'cancel', 'close'] as const),
    }));
    const produced = new Map<string, number>();
    play(plans, produced);
    const sockets = Array.from({ length: STREAMS / STREAMS_PER_SOCKET }, (_, index) => index);
    const told = await Promise.all(sockets.map((socket) => useSocket(account, plans, socket)));
    await until('every stream is settled', async () => {
      const { reservedNanoUsd } = await service.app.get(Ledger).balance(account.id);
      return reservedNanoUsd === 0n;
    });

    const receipts: { request_id: string; input: number; output: number; charged: string }[] =
      await service.database.query(
        `SELECT request_id, input_tokens AS input, output_tokens AS output, charged_nano AS charged
         FROM calls WHERE account_id = $1 AND outcome = 'settled'`,
        [account.id],
      );
    const tokens = [...produced.values()].reduce((sum, count) => sum + count, 0);
    expect(receipts.reduce((sum, { output }) => sum + output, 0)).toBe(tokens);
    const input = receipts.reduce((sum, receipt) => sum + receipt.input, 0);
    const charged = receipts.reduce((sum, receipt) => sum + BigInt(receipt.charged), 0n);
    expect(charged).toBe(2_000_000n * BigInt(receipts.length) + 10_000n * BigInt(input + tokens));
    expect((await service.app.get(Ledger).balance(account.id)).balanceNanoUsd).toBe(BEFORE - charged);
    const byRequest = new Map(receipts.map((receipt) => [receipt.request_id, receipt]));
    for (const { request_id: requestId, cost } of told.flat()) {
      expect(cost).toBe(Number(byRequest.get(String(requestId))?.charged ?? 0) / 1e9);
    }
    expect(told.flat().length).toBeGreaterThan(0);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

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

  /** Makes the calls of one socket; what it was told of those that ended before it closed. */
  async function useSocket(account: TestAccount, plans: readonly Plan[], socket: number) {
    const client = await SocketClient.open(
      `${await service.app.getUrl()}/api/ws/stream?token=${account.key}`,
    );
    const first = socket * STREAMS_PER_SOCKET;
    const own = plans.slice(first, first + STREAMS_PER_SOCKET);
    own.forEach((_, index) => client.send(generate(first + index)));
    await Promise.all(
      own.map(async ({ end, chunks }, index) => {
        const id = `s${first + index}`;
        if (end === 'complete') {
          await client.answer({ type: 'done', id }).catch(() => undefined);
          return;
        }
        await until(
          `${chunks} deltas`,
          () => client.of('delta', id).length >= chunks || client.closeCode !== null,
        );
        if (end === 'cancel' && client.closeCode === null) {
          client.send({ action: 'cancel', id });
          await client.answer({ type: 'done', id }).catch(() => undefined);
        } else {
          client.webSocket.terminate();
        }
      }),
    );
    client.webSocket.terminate();
    await client.closed();
    return client.of('done');
  }
});

function generate(model: number): object {
  const messages = [{ role: 'user', content: 'Go on.' }];
  const payload = { model: String(model), messages, max_tokens: 1000 };
  return { action: 'generate', id: `s${model}`, operation: 'createChatCompletion', payload };
}

/** One that is to be left goes on until it is. */
async function* eventsOf(
  { chunks, end }: Plan,
  signal: AbortSignal | undefined,
  taken: () => void,
): AsyncGenerator<ServerSentEvent> {
  for (let chunk = 0; chunk < chunks || (end !== 'complete' && !signal?.aborted && chunk < 900); chunk += 1) {
    await delay(1);
    if (signal?.aborted) {
      return;
    }
    taken();
    yield WORD;
  }
  yield STOP_CHUNK;
  yield DONE;
}

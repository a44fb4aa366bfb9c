import { Ledger } from '../../src/ledger/ledger';
import { countTokens } from '../../src/text/count-tokens';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import { CompiledService } from '../support/processes/compiled-service';
import { LedStreams, type LedStream } from '../support/upstream/led-streams';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';

const STREAMS = 6;
/** In full depth the time is waited for. */
const SECONDS_LATER = depth('KILLED_SECONDS_LATER', { short: 40, deep: 0 });
/** The clock is asked only where the machine does nothing else. */
const ENDS_WITHIN_MS = depth('ENDS_WITHIN_MS', { short: Infinity, deep: 30_000 });

interface OpenStream extends LedStream {
  readonly account: TestAccount;
  /** What its client has read. */
  readonly delivered: string;
}

describe('a server that ends in the middle of streams', () => {
  let service: TestService;
  let led: LedStreams;
  let victim: CompiledService;
  beforeAll(async () => {
    service = await TestService.start();
    led = await LedStreams.start();
  });
  const startVictim = () =>
    CompiledService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      UPSTREAMS: JSON.stringify(led.entries),
    });
  beforeEach(async () => {
    victim = await startVictim();
  });
  afterEach(async () => victim.kill());
  afterAll(async () => {
    await service.stop();
    await led.stop();
  });

  const openStreams = async (name: string): Promise<OpenStream[]> =>
    Promise.all(
      Array.from({ length: STREAMS }, async (_, pieces) => {
        const account = await createAccount(service, { creditUsd: '10' });
        const requestId = `${name}-${pieces}`;
        const outputTokensMax = OUTPUT_TOKENS_MAX;
        const stream = led.begin({ url: victim.url, key: account.key, requestId, outputTokensMax });
        const delivered = await led.deliver(stream, pieces + 1);
        return { ...stream, account, delivered };
      }),
    );
  const reservations = async () => {
    const rows: unknown[] = await service.database.query('SELECT id FROM reservations');
    return rows.length;
  };

  it('killed: leaves its clients without an end and its upstream alone, and costs nothing within a minute', async () => {
    const streams = await openStreams('stream-killed');
    await until('readers see what lasts', async () => (await reservations()) === STREAMS);
    await victim.kill();

    for (const { call, delivered } of streams) {
      await call.ends();
      expect(call).toMatchObject({ end: 'broken', isDone: false, error: null, delivered });
    }
    await until('the upstream is left', () => led.upstream.connections === 0);
    // Until nothing was heard of a process for a while nobody can know that nobody works on its calls.
    await service.app.get(Ledger).sweep(new Date());
    expect(await reservations()).toBe(STREAMS);
    expect(await ledgerFaults(service.database)).toEqual([]);

    await service.database.query(
      `WITH r AS (UPDATE reservations SET created_at = created_at - $1 * interval '1 second' RETURNING process_id)
       UPDATE processes SET heartbeat_at = heartbeat_at - $1 * interval '1 second' WHERE id IN (SELECT process_id FROM r)`,
      [SECONDS_LATER],
    );
    const next = await startVictim();
    try {
      await until(
        'a process that was started since has released them',
        async () => (await reservations()) === 0,
      );
    } finally {
      await next.kill();
    }
    for (const { account, requestId } of streams) {
      const outcome = await callOutcome(service, account, requestId);
      expect(outcome).toMatchObject({ outcome: 'expired', chargedNanoUsd: 0n });
      expect(outcome.releasedNanoUsd).toBeGreaterThan(0n);
    }
    expect(await reservations()).toBe(0);
  });

  it('told to end, and told again: says so in every open stream, charges what was delivered, and is gone in time', async () => {
    const streams = await openStreams('stream-told-to-end');
    const askedToEndAt = performance.now();
    const gone = victim.stop().then(() => performance.now());
    // Another one, because two of a kind may arrive as one.
    victim.process.kill('SIGINT');
    for (const { call, delivered } of streams) {
      await until('the stream ends', () => call.end !== null);
      expect(call).toMatchObject({ end: 'complete', isDone: false, delivered });
      expect(call.error).toMatchObject({ code: 503 });
    }
    expect((await gone) - askedToEndAt).toBeLessThan(ENDS_WITHIN_MS);
    expect(victim.process.exitCode).toBe(0);

    for (const { account, requestId, delivered } of streams) {
      const outcome = await callOutcome(service, account, requestId);
      const outputTokens = countTokens(delivered);
      const chargedNanoUsd = priceNanoUsd(outcome.countedInputTokens + outputTokens);
      expect(outcome).toMatchObject({ outcome: 'settled', status: 200, outputTokens, chargedNanoUsd });
    }
    await until('the upstream is left', () => led.upstream.connections === 0);
    expect(await reservations()).toBe(0);
  });
});

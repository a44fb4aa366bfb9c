import { Ledger } from '../../src/ledger/ledger';
import { TestService } from '../support/api/service';
import { FuzzCalls, OUT_OF_TIME } from '../support/fuzz/fuzz-calls';
import { SeenCharges } from '../support/fuzz/fuzz-charges';
import { FuzzLog } from '../support/fuzz/fuzz-log';
import { FuzzRequests } from '../support/fuzz/fuzz-requests';
import { FuzzSockets } from '../support/fuzz/fuzz-sockets';
import { FuzzTally } from '../support/fuzz/fuzz-tally';
import { FUZZ_MODELS, FuzzUpstreams } from '../support/fuzz/fuzz-upstream';
import { FuzzWorld } from '../support/fuzz/fuzz-world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const REQUESTS = depth('FUZZ_REQUESTS', { short: 3_000, deep: 100_000 });
const SLICE_REQUESTS = depth('FUZZ_SLICE_REQUESTS', { short: 1_500, deep: 2_500 });
/** So many frames for a request. */
const FRAMES_SHARE = 0.2;
const EMBEDDED_MODELS = ['embedded-extractive-1', 'embedded-hash-384', 'default'];
/** A machine that is busy with other things keeps an operation from its end now and then. */
const OUT_OF_TIME_SHARE_MAX = 0.001;
const LEASES_OVER_MS = 3_600_000;
/** Tasks beyond the rate of a key wait as long as that takes, which for some keys is longer than this test. */
const UNDER_WAY = `
  SELECT 'reservation' AS kind, to_jsonb(reservations) AS row FROM reservations
  UNION ALL SELECT 'task', to_jsonb(t) FROM tasks AS t WHERE status = 'running' OR (status = 'queued' AND NOT EXISTS (
    SELECT FROM task_pauses AS p WHERE p.key_id = t.key_id AND p.task_type = t.task_type))
  UNION ALL SELECT 'document', to_jsonb(id) FROM documents WHERE status = 'processing'`;

describe.each([
  { engine: 'the embedded engine', isUpstream: false },
  { engine: 'upstreams that answer, fail and hang', isUpstream: true },
])(`${REQUESTS / 2} fuzzed requests and their frames, before $engine`, ({ isUpstream }) => {
  const random = new SeededRandom();
  const tally = new FuzzTally();
  const log = new FuzzLog(tally);
  let upstreams: FuzzUpstreams;
  let service: TestService;
  let victim: CompiledService;

  beforeAll(async () => {
    upstreams = await FuzzUpstreams.start(new SeededRandom(random.seed));
    // It makes the accounts and looks at the books; the tasks and what is due are the other's.
    service = await TestService.start({ ROLE: 'api' });
    const environment = {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
      ALLOW_INSECURE_WEBHOOKS: 'true',
      ...(isUpstream ? upstreams.environment : {}),
    };
    victim = await CompiledService.start(environment, (line) => log.add(line));
  });
  afterAll(async () => {
    await victim.stop();
    await service.stop();
    await upstreams.stop();
  });

  it('get documented answers, none of another account, and only what is served is charged', async () => {
    const models = isUpstream ? FUZZ_MODELS : EMBEDDED_MODELS;
    const requests = new FuzzRequests(random, models);
    const calls = new FuzzCalls(victim.url, requests, random, tally, isUpstream);
    const sockets = new FuzzSockets(victim.url, random, tally, models);
    const checked = { charges: 0, nano: 0n, others: new Map<string, number>() };
    const startedMs = performance.now();
    while (tally.requests < REQUESTS / 2) {
      service.clock.set(new Date().toISOString());
      const world = await FuzzWorld.create(service);
      const charges = new SeenCharges();
      const count = Math.min(SLICE_REQUESTS, REQUESTS / 2 - tally.requests);
      await Promise.all([
        calls.run(world, charges, count),
        sockets.run(world, charges, Math.round(count * FRAMES_SHARE)),
      ]);
      await settled();
      await charges.compare(service.database, world, tally);
      checked.charges += charges.checked;
      checked.nano += charges.checkedNano;
      charges.others.forEach((times, kind) =>
        checked.others.set(kind, (checked.others.get(kind) ?? 0) + times),
      );
      expect((await victim.get('/health/ready')).status).toBe(200);
      told(`${tally.requests} requests, ${tally.faults.length} kinds of faults\n`, ...tally.newFaults());
    }
    calls.close();
    const tookS = Math.round((performance.now() - startedMs) / 1000);
    // Tasks that wait for their rate may begin at any time, also while the books are looked at.
    await victim.stop();
    await service.app.get(Ledger).sweep(new Date(Date.now() + LEASES_OVER_MS));
    const others = [...checked.others].map(([kind, times]) => `${times} of ${kind}`).join(', ');
    process.stdout.write(
      `\n${isUpstream ? 'with upstreams' : 'embedded'}, seed ${random.seed}, ${tookS} s\n${tally.toString()}\n` +
        `frames ${sockets.frames} on ${sockets.sockets} sockets\n` +
        `charges compared with answers: ${checked.charges}, ${checked.nano} nano-USD; besides ${others}\n` +
        `never served: ${tally.neverServed.join(', ') || 'none'}\n` +
        `log: ${log.toString() || 'no errors'}\n`,
    );
    expect(tally.faults).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(tally.countOf(OUT_OF_TIME)).toBeLessThan(1 + tally.requests * OUT_OF_TIME_SHARE_MAX);
  }, 7_200_000);

  /** Until nothing is under way any more: no call, no task, no document. */
  async function settled(): Promise<void> {
    let left: unknown[] = [];
    const isSettled = async (): Promise<boolean> => {
      left = await service.database.query(UNDER_WAY);
      return left.length === 0;
    };
    await until('all calls are settled', isSettled).catch((error: Error) => {
      throw new Error(`${error.message}, but left were ${JSON.stringify(left)}; seed ${random.seed}`);
    });
  }
});

function told(...lines: string[]): void {
  process.stdout.write(lines.join('\n'));
}

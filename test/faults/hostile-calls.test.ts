import { HostileLoad, type LoadShare } from '../support/hostile/hostile-load';
import { createHostileWorld } from '../support/hostile/hostile-world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { HealthProbe } from '../support/processes/health-probe';
import { BoundedService } from '../support/processes/bounded-service';
import { Ledger } from '../../src/ledger/ledger';
import { SeededRandom } from '../support/seeded-random';
import { TestService } from '../support/api/service';
import { depth, isDeepRun } from '../support/jest/depth';
import { until } from '../support/until';
import { openReservations } from '../support/ledger/open-reservations';

const CALLS = depth('HOSTILE_CALLS', { short: 3_000, deep: 100_000 });
const HEAP_MIB = 256;
/** What compiles validators, fills caches of a fixed size and starts threads, before the memory is measured. */
const WARM_UP_CALLS = depth('HOSTILE_WARM_UP_CALLS', { short: 1_500, deep: 5_000 });
const MEMORY_GROWTH_MAX = 1.2;
/** The windows of rate limits, the longest lease of a call and the time-out of a request all end within it. */
const MEMORY_BACK_MS_MAX = 180_000;
/** `npm test` shares its machine with other tests. */
const HEALTH_P99_MS_MAX = isDeepRun ? 100 : 1_000;
const LEASES_OVER_MS = 3_600_000;

describe(`${CALLS} hostile calls on a heap of ${HEAP_MIB} MiB`, () => {
  const random = new SeededRandom();
  let service: TestService;
  let victim: BoundedService;
  let load: HostileLoad;

  beforeAll(async () => {
    service = await TestService.start();
    // Its tokens are for a process that has the system's clock.
    service.clock.set(new Date().toISOString());
    victim = await BoundedService.start(HEAP_MIB, {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    load = new HostileLoad(victim.url, random, await createHostileWorld(service));
  });
  afterAll(async () => {
    load.close();
    await victim.stop();
    await service.stop();
  });

  it('leave the service alive, healthy, of the same size and with its books right', async () => {
    await load.send(WARM_UP_CALLS);
    const before = await victim.memory();
    const probe = HealthProbe.start(victim.url);
    const startedMs = performance.now();
    const shares = await load.send(CALLS);
    const tookMs = performance.now() - startedMs;
    const health = await probe.stop();
    const atEnd = await victim.memory();
    const after = await memoryBack(before.heldBytes * MEMORY_GROWTH_MAX);
    await service.app.get(Ledger).sweep(new Date(Date.now() + LEASES_OVER_MS));

    process.stdout.write(
      `\n${CALLS} hostile calls (seed ${random.seed}) in ${Math.round(tookMs / 1000)} s: ${told(shares)}\n` +
        `answers: ${load.tally.toString()}\n` +
        `health: ${health.asked} × asked, p50 ${health.p50Ms.toFixed(1)} ms, p99 ${health.p99Ms.toFixed(1)} ms, longest ${health.longestMs.toFixed(0)} ms\n` +
        `memory held: ${mib(before.heldBytes)} before, ${mib(atEnd.heldBytes)} at the end, ${mib(after.heldBytes)} afterwards; ` +
        `resident ${mib(before.rss)}, ${mib(atEnd.rss)}, ${mib(after.rss)}\n`,
    );
    expect(load.tally.faults).toEqual([]);
    expect(victim.isAlive).toBe(true);
    expect(health.failures).toBe(0);
    expect(health.p99Ms).toBeLessThan(HEALTH_P99_MS_MAX);
    expect(after.heldBytes).toBeLessThanOrEqual(before.heldBytes * MEMORY_GROWTH_MAX);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await openReservations(service)).toEqual([]);
  }, 1_800_000);

  /** What the service holds as soon as it is no more than that, or at the end of the time. */
  async function memoryBack(heldBytesMax: number) {
    let memory = await victim.memory();
    const isBack = async () => {
      memory = await victim.memory();
      return memory.heldBytes <= heldBytesMax;
    };
    await until('the memory is back', isBack, MEMORY_BACK_MS_MAX).catch(() => undefined);
    return memory;
  }
});

function told(shares: readonly LoadShare[]): string {
  return shares.map(({ name, calls }) => `${calls} ${name}`).join(', ');
}

function mib(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

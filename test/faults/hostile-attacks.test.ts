import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { ATTACKS, type Strangers } from '../support/hostile/stranger-attacks';
import { isDeepRun } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { BoundedService } from '../support/processes/bounded-service';
import { HealthProbe, type HealthTimes, type Question } from '../support/processes/health-probe';
import { setTimeout as delay } from 'node:timers/promises';

const HEAP_MIB = 512;
/** `npm test` shares its machine with other tests, and so only sees whether the service lives and answers. */
const IDLE_MS = isDeepRun ? 10_000 : 1_000;
/** An attack that is refused at once is over before anybody else was heard. */
const SEEN_MS_MIN = 5_000;
/** What else the machine does in these seconds makes one time longer than another: the middle one of three counts. */
const PLAYED = isDeepRun ? 3 : 1;
const HEALTH_TIMES_IDLE_MAX = 10;
const HONEST_TIMES_IDLE_MAX = 5;
const HONEST_SHARE_MIN = 0.95;

describe(`strangers at a service with a heap of ${HEAP_MIB} MiB, beside an account that pays`, () => {
  let service: TestService;
  let victim: BoundedService;
  let strangers: Strangers;
  let honest: Question;
  let idle: Figures;

  interface Figures {
    health: HealthTimes;
    honest: HealthTimes;
  }

  function startVictim(): Promise<BoundedService> {
    return BoundedService.start(HEAP_MIB, {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
    });
  }

  /** What others see while something happens. */
  async function seen(happens: () => Promise<unknown>): Promise<Figures> {
    const probes = [HealthProbe.start(victim.url), HealthProbe.start(victim.url, [honest])] as const;
    await happens();
    const [health, ofHonest] = await Promise.all(probes.map((probe) => probe.stop()));
    return { health: health as HealthTimes, honest: ofHonest as HealthTimes };
  }

  beforeAll(async () => {
    service = await TestService.start();
    // Its tokens are for a process that has the system's clock.
    service.clock.set(new Date().toISOString());
    victim = await startVictim();
    const penniless = await Promise.all(
      Array.from({ length: 20 }, () => createAccount(service, { creditUsd: '0', tier: 'free' })),
    );
    const cheap = await createAccount(service, { creditUsd: '20' });
    strangers = { penniless: penniless.map(({ key }) => key), cheap: cheap.key };
    const { key } = await createAccount(service, { creditUsd: '100' });
    honest = {
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'embedded-extractive-1',
        messages: [{ role: 'user', content: 'Who are you?' }],
      }),
    };
    await seen(() => delay(IDLE_MS));
    idle = await seen(() => delay(IDLE_MS));
    process.stdout.write(`\nidle: ${told(idle)}\n`);
  });
  afterAll(async () => {
    await victim.stop();
    await service.stop();
  });

  // One attack that kills it must not hide what the others do.
  beforeEach(async () => {
    victim = victim.isAlive ? victim : await startVictim();
  });

  it.each(ATTACKS)('live through $name', async ({ name, run }) => {
    const plays: Figures[] = [];
    while (plays.length < PLAYED) {
      const figures = await seen(() => Promise.all([run(victim.url, strangers), delay(SEEN_MS_MIN)]));
      process.stdout.write(`${name}: ${told(figures)}\n`);
      expect(victim.isAlive).toBe(true);
      expect(figures.health.failures).toBe(0);
      expect(successOf(figures.honest)).toBeGreaterThanOrEqual(HONEST_SHARE_MIN);
      plays.push(figures);
    }
    expect(await ledgerFaults(service.database)).toEqual([]);
    if (isDeepRun) {
      const healthP99Ms = middleOf(plays.map(({ health }) => health.p99Ms));
      const honestP95Ms = middleOf(plays.map(({ honest: times }) => times.p95Ms));
      expect(healthP99Ms).toBeLessThan(HEALTH_TIMES_IDLE_MAX * idle.health.p99Ms);
      expect(honestP95Ms).toBeLessThan(HONEST_TIMES_IDLE_MAX * idle.honest.p95Ms);
    }
  });
});

function middleOf(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;
}

function successOf({ asked, failures }: HealthTimes): number {
  return asked === 0 ? 0 : 1 - failures / asked;
}

function told({ health, honest }: { health: HealthTimes; honest: HealthTimes }): string {
  return (
    `health p99 ${health.p99Ms.toFixed(1)} ms (longest ${health.longestMs.toFixed(0)}), honest ` +
    `${(successOf(honest) * 100).toFixed(1)} % of ${honest.asked}, p95 ${honest.p95Ms.toFixed(1)} ms`
  );
}

import { randomUUID } from 'node:crypto';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { sendTogether, type HeldBody, type HeldOutcome } from '../support/hostile/held-bodies';
import { BoundedService } from '../support/processes/bounded-service';
import { HealthProbe } from '../support/processes/health-probe';
import { createAccount, type TestAccount } from '../support/api/world';
import { TestService } from '../support/api/service';
import { depth, isDeepRun } from '../support/jest/depth';

const HEAP_MIB = 512;
const ROUNDS = depth('HOSTILE_ROUNDS', { short: 1, deep: 5 });
/** One less than an address may make in a minute. */
const CALLS_PER_ADDRESS = 19;
const ADDRESSES = 12;
const ACCOUNTS = 12;
const MEBIBYTE = 1024 * 1024;
const LOGIN = '/api/auth/login';
/** `npm test` shares its machine with other tests. */
const HEALTH_P99_MS_MAX = isDeepRun ? 1_000 : Infinity;

/** JSON of exactly so many bytes, with as many of the values as fit into its one list. */
function filledWith(value: string, field: string, bytes: number): Buffer {
  const [head, tail] = [`{"${field}":[`, `${value}]}`];
  const items = `${value},`.repeat(Math.floor((bytes - head.length - tail.length) / (value.length + 1)));
  return Buffer.from(`${head}${items}${tail}`.padEnd(bytes));
}

describe(`on a heap of ${HEAP_MIB} MiB, bodies that are made to fill it`, () => {
  let service: TestService;
  let victim: BoundedService;
  let honest: TestAccount;
  let poor: TestAccount[];

  beforeAll(async () => {
    service = await TestService.start();
    // Its tokens and keys are for a process that has the system's clock.
    service.clock.set(new Date().toISOString());
    honest = await createAccount(service, { creditUsd: '100' });
    poor = [];
    for (let made = 0; made < ACCOUNTS; made += 1) {
      poor.push(await createAccount(service, { creditUsd: '0' }));
    }
    victim = await BoundedService.start(HEAP_MIB, {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
    });
  });
  afterAll(async () => {
    await victim.stop();
    await service.stop();
  });

  const logins = (body: Buffer, round: number): HeldBody[] =>
    Array.from({ length: ADDRESSES * CALLS_PER_ADDRESS }, (_, index) => ({
      path: LOGIN,
      headers: { 'x-forwarded-for': `10.${round}.0.${index % ADDRESSES}` },
      body,
    }));
  const analyses = (body: Buffer): HeldBody[] =>
    poor.map(({ key }) => ({ path: '/api/omm/analyze', headers: { 'x-api-key': key }, body }));

  it.each<[string, number[], (round: number) => HeldBody[]]>([
    [
      `a MiB from each of ${ADDRESSES * CALLS_PER_ADDRESS} strangers`,
      [413],
      (round) => logins(filledWith('{}', 'email', MEBIBYTE), round),
    ],
    [
      `8 KiB, which are not too many, from each of ${ADDRESSES * CALLS_PER_ADDRESS} strangers`,
      [400, 503],
      (round) => logins(filledWith('{}', 'email', 8 * 1024), 100 + round),
    ],
    [
      `16 MiB of objects from each of ${ACCOUNTS} accounts without a balance`,
      [400, 503],
      () => analyses(filledWith('{}', 'inputs', 16 * MEBIBYTE)),
    ],
    [
      `16 MiB of lists in lists from each of ${ACCOUNTS} accounts without a balance`,
      [400, 503],
      () => analyses(Buffer.alloc(16 * MEBIBYTE, '[')),
    ],
    [
      `16 MiB of a picture from each of ${ACCOUNTS} accounts without a balance`,
      [402, 422, 503],
      () => analyses(pictureOf(15.2 * MEBIBYTE)),
    ],
  ])(
    '%s leave it alive and healthy, and an honest account served',
    async (name, statuses, made) => {
      const probe = HealthProbe.start(victim.url);
      const calls = new HonestCalls(victim.url, honest.key);
      const outcomes: HeldOutcome[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        outcomes.push(...(await sendTogether(victim.url, made(round))));
      }
      const answers = await calls.stop();
      const health = await probe.stop();

      process.stdout.write(
        `\n${name}: ${told(outcomes)}; honest calls: ${told(answers)}; ` +
          `health p99 ${health.p99Ms.toFixed(0)} ms, longest ${health.longestMs.toFixed(0)} ms\n`,
      );
      expect(victim.isAlive).toBe(true);
      expect(health.failures).toBe(0);
      expect(health.p99Ms).toBeLessThan(HEALTH_P99_MS_MAX);
      expect(new Set(answers)).toEqual(new Set([201]));
      // A connection that is ended while its client still sends may lose the answer.
      expect(outcomes.filter((outcome) => outcome !== 'none' && !statuses.includes(outcome))).toEqual([]);
      expect(outcomes.some((outcome) => outcome !== 'none')).toBe(true);
      expect(await ledgerFaults(service.database)).toEqual([]);
      const reserved = await service.database.query('SELECT 1 FROM reservations WHERE account_id <> $1', [
        honest.id,
      ]);
      expect(reserved).toEqual([]);
    },
    300_000,
  );
});

function pictureOf(bytes: number): Buffer {
  return Buffer.from(JSON.stringify({ inputs: [{ type: 'image', content: 'A'.repeat(bytes) }] }));
}

/** Paid calls of one client, one after the other, until they are stopped. */
class HonestCalls {
  private isStopped = false;
  private readonly ended: Promise<number[]>;

  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {
    this.ended = this.run();
  }

  /** @returns the status of each, of which there is one at least */
  async stop(): Promise<number[]> {
    this.isStopped = true;
    return this.ended;
  }

  private async run(): Promise<number[]> {
    const statuses: number[] = [];
    do {
      const answer = await fetch(`${this.url}/api/hub/memory`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': this.key },
        body: JSON.stringify({ key: randomUUID(), value: 'an honest value '.repeat(1_000) }),
      });
      await answer.arrayBuffer();
      statuses.push(answer.status);
    } while (!this.isStopped);
    return statuses;
  }
}

/** How often each came. */
function told(outcomes: readonly HeldOutcome[]): string {
  const counts = new Map<HeldOutcome, number>();
  outcomes.forEach((outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1));
  return [...counts].map(([outcome, count]) => `${outcome} × ${count}`).join(', ');
}

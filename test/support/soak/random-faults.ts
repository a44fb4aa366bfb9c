import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { OwnPostgres } from '../processes/own-postgres';
import type { TestStack } from '../processes/test-stack';
import type { SeededRandom } from '../seeded-random';
import { until } from '../until';
import type { Outages, Victim } from './outages';
import type { SoakSettings } from './soak-settings';

const BETWEEN_FAULTS_MS = { from: 3_000, to: 9_000 };
/** After each kind has come so many times, all victims come back, and nothing is away for a while. */
const ROUNDS_BETWEEN_RESTS = 2;
const RESTS_MS = { from: 12_000, to: 20_000 };
/** Longer than calls wait for the database, so that some get their 503. */
const AWAY_MS_MAX: Readonly<Record<'redis' | 'postgres', number>> = { redis: 12_000, postgres: 8_000 };
/** Some connections of Postgres are killed instead of the whole server. */
const BACKEND_SHARE = 0.4;
/** A process that ran for less is started again after a pause that grows. */
const STARTED_WITHIN_MS = 300_000;
/** A machine that is busy takes seconds to begin a server process. */
const CONNECT_TIMEOUT_MS = 15_000;

const VICTIMS = ['api', 'worker', 'redis', 'postgres'] as const;

interface Scene {
  stack: TestStack;
  postgres: OwnPostgres;
  random: SeededRandom;
  settings: SoakSettings;
  outages: Outages;
}

/** `kill -9` of a process of the stack, of Redis or of Postgres, every few seconds. The first API and the first worker are spared. */
export class RandomFaults {
  private readonly failures: unknown[] = [];
  private readonly stopping = new AbortController();
  private readonly recoveries = new Set<Promise<void>>();
  private readonly away = new Set<string>();
  private faulting: Promise<void> | null = null;

  constructor(private readonly scene: Scene) {}

  start(): void {
    this.faulting ??= this.faultUntilStopped();
  }

  /** Kills nobody any more. Resolves when all victims are back. @throws Error when one is not */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.faulting;
    await Promise.all(this.recoveries);
    if (this.failures.length > 0) {
      throw new AggregateError(this.failures, this.failures.map(String).join('; '));
    }
  }

  private async faultUntilStopped(): Promise<void> {
    const { random } = this.scene;
    for (let round = 1; !this.isStopping; round += 1) {
      // Each kind once before any comes again, so that a short soak has had them all.
      for (const victim of random.shuffled(VICTIMS)) {
        await this.pause(BETWEEN_FAULTS_MS);
        if (this.isStopping) {
          return;
        }
        const recovery = this.fault(victim)
          .catch((failure: unknown) => this.failures.push(failure))
          .then(() => void this.recoveries.delete(recovery));
        this.recoveries.add(recovery);
      }
      if (round % ROUNDS_BETWEEN_RESTS === 0) {
        await Promise.all(this.recoveries);
        await this.pause(RESTS_MS);
      }
    }
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async pause({ from, to }: { from: number; to: number }): Promise<void> {
    const { signal } = this.stopping;
    await delay(this.scene.random.between(from, to), undefined, { signal }).catch(() => undefined);
  }

  private async fault(victim: Victim): Promise<void> {
    if (victim === 'redis' || victim === 'postgres') {
      await this.withAway(victim, () => (victim === 'redis' ? this.killRedis() : this.killPostgres()));
      return;
    }
    const { random, settings } = this.scene;
    const name = `${victim}-${random.between(2, victim === 'api' ? settings.apis : settings.workers)}`;
    await this.withAway(name, () => this.killProcess(victim, name));
  }

  /** Whoever is away already is left alone. */
  private async withAway(name: string, kill: () => Promise<void>): Promise<void> {
    if (this.away.has(name)) {
      return;
    }
    this.away.add(name);
    await kill().finally(() => this.away.delete(name));
  }

  private async killProcess(victim: 'api' | 'worker', name: string): Promise<void> {
    const { outages, stack } = this.scene;
    const outage = outages.begin(victim, name);
    const { pid } = stack.place(name);
    process.kill(pid, 'SIGKILL');
    await until(`${name} is started again`, () => stack.place(name).pid !== pid, STARTED_WITHIN_MS);
    outages.end(outage);
  }

  private async killRedis(): Promise<void> {
    const { outages, random, stack } = this.scene;
    const awayMs = random.between(0, AWAY_MS_MAX.redis);
    const outage = outages.begin('redis', `redis for ${awayMs} ms`);
    await stack.redis.kill();
    await delay(awayMs);
    await stack.redis.startAgain();
    outages.end(outage);
  }

  private async killPostgres(): Promise<void> {
    const { outages, postgres, random } = this.scene;
    const isBackend = random.next() < BACKEND_SHARE;
    const awayMs = random.between(0, AWAY_MS_MAX.postgres);
    if (isBackend) {
      const outage = outages.begin('postgres', 'a connection of postgres');
      await postgres.killBackend(await busyBackend(postgres.url));
      await until(
        'Postgres has recovered by itself',
        () => takesConnections(postgres.url),
        STARTED_WITHIN_MS,
      );
      outages.end(outage);
      return;
    }
    const outage = outages.begin('postgres', `postgres for ${awayMs} ms`);
    await postgres.killAtOnce();
    await delay(awayMs);
    await postgres.startAgain();
    outages.end(outage);
  }
}

/** A connection that is being used for charges now, or any other of the service. */
async function busyBackend(url: string): Promise<number> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
       ORDER BY application_name = 'ledger' DESC, state = 'active' DESC, random() LIMIT 1`,
    );
    return rows[0]?.pid ?? 0;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function takesConnections(url: string): Promise<boolean> {
  return busyBackend(url).then(
    () => true,
    () => false,
  );
}

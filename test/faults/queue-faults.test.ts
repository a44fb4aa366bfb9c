import { setTimeout as delay } from 'node:timers/promises';
import { startBackgroundWork } from '../../src/application';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { createTestDatabase } from '../support/api/test-database';
import { depth } from '../support/jest/depth';
import { OwnPostgres } from '../support/processes/own-postgres';
import { Errands, ErrandsModule } from '../support/queue/errands.module';
import { RedisServer } from '../support/redis/redis-server';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const KILLS = depth('QUEUE_KILLS', { short: 1, deep: 20 });
const AWAY_MS_MAX = depth('QUEUE_AWAY_MS_MAX', { short: 500, deep: 9_000 });
/** On a busy machine processes wait for their turn as well. */
const FAILED_WITHIN_MS = depth('QUEUE_FAILED_WITHIN_MS', { short: Infinity, deep: 6_000 });
const ADDED_AT_ONCE = 5;
const ADDED_EVERY_MS = 20;

interface KilledServer {
  kill(): Promise<void>;
  startAgain(): Promise<void>;
  stop(): Promise<void>;
}

describe('a queue whose server is killed', () => {
  it('goes on by itself in Postgres when that is back', async () => {
    const postgres = await OwnPostgres.start();
    const database = { url: postgres.url, drop: () => Promise.resolve() };
    await expectHealed('Postgres', postgres, await TestService.start({}, database, [ErrandsModule]));
  });

  if (hasRedis()) {
    it('goes on by itself in Redis when that is back', async () => {
      const redis = await RedisServer.start();
      const server = {
        kill: () => redis.kill(),
        startAgain: () => redis.startAgain(),
        stop: () => redis.kill(),
      };
      const service = await TestService.start({ REDIS_URL: redis.url }, await createTestDatabase(), [
        ErrandsModule,
      ]);
      await expectHealed('Redis', server, service);
    });
  }
});

async function expectHealed(name: string, server: KilledServer, service: TestService): Promise<void> {
  const random = new SeededRandom();
  startBackgroundWork(service.app, 'all');
  const load = new QueueLoad(service.app.get(Errands));
  load.start();
  for (let kill = 0; kill < KILLS; kill += 1) {
    await until('jobs are added', () => load.addedCount > 0);
    await delay(random.between(0, 200));
    await server.kill();
    await delay(random.between(0, AWAY_MS_MAX));
    const { runs } = load.errands;
    const runsBefore = runs.length;
    await server.startAgain();
    await until('jobs are done again', () => runs.length > runsBefore + ADDED_AT_ONCE);
  }
  await load.end();
  const late = load.failuresMs.filter((tookMs) => tookMs > FAILED_WITHIN_MS);
  process.stdout.write(`${name}: seed ${random.seed}, ${load.summary(KILLS)}\n`);
  expect(late).toEqual([]);
  await service.stop();
  await server.stop();
}

/** Adds jobs all the time and, as the tables of a service would have it, again those that it was not told to be added or done. */
class QueueLoad {
  addedCount = 0;
  private readonly open = new Set<string>();
  readonly failuresMs: number[] = [];
  private ends = false;
  private running: Promise<void> = Promise.resolve();

  constructor(readonly errands: Errands) {}

  start(): void {
    this.running = this.run();
  }

  /** Resolves when every job that was ever added has been done. */
  async end(): Promise<void> {
    this.ends = true;
    await this.running;
    await until('every job is done', async () => {
      await this.add(this.undone());
      return this.undone().length === 0;
    });
  }

  summary(kills: number): string {
    const { runs } = this.errands;
    const slowestMs = Math.round(Math.max(0, ...this.failuresMs));
    return (
      `${kills} kills, ${this.addedCount} jobs, ${runs.length} runs, ` +
      `${this.failuresMs.length} refused, the slowest after ${slowestMs} ms`
    );
  }

  private async run(): Promise<void> {
    while (!this.ends) {
      const ids = Array.from({ length: ADDED_AT_ONCE }, () => newId());
      ids.forEach((id) => this.open.add(id));
      this.addedCount += ids.length;
      await this.add(this.undone());
      await delay(ADDED_EVERY_MS);
    }
  }

  private undone(): string[] {
    this.open.forEach((id) => this.errands.done.has(id) && this.open.delete(id));
    return [...this.open];
  }

  private async add(ids: string[]): Promise<void> {
    const startedMs = performance.now();
    try {
      await this.errands.queue.addBulk(ids.map((jobId) => ({ name: 'errand', data: {}, opts: { jobId } })));
    } catch {
      this.failuresMs.push(performance.now() - startedMs);
    }
  }
}

/** As jest.config.js has it for test/redis: a bare machine has none, and CI requires it. */
function hasRedis(): boolean {
  return (
    (globalThis as { redisCommand?: string }).redisCommand !== undefined ||
    process.env.TEST_REDIS === 'required'
  );
}

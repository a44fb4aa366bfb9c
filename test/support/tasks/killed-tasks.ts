import { setTimeout as delay } from 'node:timers/promises';
import { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import { depth } from '../jest/depth';
import { ledgerFaults } from '../ledger/ledger-faults';
import { CompiledService } from '../processes/compiled-service';
import { RedisServer } from '../redis/redis-server';
import { SeededRandom } from '../seeded-random';
import { until } from '../until';
import { faultsInTasks } from './task-faults';
import { TaskLoad } from './task-load';
import { chatParameters, TaskUpstream } from './task-upstream';
import { TaskWatch } from './task-watch';
import { endOpenReservations, openReservations } from '../ledger/open-reservations';

const KILLS = depth('TASK_KILLS', { short: 2, deep: 30 });
const ACCOUNTS = 12;
const UNFINISHED_MAX = 150;
/** Within this time after its start a worker is killed. */
const KILLED_WITHIN_MS = 1_500;
/** How often the API is killed along with a worker. */
const API_KILLED_SHARE = 0.2;
/** So many of the tasks that run, or whose worker was killed, are cancelled around each kill. */
const CANCELLED_AT_EACH_KILL = 2;
/** Tasks whose upstream answers nobody before the last kill: every attempt until then dies. */
const HELD_TASKS = 6;
const ENDED_WITHIN_MS = 240_000;
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

/** What tasks promise while their workers are killed at random under load, and the API now and then. */
export function describeKilledTasks(backend: 'postgres' | 'redis'): void {
  describe(`tasks with the queue in ${backend}, while their worker is killed again and again`, () => {
    const random = new SeededRandom();
    let redis: RedisServer | null = null;
    let upstream: TaskUpstream;
    let service: TestService;
    let api: CompiledService;
    let worker: CompiledService;
    let load: TaskLoad;
    let watch: TaskWatch;
    let apiKills = 0;

    const environment = (): Record<string, string> => ({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET,
      LOG_LEVEL: 'fatal',
      ...upstream.environment,
      ...(redis ? { REDIS_URL: redis.url } : {}),
    });
    const startApi = () => CompiledService.start({ ...environment(), ROLE: 'api' });
    const startWorker = () => CompiledService.startWorker(environment());

    beforeAll(async () => {
      redis = backend === 'redis' ? await RedisServer.start() : null;
      upstream = await TaskUpstream.start();
      service = await TestService.start();
      const accounts: TestAccount[] = await Promise.all(
        Array.from({ length: ACCOUNTS }, () => createAccount(service, { creditUsd: '1000' })),
      );
      [api, worker] = await Promise.all([startApi(), startWorker()]);
      const server = () => api;
      const unfinished = () => count(service, UNFINISHED_TASKS);
      load = new TaskLoad({ accounts, random, server, unfinished, unfinishedMax: UNFINISHED_MAX });
      watch = new TaskWatch(accounts, server);
    }, 120_000);

    afterAll(async () => {
      upstream?.letGo();
      await Promise.all([load?.stop(), watch?.stop()]);
      await Promise.all([api?.stop(), worker?.stop()]);
      await service.stop();
      await upstream?.stop();
      await redis?.kill();
    }, 120_000);

    async function killAndStartAgain(): Promise<void> {
      const isApiKilled = random.next() < API_KILLED_SHARE;
      apiKills += isApiKilled ? 1 : 0;
      await Promise.all([worker.kill(), isApiKilled ? api.kill() : null]);
      [worker, api] = await Promise.all([startWorker(), isApiKilled ? startApi() : api]);
    }

    it('end once, are charged once, and never go back', async () => {
      const held = { task_type: 'createChatCompletion', parameters: chatParameters('when let go') } as const;
      await Promise.all(Array.from({ length: HELD_TASKS }, () => load.submit(held)));
      load.start();
      watch.start();
      for (let kills = 0; kills < KILLS; kills += 1) {
        const ended = await count(service, ENDED);
        await until('tasks end', async () => (await count(service, ENDED)) > ended, ENDED_WITHIN_MS);
        const killedInMs = random.between(0, KILLED_WITHIN_MS);
        const cancelled = random.shuffled(watch.running()).slice(0, CANCELLED_AT_EACH_KILL);
        cancelled.forEach((task) => load.cancel(task, random.between(0, 2 * killedInMs)));
        await delay(killedInMs);
        await killAndStartAgain();
      }
      upstream.letGo();
      await load.stop();
      const isOver = async () => (await count(service, UNFINISHED_TASKS)) === 0;
      await until('all have ended', isOver, ENDED_WITHIN_MS);
      await watch.stop();
      await watch.lookAtAll();
      const left = await count(service, OPEN_RUNS);
      await endOpenReservations(service);

      process.stdout.write(
        `\nqueue in ${backend}, seed ${random.seed}: ${KILLS} workers and ${apiKills} times the API killed; ` +
          `${await summary(service)}; ${watch.looks} looks; cancellations answered: ` +
          `${load.cancellations.filter((status) => status === 200).length} with 200, ` +
          `${load.cancellations.filter((status) => status === 409).length} with 409; ` +
          `the reservations of ${left} runs were left to the sweeper\n`,
      );
      await expectTasksEndedOnce(service, load, watch);
      const died = await count(
        service,
        `SELECT id FROM tasks WHERE error ->> 'message' LIKE '%its worker died%'`,
      );
      // Twelve kills are more than enough for the three that the held ones need.
      expect(died).toBeGreaterThanOrEqual(KILLS >= 20 ? 1 : 0);
    }, 1_200_000);
  });
}

/** What tasks promise once all of them have ended and every lease is over. */
export async function expectTasksEndedOnce(
  service: TestService,
  load: TaskLoad,
  watch: TaskWatch,
): Promise<void> {
  expect([...load.faults, ...watch.faults]).toEqual([]);
  expect(new Set(load.told).size).toBe(load.told.length);
  expect([...watch.seen.keys()].sort()).toEqual([...load.told].sort());
  expect(await faultsInTasks(service.database)).toEqual([]);
  expect(await ledgerFaults(service.database)).toEqual([]);
  expect(await openReservations(service)).toEqual([]);
  // Nobody paid for a submission that was made twice, or for none.
  const submissions: unknown[] = await service.database.query(SUBMISSIONS, [load.accountIds]);
  expect(submissions).toHaveLength(load.told.length);
}

const ENDED = `SELECT id FROM tasks WHERE stage = 'over'`;
export const UNFINISHED_TASKS = `SELECT id FROM tasks WHERE stage <> 'over'`;
const OPEN_RUNS = `SELECT id FROM reservations WHERE client_request_id LIKE 'task-%'`;
const SUBMISSIONS = `SELECT id FROM ledger_entries
  WHERE type = 'charge' AND description = 'submitTask' AND account_id = ANY($1)`;

/** How many rows a query has. */
export async function count({ database }: TestService, rows: string): Promise<number> {
  const [row]: { count: number }[] = await database.query(
    `SELECT count(*)::integer AS count FROM (${rows}) AS rows`,
  );
  return row?.count ?? 0;
}

async function summary({ database }: TestService): Promise<string> {
  const rows: { status: string; attempts: number; count: number }[] = await database.query(
    `SELECT status, attempts, count(*)::integer AS count FROM tasks GROUP BY status, attempts ORDER BY status, attempts`,
  );
  return rows.map((row) => `${row.count} ${row.status} at attempt ${row.attempts}`).join(', ');
}

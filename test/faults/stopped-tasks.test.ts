import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { SeededRandom } from '../support/seeded-random';
import { faultsInTasks } from '../support/tasks/task-faults';
import { randomOrder } from '../support/tasks/task-orders';
import { submitTask } from '../support/tasks/task-scene';
import { chatParameters, TaskUpstream } from '../support/tasks/task-upstream';
import { until } from '../support/until';
import { openReservations } from '../support/ledger/open-reservations';

const STOPS = depth('TASK_STOPS', { short: 2, deep: 10 });
/** Tasks for each worker; it is stopped when some of them have ended. */
const TASKS = 40;
const ENDED_WHEN_STOPPED_MAX = 30;
/** Tasks that run longer than a worker that stops waits for them, until so many workers have stopped. */
const LONG_TASKS = 3;
const LONG_STOPS = 2;
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

describe('tasks whose worker is told to stop', () => {
  const random = new SeededRandom();
  let upstream: TaskUpstream;
  let service: TestService;
  let world: World;
  let worker: CompiledService;

  beforeAll(async () => {
    upstream = await TaskUpstream.start();
    service = await TestService.start(upstream.environment);
    // The worker's clock is the real one, and what a key has spent counts by the month.
    service.clock.set(new Date().toISOString());
    world = await World.create(service);
    worker = await startWorker();
  }, 120_000);
  afterAll(async () => {
    upstream?.letGo();
    await worker?.stop();
    await service.stop();
    await upstream?.stop();
  }, 120_000);

  const startWorker = () =>
    CompiledService.startWorker({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET,
      LOG_LEVEL: 'fatal',
      ...upstream.environment,
    });

  async function count(condition: string): Promise<number> {
    const [row]: { count: number }[] = await service.database.query(
      `SELECT count(*)::integer AS count FROM tasks WHERE ${condition}`,
    );
    return row?.count ?? 0;
  }

  it('end all the same, at their first attempt, and are worked for and charged once', async () => {
    const long = { task_type: 'createChatCompletion', parameters: chatParameters('when let go') } as const;
    await Promise.all(Array.from({ length: LONG_TASKS }, () => submitTask(world, long)));
    for (let stops = 0; stops < STOPS; stops += 1) {
      const before = await count(`stage = 'over'`);
      for (let task = 0; task < TASKS; task += 1) {
        const account = random.pick([world.owner, world.stranger]);
        await submitTask(world, randomOrder(random, `task-${stops}-${task}`), account);
      }
      const enough = before + random.between(0, ENDED_WHEN_STOPPED_MAX);
      await until('enough have ended', async () => (await count(`stage = 'over'`)) >= enough);
      const stopped = worker;
      worker = await startWorker();
      await stopped.stop();
      expect(stopped.process.exitCode).toBe(0);
      if (stops + 1 === Math.min(LONG_STOPS, STOPS)) {
        // They were begun by workers that have stopped since, and count as begun once or not at all.
        expect(await count(`parameters LIKE '%when let go%' AND attempts > 1`)).toBe(0);
        upstream.letGo();
      }
    }
    await until('all have ended', async () => (await count(`stage <> 'over'`)) === 0);
    expect(await count(`status = 'cancelled' OR attempts <> 1`)).toBe(0);
    expect(await count('true')).toBe(STOPS * TASKS + LONG_TASKS);

    const asked = upstream.raw.calls.map(({ text }) => text);
    const shortOnes = await count(`parameters LIKE '%within %'`);
    expect(asked.filter((text) => text.includes('within ')).length).toBe(shortOnes);
    const longOnes = asked.filter((text) => text.includes('when let go')).length;
    process.stdout.write(
      `\nseed ${random.seed}: ${STOPS} workers stopped; ${await count('true')} tasks; ` +
        `${LONG_TASKS} long ones were begun ${longOnes} times\n`,
    );
    expect(longOnes).toBeGreaterThan(LONG_TASKS);
    expect(await faultsInTasks(service.database)).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await openReservations(service)).toEqual([]);
  }, 600_000);
});

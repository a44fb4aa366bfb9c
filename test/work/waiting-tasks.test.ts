import { AccessKeys } from '../../src/accounts/access-keys';
import { KeyDirectory } from '../../src/accounts/key-cache';
import { AccountDatabases } from '../../src/database/account-databases';
import { ApiError } from '../../src/errors/api-errors';
import { IN_HAND_MAX, PER_ACCOUNT_MAX, TaskAttempts } from '../../src/modules/tasks/task-attempts';
import { TaskCounts, Tasks } from '../../src/modules/tasks/tasks.repository';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { fillUpTasks, seeTask, submitTask } from '../support/tasks/task-scene';
import { TaskWorker } from '../support/tasks/task-worker';

const DAY_MS = 24 * 3_600_000;

describe('a task that waits', () => {
  let service: TestService;
  let worker: TaskWorker;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start();
    worker = new TaskWorker(service);
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
    for (const database of service.app.get(AccountDatabases).all) {
      await database.query('DELETE FROM tasks');
    }
  });
  afterAll(() => service.stop());

  it('fails uncharged where its key was revoked meanwhile', async () => {
    const { id } = await submitTask(world);
    const before = await world.balanceNanoUsd();
    await service.app.get(AccessKeys).revoke(world.owner.id, world.owner.keyId);
    await worker.run(id);
    const own = { credential: (await newKey()).secret, params: { task_id: id } };
    const { body } = await callAs('getTask', world, own);
    expect(body.data).toMatchObject({ status: 'failed', cost: 0, attempts: 1, progress: 100 });
    expect(body.data.error).toMatchObject({ status: 401, error: 'Invalid API key' });
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('fails uncharged where there is no credit left', async () => {
    const { id } = await submitTask(world);
    await world.setBalanceUsd(world.owner, '0');
    await worker.run(id);
    const task = await seeTask(world, id);
    expect(task).toMatchObject({
      status: 'failed',
      cost: 0,
      error: { status: 402, error: 'Insufficient credits' },
    });
  });

  it('fails with an error whose text Postgres would not store as it is', async () => {
    const { id } = await submitTask(world);
    worker.failNext(new ApiError(502, 'Bad Gateway', `said \0 and ${'x'.repeat(3_989)}\u{1F600}`));
    await worker.run(id);
    expect(await seeTask(world, id)).toMatchObject({ status: 'failed', attempts: 1, error: { status: 502 } });
  });

  it('is not taken for running where a heartbeat comes after it was given back', async () => {
    const { id } = await submitTask(world);
    const attempts = service.app.get(TaskAttempts);
    const attempt = { accountId: world.owner.id, itemId: id, runId: newId() };
    await worker.hand();
    await attempts.begin(attempt);
    await attempts.giveBack(attempt, 0);
    expect(await attempts.hold([attempt])).toEqual(new Map());
    expect(await worker.hand()).toEqual([id]);
  });

  it('waits on where its key is beyond its rate, and holds back its kind alone', async () => {
    const { id } = await submitTask(world);
    const other = await submitTask(world, { task_type: 'createAgent', parameters: { name: 'a' } });
    await world.setRates(world.owner, { requests_per_minute: 1 });
    service.app.get(KeyDirectory).forget(world.owner.id);
    await callAs('listTasks', world, {});
    expect((await worker.hand()).sort()).toEqual([id, other.id].sort());
    await worker.runs.run(id);
    const row = async () =>
      service.database.query<object[]>(
        'SELECT status, stage, attempts, progress, started_at FROM tasks WHERE id = $1',
        [id],
      );
    const untouched = { status: 'queued', stage: 'waiting', attempts: 0, progress: 0, started_at: null };
    expect(await row()).toEqual([untouched]);
    expect(await worker.hand()).toEqual([]);
    service.clock.advance(31_000);
    // The other was handed and lost, and is handed again; this one's minute is not over.
    expect(await worker.hand()).toEqual([other.id]);
    service.clock.advance(61_000);
    await worker.run(id);
    expect(await row()).toMatchObject([{ status: 'succeeded', attempts: 1 }]);
  });

  it('comes by its priority, then by its age, and leaves the others of its account behind eight', async () => {
    const priorities = ['low', 'normal', 'urgent', 'high', 'normal'] as const;
    const ids = [];
    for (const priority of priorities) {
      ids.push((await submitTask(world, { priority })).id);
      service.clock.advance(1);
    }
    const handed = await worker.hand();
    expect(handed).toEqual([ids[2], ids[3], ids[1], ids[4], ids[0]]);
    for (let task = 0; task < 10; task += 1) {
      await submitTask(world);
    }
    expect(await worker.hand()).toHaveLength(3);
    expect(await worker.hand()).toEqual([]);
    await worker.runs.run(String(handed[0]));
    expect(await worker.hand()).toHaveLength(1);
  });

  it('of one account is not held up by ten thousand of another', async () => {
    await fillUpTasks(world, 10_000);
    const database = service.app.get(AccountDatabases).of(world.owner.id);
    await database.query('UPDATE tasks SET not_before = NULL');
    expect(await worker.hand()).toHaveLength(8);
    const few = [];
    for (let task = 0; task < 3; task += 1) {
      few.push((await submitTask(world, {}, world.stranger)).id);
    }
    expect((await worker.hand()).sort()).toEqual(few.sort());
  });

  it('costs the hand-over nothing while it is paused, however many there are, and delays no other kind', async () => {
    await fillUpTasks(world, 9_999);
    const { id: accountId, keyId } = world.owner;
    const database = service.app.get(AccountDatabases).of(accountId);
    await database.query('UPDATE tasks SET not_before = NULL');
    await database.query('VACUUM ANALYZE tasks');
    await service.app.get(TaskAttempts).pause({ accountId, keyId, taskType: 'createMemory' }, 60_000);
    const { id } = await submitTask(world, { task_type: 'createAgent', parameters: { name: 'a' } });
    const read = await database.transaction(async (manager) => {
      const rowsRead = async () => {
        const [fetched]: { rows: string }[] = await manager.query(
          `SELECT idx_tup_fetch + seq_tup_read AS rows FROM pg_stat_xact_user_tables WHERE relid = 'tasks'::regclass`,
        );
        return Number(fetched?.rows);
      };
      // A table this small would be read as a whole.
      await manager.query('SET LOCAL enable_seqscan = off');
      const before = await rowsRead();
      const handOver = 'SELECT handed FROM tasks_hand_over($1, $1, NULL, 500, 8, 200)';
      expect(await manager.query(handOver, [service.clock.now()])).toEqual([{ handed: [id] }]);
      return (await rowsRead()) - before;
    });
    expect(read).toBeLessThan(1_000);
  });

  it('of many accounts comes in turn, first those of accounts with the fewest in hand', async () => {
    await Promise.all(Array.from({ length: 9 }, () => World.create(service)));
    await service.database.query(
      `INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, status, stage, created_at)
       SELECT gen_random_uuid(), a.id, a.id, 'createMemory', '{}', 3, 'queued', 'waiting', $1
       FROM (SELECT id FROM accounts ORDER BY id DESC LIMIT 30) AS a, generate_series(1, 10)`,
      [service.clock.now()],
    );
    const first = await worker.hand();
    expect(first).toHaveLength(IN_HAND_MAX);
    // Each schema of accounts orders its own.
    for (const database of service.app.get(AccountDatabases).all) {
      const perAccount: { count: number }[] = await database.query(
        `SELECT count(*)::integer AS count FROM tasks WHERE stage = 'handed' GROUP BY account_id`,
      );
      const counts = perAccount.map(({ count }) => count);
      expect(Math.max(...counts, 0) - Math.min(...counts, PER_ACCOUNT_MAX)).toBeLessThanOrEqual(1);
    }
    expect(await service.app.get(TaskAttempts).claim(null)).toMatchObject({
      isFull: true,
    });
  });

  it('is counted, those of all and those of its account', async () => {
    const [{ id }] = [
      await submitTask(world),
      await submitTask(world),
      await submitTask(world, {}, world.stranger),
    ];
    const held = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    const counts = await service.app.get(TaskCounts).of(world.owner.id);
    expect(counts).toEqual({ waiting: 2, running: 1, ownWaiting: 1, ownRunning: 1 });
    await held.goOn();
    expect(await service.app.get(TaskCounts).of(world.owner.id)).toEqual(counts);
  });

  it('shows how far it has come while it runs, and never less', async () => {
    const { id } = await submitTask(world);
    expect((await seeTask(world, id)).progress).toBe(0);
    const held = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    for (let progress = 0; progress < 25;) {
      const task = await seeTask(world, id);
      expect(task.progress).toBeGreaterThanOrEqual(progress);
      progress = task.progress;
    }
    service.clock.advance(31_000);
    const again = await worker.stopAt(id, worker.operations, 'run');
    expect(await seeTask(world, id)).toMatchObject({ progress: 25, attempts: 2 });
    await again.goOn();
    await held.goOn();
    expect(await seeTask(world, id)).toMatchObject({ progress: 100, status: 'succeeded' });
  });

  it('is deleted 30 days after its end, and not before', async () => {
    const [ended, waiting] = [await submitTask(world), await submitTask(world)];
    await callAs('cancelTask', world, { params: { task_id: ended.id } });
    const sweep = () => service.app.get(Tasks).sweep(service.clock.now());
    service.clock.advance(30 * DAY_MS - 1);
    expect(await sweep()).toBe(0);
    service.clock.advance(1);
    expect(await sweep()).toBe(1);
    expect((await callAs('getTask', world, { params: { task_id: ended.id } })).status).toBe(404);
    expect(await seeTask(world, waiting.id)).toMatchObject({ status: 'queued' });
  });

  async function newKey() {
    const fields = {
      accountId: world.owner.id,
      name: newId(),
      expiresAt: null,
      environment: 'test',
    } as const;
    return service.app.get(AccessKeys).create(fields);
  }
});

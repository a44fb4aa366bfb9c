import type { OmmBatchResponse } from '../../generated/types';
import type { Meter } from '../../src/contract/operation';
import { ModelRefused } from '../../src/models/errors';
import { InputFiles } from '../../src/models/multimodal/input-files';
import { TaskAttempts } from '../../src/modules/tasks/task-attempts';
import {
  Conflict,
  DatabaseAway,
  NotFound,
  OutcomeUnknown,
  ServiceUnavailable,
} from '../../src/errors/api-errors';
import { Ledger } from '../../src/ledger/ledger';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { textInput } from '../support/omm/inputs';
import { exampleBody, seeTask, submitTask } from '../support/tasks/task-scene';
import { TaskWorker, type StoppedRun } from '../support/tasks/task-worker';
import { until } from '../support/until';

const MEMORY_NANO_USD = 100_000n;

describe('a task whose worker dies', () => {
  let service: TestService;
  let worker: TaskWorker;
  let world: World;
  let before: bigint;
  let id: string;

  beforeAll(async () => {
    service = await TestService.start();
    worker = new TaskWorker(service);
  });
  beforeEach(async () => {
    world = await World.create(service);
    id = (await submitTask(world)).id;
    before = await world.balanceNanoUsd();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
    const left: unknown[] = await service.database.query(
      'SELECT id FROM reservations WHERE account_id = $1 UNION ALL SELECT call_id FROM idempotency_claims WHERE id LIKE $2',
      [world.owner.id, `task:%`],
    );
    expect(left).toEqual([]);
  });
  afterAll(() => service.stop());

  const spent = async () => before - (await world.balanceNanoUsd());

  /** Where a worker may stop, in the order in which a run comes there. */
  const PLACES: [string, () => [object, string]][] = [
    ['before its call begins', () => [worker.operations, 'run']],
    ['before its reservation', () => [service.app.get(Ledger), 'reserve']],
    ['in its work', () => [service.controllerOf('createMemory'), 'createMemory']],
    ['before its settlement', () => [service.app.get(Ledger), 'settle']],
  ];

  it.each(PLACES)('%s is begun anew, and charged once even if it was only paused', async (_, place) => {
    const zombie = await worker.stopAt(id, ...place());
    await worker.runAfterSilence(id);
    const task = await seeTask(world, id);
    expect(task).toMatchObject({ status: 'succeeded', attempts: 2, progress: 100, cost: 0.0001 });
    await zombie.goOn();
    expect(await spent()).toBe(MEMORY_NANO_USD);
    expect(await seeTask(world, id)).toEqual(task);
  });

  it('is begun anew where the clock was set back since', async () => {
    const zombie = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    service.clock.advance(-3_600_000);
    await worker.hand();
    expect(await seeTask(world, id)).toMatchObject({ status: 'running', attempts: 1 });
    await worker.runAfterSilence(id);
    expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    await zombie.goOn();
    expect(await spent()).toBe(MEMORY_NANO_USD);
  });

  it.each(PLACES)('%s costs nothing where the task has failed meanwhile', async (_, place) => {
    const zombie = await worker.stopAt(id, ...place());
    worker.failNext(new NotFound('agent'));
    await worker.runAfterSilence(id);
    await zombie.goOn();
    expect(await seeTask(world, id)).toMatchObject({
      status: 'failed',
      attempts: 2,
      cost: 0,
      error: { status: 404 },
    });
    expect(await spent()).toBe(0n);
  });

  it.each(PLACES)('%s costs nothing where the task is cancelled meanwhile', async (_, place) => {
    const zombie = await worker.stopAt(id, ...place());
    const told = await callAs('cancelTask', world, { params: { task_id: id } });
    expect(told.body.data.status).toBe('running');
    await worker.runAfterSilence(id);
    await zombie.goOn();
    expect(await seeTask(world, id)).toMatchObject({
      status: 'cancelled',
      attempts: 1,
      cost: 0,
      result: null,
    });
    expect(await spent()).toBe(0n);
  });

  it.each(PLACES)('%s is cancelled at once when that is noticed', async (_, place) => {
    const zombie = await worker.stopAt(id, ...place());
    service.clock.advance(31_000);
    await worker.hand();
    const told = await callAs('cancelTask', world, { params: { task_id: id } });
    expect(told.body.data).toMatchObject({ status: 'cancelled', cost: 0, progress: 100 });
    await zombie.goOn();
    expect(await seeTask(world, id)).toEqual(told.body.data);
    expect(await spent()).toBe(0n);
  });

  describe('after its settlement', () => {
    let zombie: StoppedRun;
    beforeEach(async () => {
      zombie = await worker.stopAt(id, service.app.get(TaskAttempts), 'finish');
      expect(await spent()).toBe(MEMORY_NANO_USD);
    });
    afterEach(() => zombie.goOn());

    it('ends with the answer that was charged, and is not run again', async () => {
      const run = jest.spyOn(worker.operations, 'run');
      await worker.runAfterSilence(id);
      expect(await seeTask(world, id)).toMatchObject({
        status: 'succeeded',
        attempts: 1,
        cost: 0.0001,
        result: { data: { key: 'a' } },
      });
      expect(run).not.toHaveBeenCalled();
      expect(await spent()).toBe(MEMORY_NANO_USD);
    });

    it('has succeeded also where it was to be cancelled', async () => {
      await callAs('cancelTask', world, { params: { task_id: id } });
      await worker.runAfterSilence(id);
      expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', cost: 0.0001 });
    });

    it("can't be cancelled when its death is noticed", async () => {
      service.clock.advance(31_000);
      await worker.hand();
      const refused = await callAs('cancelTask', world, { params: { task_id: id } });
      expect(refused.status).toBe(409);
      expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', cost: 0.0001 });
    });

    it('ends with that answer a year later as well', async () => {
      service.clock.advance(365 * 24 * 3_600_000);
      await worker.run(id);
      expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', cost: 0.0001 });
      expect(await spent()).toBe(MEMORY_NANO_USD);
    });
  });

  describe('after a model has refused, which is charged', () => {
    const words = 'No.\0 Never.';
    let zombie: StoppedRun;
    afterEach(() => zombie.goOn());
    beforeEach(async () => {
      jest
        .spyOn(service.controllerOf('createChatCompletion') as never, 'createChatCompletion')
        .mockImplementation(((call: { meter: Meter }) => {
          call.meter.report({ inputTokens: 3, outputTokens: 4 });
          return Promise.reject(new ModelRefused('a model', words));
        }) as never);
      const parameters = exampleBody('createChatCompletion');
      id = (await submitTask(world, { task_type: 'createChatCompletion', parameters })).id;
      before = await world.balanceNanoUsd();
    });

    it('ends as failed with that refusal and its cost, and asks no model again', async () => {
      zombie = await worker.stopAt(id, service.app.get(TaskAttempts), 'finish');
      const charged = await spent();
      expect(charged).toBeGreaterThan(0n);
      await worker.runAfterSilence(id);
      const task = await seeTask(world, id);
      expect(task).toMatchObject({ status: 'failed', attempts: 1, result: null, error: { status: 422 } });
      expect(task.error).toMatchObject({
        error: 'Model refused',
        message: expect.stringContaining('Never.'),
      });
      expect([BigInt(Math.round(task.cost * 1e9)), await spent()]).toEqual([charged, charged]);
      await zombie.goOn();
      expect(await seeTask(world, id)).toEqual(task);
    });

    it('is charged once where it was only paused and another was refused meanwhile', async () => {
      zombie = await worker.stopAt(id, service.app.get(Ledger), 'settle');
      await worker.runAfterSilence(id);
      const [task, charged] = [await seeTask(world, id), await spent()];
      await zombie.goOn();
      expect(task).toMatchObject({ status: 'failed', attempts: 2, error: { status: 422 } });
      expect([await seeTask(world, id), await spent()]).toEqual([task, charged]);
      expect(BigInt(Math.round(task.cost * 1e9))).toBe(charged);
    });
  });

  it('three times has failed, says so, and costs nothing', async () => {
    const zombies = [];
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      zombies.push(await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory'));
      expect(await seeTask(world, id)).toMatchObject({ status: 'running', attempts: attempt });
      service.clock.advance(31_000);
    }
    await worker.run(id);
    const task = await seeTask(world, id);
    expect(task).toMatchObject({ status: 'failed', attempts: 3, cost: 0, error: { status: 503 } });
    expect(task.error?.message).toContain('3 times');
    for (const zombie of zombies) {
      await zombie.goOn();
    }
    expect([await seeTask(world, id), await spent()]).toEqual([task, 0n]);
  });

  it('gives its reservation back before the next attempt, which may need that credit', async () => {
    await world.setBalanceUsd(world.owner, '0.0001');
    const zombie = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    await worker.runAfterSilence(id);
    expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    expect(await world.balanceNanoUsd()).toBe(0n);
    await zombie.goOn();
  });

  it('stores one agent, although that is free and its call takes no Idempotency-Key', async () => {
    const agents = () =>
      service.database.query<unknown[]>('SELECT FROM agents WHERE account_id = $1', [world.owner.id]);
    const { id: agent } = await submitTask(world, {
      task_type: 'createAgent',
      parameters: { name: 'Support' },
    });
    const zombie = await worker.stopAt(agent, service.controllerOf('createAgent'), 'createAgent');
    await worker.runAfterSilence(agent);
    const task = await seeTask(world, agent);
    expect(task).toMatchObject({ status: 'succeeded', attempts: 2, cost: 0 });
    await zombie.goOn();
    expect(await agents()).toHaveLength(1);
    expect(await seeTask(world, agent)).toEqual(task);
  });

  describe('in a batch', () => {
    const item = { operation: 'transform', body: { input: textInput(), to: 'html' } };
    beforeEach(async () => {
      const parameters = { items: [item, item] };
      id = (await submitTask(world, { task_type: 'runOmmBatch', parameters })).id;
      before = await world.balanceNanoUsd();
    });

    async function expectChargedOnce(begun: number, items = 2): Promise<void> {
      const { status, attempts, result } = await seeTask(world, id);
      const { succeeded, cost } = (result as unknown as OmmBatchResponse).data;
      expect([status, attempts, succeeded]).toEqual(['succeeded', begun, items]);
      expect(await spent()).toBe(BigInt(Math.round(cost * 1e9)));
    }

    it('is begun anew until the item that it held is free, and runs no item twice', async () => {
      const zombie = await worker.stopAt(id, service.controllerOf('transformInput'), 'transformInput');
      await until('the other item is charged', async () => (await spent()) > 0n);
      await worker.runAfterSilence(id);
      expect(await seeTask(world, id)).toMatchObject({ error: null, finished_at: null });
      service.clock.advance(240_000);
      await worker.run(id);
      await zombie.goOn();
      await expectChargedOnce(2);
    });

    it('that found no room for an item waits for it, and runs no item twice', async () => {
      const busy = new ServiceUnavailable('Too many files are being worked on; call again.', 5);
      jest.spyOn(service.app.get(InputFiles), 'receive').mockRejectedValueOnce(busy);
      await worker.run(id);
      expect(await seeTask(world, id)).toMatchObject({ error: null, finished_at: null });
      expect(await spent()).toBeGreaterThan(0n);
      service.clock.advance(5_000);
      await worker.run(id);
      await expectChargedOnce(1);
    });

    it('gives the answers of the others where an item is refused for good', async () => {
      const full = new Conflict('The account stores as much as it may.');
      jest.spyOn(service.app.get(InputFiles), 'receive').mockRejectedValueOnce(full);
      await worker.run(id);
      await expectChargedOnce(1, 1);
    });
  });

  it.each([
    ['the database is away', new DatabaseAway()],
    ['the outcome of its settlement is unknown', new OutcomeUnknown(new Error('no answer'))],
  ])(
    'is not meant by an attempt that ends because %s: it is made again, and does not count',
    async (_, error) => {
      worker.failNext(error);
      await worker.run(id);
      expect(await seeTask(world, id)).toMatchObject({ status: 'queued', attempts: 0, progress: 0 });
      expect(await worker.hand()).not.toContain(id);
      service.clock.advance(1_000);
      await worker.run(id);
      expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    },
  );

  it('is meant by an attempt whose statement the database gives up: it might never end else', async () => {
    jest.spyOn(service.controllerOf('createMemory') as never, 'createMemory').mockImplementation((() =>
      service.database.transaction(async (manager) => {
        await manager.query('SET LOCAL statement_timeout = 1');
        await manager.query('SELECT pg_sleep(1)');
      })) as never);
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await worker.run(id);
      service.clock.advance(60_000);
    }
    expect(await seeTask(world, id)).toMatchObject({ status: 'failed', attempts: 3, error: { status: 503 } });
    expect(await spent()).toBe(0n);
  });

  it('is not meant by a job that came twice: only one begins the task', async () => {
    await worker.hand();
    await Promise.all([worker.runs.run(id), worker.runs.run(id)]);
    await worker.runs.run(id);
    expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(await spent()).toBe(MEMORY_NANO_USD);
  });

  it('keeps its task for as long as it tells that it lives', async () => {
    const held = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    for (let beat = 0; beat < 5; beat += 1) {
      service.clock.advance(14_000);
      await worker.runs.beat();
      expect(await worker.hand()).not.toContain(id);
    }
    await held.goOn();
    expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });
});

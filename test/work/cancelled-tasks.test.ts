import type { Meter } from '../../src/contract/operation';
import { TaskDispatcher } from '../../src/modules/tasks/task-attempts';
import { AnswerCutOff } from '../../src/models/errors';
import { ContentChunks } from '../../src/retrieval/rag-indexing';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { SeededRandom } from '../support/seeded-random';
import { exampleBody, runTasks, endedTask, seeTask, submitTask } from '../support/tasks/task-scene';
import { SILENT_MS, TaskWorker } from '../support/tasks/task-worker';
import { until } from '../support/until';

const MEMORY_NANO_USD = 100_000n;

describe('cancelling a running task', () => {
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
  });
  afterAll(() => service.stop());

  const cancel = (id: string) => callAs('cancelTask', world, { params: { task_id: id } });
  const charges = async (operation: string) =>
    (
      await service.database.query<{ amount_nano: string }[]>(
        'SELECT amount_nano FROM ledger_entries WHERE account_id = $1 AND description = $2',
        [world.owner.id, operation],
      )
    ).map(({ amount_nano: amount }) => -BigInt(amount));

  const memories = async () => {
    const count = 'SELECT count(*)::integer AS count FROM memories WHERE account_id = $1';
    return (await service.database.query<{ count: number }[]>(count, [world.owner.id]))[0]?.count;
  };

  /** A task whose upstream has produced four tokens and will not produce more. */
  async function askingTask(): Promise<{ id: string; ended: Promise<void> }> {
    let isAsking = false;
    jest
      .spyOn(service.controllerOf('createChatCompletion') as never, 'createChatCompletion')
      .mockImplementationOnce(((call: { meter: Meter }) => {
        call.meter.watch({ useSoFar: () => Promise.resolve({ inputTokens: 3, outputTokens: 4 }) });
        isAsking = true;
        return new Promise(() => undefined);
      }) as never);
    const parameters = exampleBody('createChatCompletion');
    const { id } = await submitTask(world, { task_type: 'createChatCompletion', parameters });
    await worker.hand();
    const ended = worker.runs.run(id);
    await until('the upstream is asked', () => isAsking);
    return { id, ended };
  }

  it('tells the cost of a run that failed after a model had worked for it', async () => {
    jest
      .spyOn(service.controllerOf('createChatCompletion') as never, 'createChatCompletion')
      .mockImplementationOnce(((call: { meter: Meter }) => {
        call.meter.report({ inputTokens: 3, outputTokens: 4 });
        return Promise.reject(new AnswerCutOff('a model', 4));
      }) as never);
    const parameters = exampleBody('createChatCompletion');
    const { id } = await submitTask(world, { task_type: 'createChatCompletion', parameters });
    await worker.hand();
    await worker.runs.run(id);
    const task = await seeTask(world, id);
    const [charged, ...more] = await charges('createChatCompletion');
    expect([task.status, more]).toEqual(['failed', []]);
    expect(charged).toBeGreaterThan(2_000_000n);
    expect(BigInt(Math.round(task.cost * 1e9))).toBe(charged);
  });

  it('charges what an upstream has done for it until then', async () => {
    const { id, ended } = await askingTask();
    expect((await cancel(id)).body.data).toMatchObject({ status: 'running', finished_at: null });
    service.app.get(TaskDispatcher).cancelled(id);
    await ended;
    const task = await seeTask(world, id);
    expect(task).toMatchObject({ status: 'cancelled', progress: 100, result: null, error: null });
    const [charged, ...more] = await charges('createChatCompletion');
    expect(more).toEqual([]);
    expect(charged).toBeGreaterThan(2_000_000n);
    expect(BigInt(Math.round(task.cost * 1e9))).toBe(charged);
    const receipt = await callAs('getRequestReceipt', world, {
      params: { request_id: String(task.request_id) },
    });
    expect(receipt.body).toMatchObject({ status: 499, outcome: 'settled', charged: task.cost });
  });

  it('is noticed by the next heartbeat where the notification was missed', async () => {
    const { id, ended } = await askingTask();
    await cancel(id);
    await worker.runs.beat();
    await ended;
    expect(await seeTask(world, id)).toMatchObject({ status: 'cancelled' });
  });

  it('charges nothing where the worker had been taken for dead before', async () => {
    const { id, ended } = await askingTask();
    await worker.runAfterSilence(id);
    const task = await seeTask(world, id);
    expect(task).toMatchObject({ status: 'succeeded', attempts: 2 });
    const before = await charges('createChatCompletion');
    // The worker that was only paused has not noticed yet, and hears of a cancellation.
    worker.cancelAll(id);
    await ended;
    expect(before).toHaveLength(1);
    expect(await charges('createChatCompletion')).toEqual(before);
    expect(await seeTask(world, id)).toEqual(task);
  });

  it('keeps its charge where the worker dies before it could write the end', async () => {
    const { id, ended } = await askingTask();
    const finish = worker.holdFinish();
    await cancel(id);
    service.app.get(TaskDispatcher).cancelled(id);
    await finish.reached;
    await worker.runAfterSilence(id);
    const task = await seeTask(world, id);
    expect(task).toMatchObject({ status: 'cancelled', attempts: 1 });
    expect([BigInt(Math.round(task.cost * 1e9))]).toEqual(await charges('createChatCompletion'));
    finish.goOn();
    await ended;
    expect(await seeTask(world, id)).toEqual(task);
  });

  it('succeeds and is charged where its work, which asks no upstream, is done all the same', async () => {
    const { id } = await submitTask(world);
    const run = await worker.stopAt(id, service.controllerOf('createMemory'), 'createMemory');
    await cancel(id);
    service.app.get(TaskDispatcher).cancelled(id);
    await run.goOn();
    expect(await seeTask(world, id)).toMatchObject({ status: 'succeeded', cost: 0.0001, attempts: 1 });
    expect(await charges('createMemory')).toEqual([MEMORY_NANO_USD]);
    expect(await memories()).toBe(1);
  });

  it('charges nothing for work that asks no upstream and stops', async () => {
    const parameters = { content: 'One sentence. Another one.' };
    const { id } = await submitTask(world, { task_type: 'indexRagDocument', parameters });
    const before = await world.balanceNanoUsd();
    const chunks = service.app.get(ContentChunks, { strict: false });
    const run = await worker.stopAt(id, chunks, 'of');
    await cancel(id);
    service.app.get(TaskDispatcher).cancelled(id);
    await run.goOn();
    expect(await seeTask(world, id)).toMatchObject({ status: 'cancelled', cost: 0, attempts: 1 });
    expect(await world.balanceNanoUsd()).toBe(before);
    expect((await callAs('listRagDocuments', world, {})).body.data.total).toBe(0);
  });

  it('ends it as cancelled where its worker has died', async () => {
    const { id, ended } = await askingTask();
    await cancel(id);
    service.clock.advance(SILENT_MS);
    await worker.run(id);
    expect(await seeTask(world, id)).toMatchObject({ status: 'cancelled', attempts: 1, cost: 0 });
    await worker.runs.beat();
    await ended;
    expect(await charges('createChatCompletion')).toEqual([]);
  });

  it('in races with its worker has one outcome, and is charged once if it succeeded', async () => {
    runTasks(service);
    const random = new SeededRandom();
    const tasks = await Promise.all(Array.from({ length: 40 }, () => submitTask(world)));
    const answers = await Promise.all(
      tasks.map(async ({ id }) => {
        await new Promise((resolve) => setTimeout(resolve, random.between(0, 400)));
        return { id, status: (await cancel(id)).status };
      }),
    );
    let succeeded = 0;
    for (const { id, status } of answers) {
      const task = await endedTask(world, id);
      expect(['succeeded', 'cancelled']).toContain(task.status);
      expect(task.cost).toBe(task.status === 'succeeded' ? 0.0001 : 0);
      expect([status, task.status]).not.toEqual([409, 'cancelled']);
      succeeded += task.status === 'succeeded' ? 1 : 0;
    }
    expect(await charges('createMemory')).toEqual(Array<bigint>(succeeded).fill(MEMORY_NANO_USD));
  });
});

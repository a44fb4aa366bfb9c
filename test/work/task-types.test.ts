import { apis } from '../../generated/contract';
import { definitions } from '../../generated/schemas';
import type { OperationPolicy } from '../../src/contract/operation';
import { FOR_MODELS_ALONE } from '../support/api/operation-kinds';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { endedTask, exampleBody, runTasks, submitTask, type TaskType } from '../support/tasks/task-scene';

const POLICIES = apis.flatMap(({ operations }) => Object.values<OperationPolicy>(operations));
const TYPES = (definitions as unknown as Record<string, { enum: TaskType[] }>).TaskType?.enum ?? [];

it('names as task types every operation of keys that takes a JSON body and no path, but for the submission', () => {
  const runnable = POLICIES.filter(
    ({ operationId, method, auth, path, mediaTypes }) =>
      method === 'POST' &&
      auth === 'key' &&
      mediaTypes.includes('application/json') &&
      !path.includes(':') &&
      operationId !== 'submitTask',
  ).map(({ operationId }) => operationId);
  expect([...TYPES].sort()).toEqual(runnable.sort());
});

describe('a task', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
    runTasks(service);
  });
  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });

  const answered = TYPES.filter((type) => !FOR_MODELS_ALONE.has(type));
  it.each(answered)('of %s answers as the operation does, and is charged its price once', async (type) => {
    const world = await World.create(service);
    const { id } = await submitTask(world, { task_type: type, parameters: await parametersOf(world, type) });
    const task = await endedTask(world, id);
    expect(task).toMatchObject({ status: 'succeeded', progress: 100, attempts: 1, error: null });
    expect(task.result).not.toBeNull();
    const { price = null } = POLICIES.find(({ operationId }) => operationId === type) ?? {};
    const charges: { amount_nano: string; request_id: string }[] = await service.database.query(
      'SELECT amount_nano, request_id FROM ledger_entries WHERE account_id = $1 AND description = $2',
      [world.owner.id, type],
    );
    expect(charges).toHaveLength(price === null ? 0 : 1);
    expect(task.cost * -1e9).toBeCloseTo(Number(charges[0]?.amount_nano ?? 0), 3);
    expect(charges[0]?.request_id ?? task.request_id).toBe(task.request_id);
  });

  /** The documented example, for an agent of the world where it names one. */
  async function parametersOf(world: World, type: TaskType): Promise<Record<string, unknown>> {
    const body = exampleBody(type);
    if (typeof body.agent_id !== 'string') {
      return body;
    }
    const agent = await world.service.call('createAgent', {
      credential: world.owner.key,
      body: exampleBody('createAgent'),
    });
    return { ...body, agent_id: agent.body.data.id };
  }
});

it('a task with a model that nobody serves fails as the operation does, and is free', async () => {
  const service = await TestService.start({ STRICT_MODELS: 'true' });
  try {
    runTasks(service);
    const world = await World.create(service);
    const parameters = { ...exampleBody('createChatCompletion'), model: 'gpt-9' };
    const { id } = await submitTask(world, { task_type: 'createChatCompletion', parameters });
    const submitted = await world.balanceNanoUsd();
    expect(await endedTask(world, id)).toMatchObject({
      status: 'failed',
      cost: 0,
      attempts: 1,
      error: {
        status: 404,
        message: "The model 'gpt-9' does not exist, or not for this operation. GET /v1/models lists all.",
      },
    });
    expect(await world.balanceNanoUsd()).toBe(submitted);
  } finally {
    await service.stop();
  }
});

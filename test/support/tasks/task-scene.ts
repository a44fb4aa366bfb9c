import document from '../../../generated/openapi.json';
import type { operations } from '../../../generated/types';
import { startBackgroundWork } from '../../../src/application';
import { AccountDatabases } from '../../../src/database/account-databases';
import { TaskDispatcher } from '../../../src/modules/tasks/task-attempts';
import { Tasks } from '../../../src/modules/tasks/tasks.repository';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../api/call-as';
import type { ApiAnswer, OperationId, TestService } from '../api/service';
import type { TestAccount, World } from '../api/world';
import { until } from '../until';

type Submission = operations['submitTask']['requestBody']['content']['application/json'];
export type TaskType = Submission['task_type'];
export type SeenTask = ApiAnswer<'getTask'>['body']['data'];

/** The services whose background work runs already. */
const started = new WeakSet<TestService>();

/** Lets the service run tasks, from now on. */
export function runTasks(service: TestService): void {
  if (!started.has(service)) {
    started.add(service);
    startBackgroundWork(service.app, 'all');
  }
}

/** Submits a task that stores a memory, unless told otherwise. */
export async function submitTask(
  world: World,
  task: Partial<Submission> & { parameters?: object } = {},
  account: TestAccount = world.owner,
): Promise<SeenTask> {
  const body = { task_type: 'createMemory', parameters: { key: 'a', value: 'b' }, ...task };
  const answer = await callAs('submitTask', world, { body }, account);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

export async function seeTask(
  world: World,
  id: string,
  account: TestAccount = world.owner,
): Promise<SeenTask> {
  return (await callAs('getTask', world, { params: { task_id: id } }, account)).body.data;
}

/** The id of a task of the owner's that no call has submitted, so that no rate counts it and nothing knows the key. */
export async function taskOf({ service, owner }: World): Promise<string> {
  const order = {
    taskType: 'createMemory',
    parameters: '{}',
    priority: 'normal',
    submission: null,
    requestId: newId(),
  } as const;
  const { id } = await service.app.get(Tasks).submit({ accountId: owner.id, keyId: owner.keyId, ...order });
  return id;
}

/** Tasks of the owner that never run, past the API, so that ten thousand take one statement. */
export async function fillUpTasks(world: World, count: number): Promise<void> {
  const database = world.service.app.get(AccountDatabases).of(world.owner.id);
  await database.query(
    `INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, status, stage, created_at, not_before)
     SELECT gen_random_uuid(), $1, $2, 'createMemory', '{}', 1, 'queued', 'waiting', $3, 'infinity'
     FROM generate_series(1, $4::int)`,
    [world.owner.id, world.owner.keyId, world.service.clock.now(), count],
  );
}

/** The task once it has ended. */
export async function endedTask(
  world: World,
  id: string,
  account: TestAccount = world.owner,
): Promise<SeenTask> {
  let task = await seeTask(world, id, account);
  world.service.app.get(TaskDispatcher).wake();
  await until(`task ${id} has ended`, async () => {
    task = await seeTask(world, id, account);
    return task.finished_at !== null;
  });
  return task;
}

/** The documented example of an operation's body. */
export function exampleBody(operationId: OperationId | TaskType): Record<string, unknown> {
  for (const methods of Object.values(document.paths)) {
    for (const operation of Object.values(methods) as { operationId?: string; requestBody?: Documented }[]) {
      const content = operation.requestBody?.content['application/json'];
      if (operation.operationId === operationId && content) {
        return content.example ?? Object.values(content.examples ?? {})[0]?.value ?? {};
      }
    }
  }
  throw new Error(`the document has no body of ${operationId}`);
}

interface Documented {
  content: Record<
    string,
    {
      example?: Record<string, unknown>;
      examples?: Record<string, { value: Record<string, unknown> }>;
    }
  >;
}

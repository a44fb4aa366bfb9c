import { AccountDatabases } from '../../../src/database/account-databases';
import { Tasks } from '../../../src/modules/tasks/tasks.repository';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { exampleBody, fillUpTasks, submitTask } from '../../support/tasks/task-scene';

const MEMORY = { key: 'a', value: 'b' };
const PRICE_NANO_USD = 500_000n;

describeOperation(
  'submitTask',
  (_, variant) => ({
    body: { task_type: 'createMemory', parameters: { key: `key ${variant}`, value: 'b' } },
  }),
  (status) => {
    status(
      422,
      'refuses parameters that the operation would refuse, and names each of them',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const parameters = { key: 'a', metadata: [], nobodys: 1 };
        const answer = await callAs('submitTask', world, { body: { task_type: 'createMemory', parameters } });
        expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
        expect(answer.body.details.map(({ field }) => field).sort()).toEqual([
          'parameters.metadata',
          'parameters.nobodys',
          'parameters.value',
        ]);
        expect([await tasksOf(world), await world.balanceNanoUsd()]).toEqual([0, before]);
      },
    );

    status(409, 'refuses to pass 10,000 unfinished tasks, also when submissions race', async (world) => {
      await fillUpTasks(world, 9_999);
      const body = { task_type: 'createMemory', parameters: MEMORY };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => callAs('submitTask', world, { body })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409, 409, 409, 409]);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
      await submitTask(world, {}, world.stranger);
      await world.service.app
        .get(AccountDatabases)
        .of(world.owner.id)
        .query(`DELETE FROM tasks WHERE account_id = $1`, [world.owner.id]);
    });

    status(201, 'stores a task that waits, and charges the submission alone', async (world) => {
      const { body, headers } = await callAs('submitTask', world, { body: exampleBody('submitTask') });
      expect(body.data).toEqual({
        ...exampleBody('submitTask'),
        id: body.data.id,
        status: 'queued',
        progress: 0,
        attempts: 0,
        cost: 0,
        error: null,
        request_id: null,
        result: null,
        created_at: world.service.clock.now().toISOString(),
        started_at: null,
        finished_at: null,
        expires_at: null,
      });
      expect(headers['x-request-cost']).toBe('0.0005');
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
    });

    status(201, 'keeps the parameters as they came, without defaults', async (world) => {
      const parameters = { value: 'b', key: 'a', metadata: { é: [1, null] } };
      const task = await submitTask(world, { parameters, priority: 'urgent' });
      expect([JSON.stringify(task.parameters), task.priority]).toEqual([
        JSON.stringify(parameters),
        'urgent',
      ]);
    });

    status(201, 'stores one task where a submission that had died is tried again', async (world) => {
      const order = {
        accountId: world.owner.id,
        keyId: world.owner.keyId,
        taskType: 'createMemory',
        parameters: '{}',
        priority: 'normal',
        submission: newId(),
        requestId: newId(),
      } as const;
      const tasks = world.service.app.get(Tasks);
      const tries = [await tasks.submit(order), await tasks.submit(order)];
      expect(tries[1]).toEqual(tries[0]);
      for (const other of [
        { parameters: '{"key":1}' },
        { taskType: 'search' },
        { priority: 'low' },
      ] as const) {
        await expect(tasks.submit({ ...order, ...other })).rejects.toThrow('was used for another request');
      }
      expect(await tasksOf(world)).toBe(1);
      world.service.clock.advance(24 * 3_600_000);
      expect((await tasks.submit(order)).id).not.toBe(tries[0]?.id);
    });
  },
);

async function tasksOf(world: World): Promise<number> {
  const [row]: { count: number }[] = await world.service.database.query(
    'SELECT count(*)::integer AS count FROM tasks WHERE account_id = $1',
    [world.owner.id],
  );
  return row?.count ?? 0;
}

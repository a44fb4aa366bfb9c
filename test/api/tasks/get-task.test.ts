import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { subscribe } from '../../support/events/subscribe';
import { writtenEvents } from '../../support/events/written-events';
import { endedTask, runTasks, seeTask, submitTask, taskOf } from '../../support/tasks/task-scene';

describeOperation(
  'getTask',
  async (world) => ({ params: { task_id: await taskOf(world) } }),
  (status) => {
    status(200, 'shows a task as it waits, free of charge', async (world) => {
      const task = await submitTask(world);
      const before = await world.balanceNanoUsd();
      expect(await seeTask(world, task.id)).toEqual(task);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'shows what became of it: the whole answer, its cost and its receipt', async (world) => {
      runTasks(world.service);
      const { id } = await submitTask(world, { parameters: { key: 'lang', value: 'French' } });
      const task = await endedTask(world, id);
      const at = world.service.clock.now();
      expect(task).toMatchObject({
        status: 'succeeded',
        progress: 100,
        attempts: 1,
        cost: 0.0001,
        error: null,
        result: {
          data: { key: 'lang', value: 'French' },
          metadata: { cost: 0.0001, request_id: task.request_id },
        },
        started_at: at.toISOString(),
        finished_at: at.toISOString(),
        expires_at: new Date(at.getTime() + 30 * 24 * 3_600_000).toISOString(),
      });
      for (const known of [String(task.request_id), `task-${id}`]) {
        const receipt = await callAs('getRequestReceipt', world, { params: { request_id: known } });
        expect(receipt.body).toMatchObject({ request_id: task.request_id, charged: 0.0001 });
      }
    });

    status(200, 'shows the request that the change of the balance names as a task', async (world) => {
      const { database } = world.service;
      await subscribe(database, world.owner.id, { events: ['balance.updated'] });
      runTasks(world.service);
      const { id } = await submitTask(world);
      const { request_id } = await endedTask(world, id);
      const told = (await writtenEvents(database, world.owner.id)).map(({ data }) => data.metadata);
      expect(told).toEqual([
        { cause: 'call', request_id: expect.not.stringMatching(String(request_id)) },
        { cause: 'task', request_id },
      ]);
    });

    status(200, 'shows why it failed, and that this cost nothing', async (world) => {
      runTasks(world.service);
      const parameters = { agent_id: 'nobodys', messages: [{ role: 'user', content: 'Hello' }] };
      const { id } = await submitTask(world, { task_type: 'chatWithAgent', parameters });
      const before = await world.balanceNanoUsd();
      const task = await endedTask(world, id);
      expect(task).toMatchObject({ status: 'failed', progress: 100, cost: 0, result: null });
      expect(task.error).toEqual({ status: 404, error: 'Not Found', message: 'No such agent.' });
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);

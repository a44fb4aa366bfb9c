import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { endedTask, runTasks, seeTask, submitTask, taskOf } from '../../support/tasks/task-scene';

describeOperation(
  'cancelTask',
  async (world) => ({ params: { task_id: await taskOf(world) } }),
  (status) => {
    status(409, 'refuses a task that was cancelled before, and changes nothing', async (world) => {
      const { id } = await submitTask(world);
      await callAs('cancelTask', world, { params: { task_id: id } });
      const cancelled = await seeTask(world, id);
      const again = await callAs('cancelTask', world, { params: { task_id: id } });
      expect([again.status, again.body.error]).toEqual([409, 'Conflict']);
      expect(await seeTask(world, id)).toEqual(cancelled);
    });

    status(409, 'refuses a task that has succeeded', async (world) => {
      // By a replica that is stopped again: the tasks of all other tests here have to wait.
      const replica = await world.service.startReplica();
      runTasks(replica);
      const { id } = await submitTask(world);
      const task = await endedTask(world, id);
      await replica.stop();
      expect((await callAs('cancelTask', world, { params: { task_id: id } })).status).toBe(409);
      expect(await seeTask(world, id)).toEqual(task);
    });

    status(
      200,
      'ends a task that waits at once; its submission stays charged, its run is not',
      async (world) => {
        const { id } = await submitTask(world);
        const before = await world.balanceNanoUsd();
        const { body } = await callAs('cancelTask', world, { params: { task_id: id } });
        expect(body.data).toMatchObject({
          id,
          status: 'cancelled',
          progress: 100,
          attempts: 0,
          cost: 0,
          started_at: null,
          finished_at: world.service.clock.now().toISOString(),
        });
        expect(await world.balanceNanoUsd()).toBe(before);
      },
    );
  },
);

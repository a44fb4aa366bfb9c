import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { endedTask, runTasks, submitTask } from '../../support/tasks/task-scene';

const DAY_MS = 24 * 3_600_000;

describeOperation(
  'listTasks',
  () => ({}),
  (status) => {
    status(
      200,
      'lists the tasks of the account alone, the newest first, without their texts',
      async (world) => {
        const { parameters, result, ...first } = await submitTask(world);
        expect([parameters, result]).toEqual([{ key: 'a', value: 'b' }, null]);
        const { id } = await submitTask(world, { priority: 'high' });
        await submitTask(world, {}, world.stranger);
        const { body } = await callAs('listTasks', world, {});
        expect(body.data).toEqual({
          tasks: [expect.objectContaining({ id }), first],
          total: 2,
          limit: 20,
          offset: 0,
        });
      },
    );

    status(200, 'filters by status, priority, type and time of submission', async (world) => {
      const old = await submitTask(world, { priority: 'low' });
      world.service.clock.advance(DAY_MS);
      const urgent = await submitTask(world, { priority: 'urgent' });
      const search = await submitTask(world, { task_type: 'searchMemories', parameters: { query: 'a' } });
      const ids = async (query: object) => (await listed(world, query)).map(({ id }) => id);
      expect(await ids({ priority: 'low' })).toEqual([old.id]);
      expect(await ids({ task_type: 'searchMemories' })).toEqual([search.id]);
      expect(await ids({ start_date: urgent.created_at })).toEqual([search.id, urgent.id]);
      expect(await ids({ end_date: urgent.created_at })).toEqual([old.id]);
      expect(await ids({ status: 'queued' })).toHaveLength(3);
      expect(await ids({ status: 'running' })).toEqual([]);
    });

    status(200, 'orders by priority and by end, what has not ended last, and cuts pages', async (world) => {
      runTasks(world.service);
      const { id: ended } = await submitTask(world, { priority: 'low' });
      await endedTask(world, ended);
      await world.service.database.query(
        `INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, status, stage, created_at, not_before)
         SELECT gen_random_uuid(), $1, $2, 'createMemory', '{}', place, 'queued', 'waiting', $3, 'infinity'
         FROM unnest('{1,3,2}'::int[]) AS place`,
        [world.owner.id, world.owner.keyId, world.service.clock.now()],
      );
      const priorities = async (query: object) =>
        (await listed(world, query)).map(({ priority }) => priority);
      expect(await priorities({ sort: 'priority' })).toEqual(['urgent', 'high', 'normal', 'low']);
      expect(await priorities({ sort: 'priority', order: 'asc', limit: 2, offset: 1 })).toEqual([
        'normal',
        'high',
      ]);
      expect((await listed(world, { sort: 'finished_at' }))[0]?.id).toBe(ended);
      expect((await listed(world, { sort: 'finished_at', order: 'asc' }))[0]?.id).toBe(ended);
    });
  },
);

async function listed(world: World, query: object) {
  const { body } = await callAs('listTasks', world, { query: { ...query } });
  return body.data.tasks;
}

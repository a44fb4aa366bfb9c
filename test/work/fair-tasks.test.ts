import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { runTasks, submitTask } from '../support/tasks/task-scene';
import { until } from '../support/until';

const MANY = depth('TASKS_OF_ONE_ACCOUNT', { short: 150, deep: 2_000 });
const FEW = 10;

it('ends the ten tasks of one account within a fifth of those that another submitted before', async () => {
  const service = await TestService.start();
  const world = await World.create(service);
  // Past the API, because only the runs matter.
  await service.database.query(
    `INSERT INTO tasks (id, account_id, key_id, task_type, parameters, priority, status, stage, created_at)
     SELECT gen_random_uuid(), $1, $2, 'createMemory', json_build_object('key', n::text, 'value', 'b')::text, 3, 'queued',
       'waiting', $3 FROM generate_series(1, $4::int) AS n`,
    [world.owner.id, world.owner.keyId, service.clock.now(), MANY],
  );
  for (let task = 0; task < FEW; task += 1) {
    await submitTask(world, { priority: 'low' }, world.stranger);
  }
  const endedOf = async (accountId: string) => {
    const [row]: { count: number }[] = await service.database.query(
      `SELECT count(*)::integer AS count FROM tasks WHERE account_id = $1 AND status = 'succeeded'`,
      [accountId],
    );
    return row?.count ?? 0;
  };
  runTasks(service);
  await until('the ten have ended', async () => (await endedOf(world.stranger.id)) === FEW);
  expect(await endedOf(world.owner.id)).toBeLessThanOrEqual(MANY / 5);
  await until('all have ended', async () => (await endedOf(world.owner.id)) === MANY);
  const charges: unknown[] = await service.database.query(
    `SELECT FROM ledger_entries WHERE account_id = $1 AND description = 'createMemory'`,
    [world.owner.id],
  );
  expect(charges).toHaveLength(MANY);
  expect(await ledgerFaults(service.database)).toEqual([]);
  const { body } = await callAs('listTasks', world, { query: { status: 'succeeded' } });
  expect(body.data.total).toBe(MANY);
  await service.stop();
});

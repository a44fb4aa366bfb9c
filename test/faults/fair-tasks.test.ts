import { TestService } from '../support/api/service';
import { World, type TestAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { faultsInTasks } from '../support/tasks/task-faults';
import { runTasks, submitTask } from '../support/tasks/task-scene';
import { chatParameters, TaskUpstream } from '../support/tasks/task-upstream';
import { until } from '../support/until';

const MANY = depth('FAIR_TASKS', { short: 200, deep: 2_000 });
const FEW = depth('FAIR_FEW_TASKS', { short: 4, deep: 10 });
const AT_ONCE = 20;
const SLOW = 40;
const QUICK = 40;

describe('tasks of several accounts', () => {
  let upstream: TaskUpstream;
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    upstream = await TaskUpstream.start();
    service = await TestService.start(upstream.environment);
    world = await World.create(service);
  });
  afterAll(async () => {
    upstream.letGo();
    await service.stop();
    await upstream.stop();
  });

  async function submit(account: TestAccount, many: number, slow = false): Promise<void> {
    const task = slow
      ? ({ task_type: 'createChatCompletion', parameters: chatParameters('when let go') } as const)
      : {};
    for (let left = many; left > 0; left -= AT_ONCE) {
      const some = Array.from({ length: Math.min(left, AT_ONCE) }, () => submitTask(world, task, account));
      await Promise.all(some);
    }
  }

  async function ended(account: TestAccount): Promise<number> {
    const [row]: { count: number }[] = await service.database.query(
      `SELECT count(*)::integer AS count FROM tasks WHERE account_id = $1 AND status = 'succeeded'`,
      [account.id],
    );
    return row?.count ?? 0;
  }

  it('do not wait for the thousands that another has submitted before', async () => {
    const [busy, late] = [world.owner, world.stranger];
    await submit(busy, MANY);
    runTasks(service);
    await until('the busy account is served', async () => (await ended(busy)) > 0);
    const before = await ended(busy);
    await submit(late, FEW);
    await until('the late ones have ended', async () => (await ended(late)) === FEW);
    const meanwhile = (await ended(busy)) - before;
    await until('all have ended', async () => (await ended(busy)) === MANY);
    process.stdout.write(
      `\n${FEW} tasks beside ${MANY} of another account: ${meanwhile} of those ended meanwhile\n`,
    );
    // What ended while the few were under way says which part of the whole time they took.
    expect(meanwhile).toBeLessThanOrEqual(MANY / 5);
  });

  it("are not held up by another's slow ones", async () => {
    const { owner: slow, stranger: quick } = await World.create(service);
    runTasks(service);
    await submit(slow, SLOW, true);
    await until('slow ones run', () => upstream.raw.calls.length > 0);
    await submit(quick, QUICK);
    await until('the quick ones have ended', async () => (await ended(quick)) === QUICK);
    expect(await ended(slow)).toBe(0);
    upstream.letGo();
    await until('the slow ones have ended', async () => (await ended(slow)) === SLOW);
    expect(await faultsInTasks(service.database)).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
});

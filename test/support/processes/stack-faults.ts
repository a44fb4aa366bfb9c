import type { TestAccount } from '../api/world';
import { createAccount, World } from '../api/world';
import { subscribe } from '../events/subscribe';
import { deliveredEvents, waitingEvents } from '../events/delivered-events';
import { depth } from '../jest/depth';
import { loadAccounts } from '../ledger/load-accounts';
import { PaidLoad } from '../ledger/paid-load';
import { EventReceiver } from '../receiver/event-receiver';
import { SeededRandom } from '../seeded-random';
import { count, expectTasksEndedOnce, UNFINISHED_TASKS } from '../tasks/killed-tasks';
import { TaskLoad } from '../tasks/task-load';
import { submitTask, seeTask } from '../tasks/task-scene';
import { TaskWatch } from '../tasks/task-watch';
import { until } from '../until';
import { endLoad } from './end-load';
import type { TestStack } from './test-stack';

const CLIENTS = 12;
const CLIENTS_MEANWHILE = 3;
const KILLS = depth('REPLICA_KILLS', { short: 1, deep: 8 });
/** The tasks of a killed worker are begun anew by others after half a minute, which npm test has no time for. */
const WORKER_KILLS = depth('REPLICA_WORKER_KILLS', { short: 0, deep: KILLS });
const OUTAGES = depth('REDIS_OUTAGES', { short: 1, deep: 8 });
/** So many calls are served before and after each fault. */
const CALLS_BETWEEN = 60;
const UNFINISHED_MAX = 40;
const ENDED_WITHIN_MS = 240_000;
/** Nobody may see another one while only Redis is away. */
const STATUSES_OF_ORDERS = [200, 201, 400, 402, 409];

/** What a stack promises under load while its Redis goes away, and while its processes are killed. */
export function itLosesNothing(stack: () => TestStack): void {
  const random = new SeededRandom();
  let receiver: EventReceiver;
  let accounts: TestAccount[];
  beforeAll(async () => {
    receiver = await EventReceiver.start();
    const { service } = stack();
    accounts = await loadAccounts(service);
    await Promise.all(
      accounts
        .filter((_, index) => index % 2 === 0)
        .map(({ id }) => subscribe(service.database, id, { events: ['*'], url: receiver.url })),
    );
  });
  afterAll(async () => receiver.stop());

  const newLoad = (name: string) =>
    new PaidLoad({ name: `${name}-${random.seed}`, accounts, random, servers: () => [stack().server] });

  async function serveMore(load: PaidLoad): Promise<void> {
    const before = load.servedCalls;
    await until('calls are paid', () => load.servedCalls >= before + CALLS_BETWEEN);
  }

  async function expectAllDelivered(): Promise<void> {
    const { service } = stack();
    const isDelivered = async () => (await waitingEvents(service)) === 0;
    await until('nothing waits any more', isDelivered, ENDED_WITHIN_MS);
    const { entries, told, missing, unknown } = await deliveredEvents(service, receiver);
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
    expect(told).toEqual(entries);
    expect(entries.length).toBeGreaterThan(0);
  }

  it('while Redis is away: calls are answered as before, events and tasks wait for it', async () => {
    const { redis, service } = stack();
    const load = newLoad('without-redis');
    load.keepCalling(CLIENTS);
    await serveMore(load);
    for (let outage = 0; outage < OUTAGES; outage += 1) {
      await redis.kill();
      await serveMore(load);
      const world = await World.create(service);
      const { id } = await submitTask(world);
      await serveMore(load);
      expect(await seeTask(world, id)).toMatchObject({ status: 'queued', attempts: 0 });
      await redis.startAgain();
      await until(
        'the task has run',
        async () => (await seeTask(world, id)).status === 'succeeded',
        ENDED_WITHIN_MS,
      );
      await serveMore(load);
    }
    const title = `${OUTAGES} outages of Redis, ${CLIENTS} clients through the proxy, seed ${random.seed}`;
    expect(await endLoad({ load, service, statusesAllowed: STATUSES_OF_ORDERS, title })).toEqual([]);
    await expectAllDelivered();
  }, 1_800_000);

  it('while replicas and workers are killed: only calls in flight break, and all is told and done once', async () => {
    const { service, server } = stack();
    const load = newLoad('killed-replicas');
    const submitters = await Promise.all(
      Array.from({ length: 4 }, () => createAccount(service, { creditUsd: '1000' })),
    );
    const unfinished = () => count(service, UNFINISHED_TASKS);
    const tasks = new TaskLoad({
      accounts: submitters,
      random,
      server: () => server,
      unfinished,
      unfinishedMax: UNFINISHED_MAX,
    });
    const watch = new TaskWatch(submitters, () => server);
    load.keepCalling(CLIENTS);
    tasks.start();
    watch.start();
    let inFlight = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await serveMore(load);
      inFlight += load.inFlight;
      const next = stack().killAndAwaitNext(`api-${random.between(1, 3)}`);
      // Under the full load the start of a process takes minutes on a slow machine.
      load.keepCalling(CLIENTS_MEANWHILE);
      await next;
      if (kill < WORKER_KILLS) {
        await stack().killAndAwaitNext(`worker-${random.between(1, 2)}`);
      }
      load.keepCalling(CLIENTS);
    }
    await serveMore(load);
    await tasks.stop();
    await until('all tasks have ended', async () => (await unfinished()) === 0, ENDED_WITHIN_MS);
    await watch.stop();
    await watch.lookAtAll();
    const title = `${KILLS} replicas and ${WORKER_KILLS} workers killed behind the proxy, seed ${random.seed}`;
    const statusesAllowed = [...STATUSES_OF_ORDERS, null];
    expect(await endLoad({ load, service, statusesAllowed, title })).toEqual([]);
    const broken = load.calls.filter(({ status }) => status === null || status >= 500);
    expect(broken.length).toBeLessThanOrEqual(inFlight);
    await expectTasksEndedOnce(service, tasks, watch);
    await expectAllDelivered();
  }, 1_800_000);
}

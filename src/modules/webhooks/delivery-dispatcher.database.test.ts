import { randomUUID } from 'node:crypto';
import { DeliveryWorld, type DeliveryRow } from '../../../test/support/events/delivery-world';
import { until } from '../../../test/support/until';
import type { AttemptOrder } from './delivery-attempts.repository';

let world: DeliveryWorld;
let accountId: string;

beforeAll(async () => {
  world = await DeliveryWorld.open();
});

beforeEach(async () => {
  await world.empty();
  accountId = world.databases.newAccountId();
});

afterAll(() => world.close());

/** Puts due deliveries of an account in place, each with an event of its own, without the fan-out. */
async function addDue(count: number, account: string, receiver: string): Promise<string> {
  const webhookId = await world.addWebhook({ accountId: account, receiver });
  await world.databases.of(account).query(
    `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
       attempts_max, next_attempt_at, scheduled_at, occurred_at, created_at)
     SELECT gen_random_uuid(), $1, $2, gen_random_uuid(), 'key.revoked', 'https://' || $3, $3, 'due', 'pending', 8,
       $4, $4, $4, $4 FROM generate_series(1, $5)`,
    [account, webhookId, receiver, world.clock.now(), count],
  );
  return webhookId;
}

async function byIds(jobs: AttemptOrder[]): Promise<DeliveryRow[]> {
  const ids = new Set(jobs.map(({ deliveryId }) => deliveryId));
  return (await world.deliveries()).filter(({ id }) => ids.has(id));
}

describe('a round that finds another under way', () => {
  it('looks at nothing and does not wait', async () => {
    await addDue(1, accountId, 'one.example');
    await world.database.transaction(async (other) => {
      await other.query(`SELECT pg_advisory_xact_lock(hashtextextended('deliveries_hand_over', 0))`);
      expect(await world.dispatcher.claim(null)).toMatchObject({
        items: [],
        isBusy: true,
        areKeptBack: true,
      });
    });
    expect(await world.dispatcher.claim(null)).toMatchObject({ items: [{ attempt: 1 }], isBusy: false });
  });
});

describe('the fan-out', () => {
  it('makes one delivery for each active webhook of the account that subscribes to the type', async () => {
    const wanted = [
      await world.addWebhook({ accountId, events: ['*'] }),
      await world.addWebhook({ accountId, events: ['balance.low', 'key.revoked'] }),
    ];
    await world.addWebhook({ accountId, events: ['balance.low'] });
    await world.addWebhook({ accountId, events: ['*'], isActive: false });
    await world.addWebhook({ accountId: world.databases.newAccountId(), events: ['*'] });
    await world.write(accountId, 'key.revoked');
    await world.dispatcher.run();
    const deliveries = await world.deliveries();
    expect(deliveries.map(({ webhook_id: id }) => id).sort()).toEqual(wanted.sort());
    expect(deliveries.every(({ stage, status }) => stage === 'handed' && status === 'pending')).toBe(true);
    await world.dispatcher.run();
    expect(await world.deliveries()).toHaveLength(2);
  });

  it('leaves an event for one webhook alone to whoever wrote its delivery', async () => {
    const webhookId = await world.addWebhook({ accountId });
    await world.database.query(
      `INSERT INTO events (id, account_id, event_type, data, webhook_id, occurred_at)
       VALUES ($1, $2, 'key.revoked', '{}', $3, $4)`,
      [randomUUID(), accountId, webhookId, world.clock.now()],
    );
    await world.dispatcher.run();
    expect(await world.deliveries()).toHaveLength(0);
    expect(await world.database.query('SELECT FROM events WHERE relayed_at IS NULL')).toHaveLength(0);
  });

  it('takes all events of all accounts, of none more than fifty in a round', async () => {
    // Without a number they are all in the first schema.
    accountId = randomUUID();
    const others = Array.from({ length: 120 }, () => randomUUID());
    await addEvents(accountId, 180);
    for (const other of others) {
      await addEvents(other, 1);
    }
    const first = await world.dispatcher.fanOut(world.databases.all[0], null);
    expect(first).toMatchObject({ is_more: true });
    const relayed = await world.database.query<{ account_id: string; events: number }[]>(
      'SELECT account_id, count(*)::integer AS events FROM events WHERE relayed_at IS NOT NULL GROUP BY 1',
    );
    expect(relayed).toHaveLength(100);
    expect(relayed.filter(({ account_id: id }) => id !== accountId).every(({ events }) => events === 1)).toBe(
      true,
    );
    await world.dispatcher.run();
    expect(await world.database.query('SELECT FROM events WHERE relayed_at IS NULL')).toHaveLength(0);
  });

  it('makes fifty deliveries of an account in a round at most, however many webhooks it has, and in the end all', async () => {
    await Promise.all(Array.from({ length: 20 }, () => world.addWebhook({ accountId })));
    await addEvents(accountId, 5);
    const first = await world.dispatcher.fanOut(world.databases.of(accountId), null);
    expect(first).toMatchObject({ deliveries_made: 40, is_more: true });
    await world.dispatcher.run();
    expect(await world.deliveries()).toHaveLength(100);
  });

  it('runs on two replicas at once without making a delivery twice', async () => {
    await world.addWebhook({ accountId });
    await addEvents(accountId, 300);
    const database = world.databases.of(accountId);
    const rounds = Array.from({ length: 12 }, () => world.dispatcher.fanOut(database, null));
    await Promise.all(rounds);
    await world.dispatcher.run();
    const events = (await world.deliveries()).map(({ event_id: id }) => id);
    expect([events.length, new Set(events).size]).toEqual([300, 300]);
  });
});

describe('a claim', () => {
  it('makes no more due than a round may, also where Postgres would look for them once for each row', async () => {
    await addDue(5, accountId, 'one.example');
    await world.databases.of(accountId).transaction(async (manager) => {
      await manager.query(`UPDATE deliveries SET stage = 'later'`);
      for (const way of ['hashjoin', 'mergejoin', 'material', 'hashagg', 'sort', 'indexscan', 'bitmapscan']) {
        await manager.query(`SET LOCAL enable_${way} = off`);
      }
      const round = 'SELECT is_more FROM deliveries_hand_over($1, 10, NULL, NULL, 500, 2, 20, 10, 1000, 100)';
      expect(await manager.query(round, [world.clock.now()])).toEqual([{ is_more: true }]);
      expect(await manager.query(`SELECT FROM deliveries WHERE stage = 'later'`)).toHaveLength(3);
    });
  });

  it('hands the deliveries of 49 accounts at once beside one that has 10,000 due', async () => {
    await addDue(10_000, accountId, 'busy.example:443');
    const others = Array.from({ length: 49 }, () => world.databases.newAccountId());
    for (const [index, other] of others.entries()) {
      await addDue(1, other, `receiver${index}.example:443`);
    }
    await world.dispatcher.run();
    const handed = await byIds(world.queues.take());
    const ofOthers = handed.filter(({ account_id: id }) => id !== accountId);
    expect(new Set(ofOthers.map(({ account_id: id }) => id))).toEqual(new Set(others));
    expect(handed.length - ofOthers.length).toBe(10);
  });

  it('hands the first of every account of a schema before the second of any', async () => {
    accountId = randomUUID();
    await addDue(50, accountId, 'busy.example:443');
    const other = randomUUID();
    await addDue(2, other, 'quiet.example:443');
    await world.dispatcher.run();
    const jobs = world.queues.take();
    const rows = new Map((await byIds(jobs)).map((row) => [row.id, row.account_id]));
    const order = jobs.map(({ deliveryId }) => rows.get(deliveryId));
    expect(order.slice(0, 4).filter((id) => id === other)).toHaveLength(2);
  });

  it('has at most 20 of a receiver in hand, shared among its accounts', async () => {
    const accounts = [world.databases.newAccountId(), world.databases.newAccountId()];
    for (const account of accounts) {
      await addDue(40, account, 'shared.example:443');
    }
    await world.dispatcher.run();
    await world.dispatcher.run();
    const handed = await byIds(world.queues.take());
    expect(accounts.map((id) => handed.filter((row) => row.account_id === id).length)).toEqual([10, 10]);
  });

  it('has at most 10 of an account in hand in a lane, so that its slow receiver does not hold up the others', async () => {
    await world.databases
      .of(accountId)
      .query(`INSERT INTO slow_receivers VALUES ('dead.example:443', now())`);
    await addDue(30, accountId, 'dead.example:443');
    await addDue(15, accountId, 'one.example:443');
    await addDue(15, accountId, 'two.example:443');
    await world.dispatcher.run();
    expect([world.queues.fast.length, world.queues.slow.length]).toEqual([10, 10]);
  });

  it('has no more in hand than its lanes hold, and goes on when an attempt has ended', async () => {
    for (let receiver = 0; receiver < 12; receiver += 1) {
      await addDue(20, world.databases.newAccountId(), `dead${receiver}.example:443`);
    }
    await world.databases.inEach((database) =>
      database.query('INSERT INTO slow_receivers SELECT DISTINCT receiver, now() FROM deliveries'),
    );
    await world.dispatcher.run();
    expect(world.queues.slow).toHaveLength(100);
    await world.database.query(`UPDATE deliveries SET stage = 'over' WHERE id = $1`, [
      world.queues.slow[0]?.deliveryId,
    ]);
    await world.dispatcher.run();
    expect(world.queues.slow).toHaveLength(101);
    world.register.workers = 2;
    await world.dispatcher.run();
    world.register.workers = 1;
    // Ten for each of the twelve accounts, and the one that has ended.
    expect(world.queues.slow).toHaveLength(121);
  });

  it('looks at all pairs of receiver and account, however many', async () => {
    const webhookId = await world.addWebhook({ accountId });
    await world.databases.of(accountId).query(
      `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
         attempts_max, next_attempt_at, occurred_at, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, gen_random_uuid(), 'key.revoked', '', 'r' || n, 'due',
         'pending', 8, $2, $2, $2 FROM generate_series(1, 900) AS n`,
      [webhookId, world.clock.now()],
    );
    await world.dispatcher.run();
    expect(world.queues.fast).toHaveLength(900);
  });

  it('ends a run when nothing may be handed, however many pairs have something due', async () => {
    const webhookId = await world.addWebhook({ accountId });
    await world.databases.of(accountId).query(
      `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
         attempts_max, next_attempt_at, occurred_at, created_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, gen_random_uuid(), 'key.revoked', '', 'shared', 'due',
         'pending', 8, $2, $2, $2 FROM generate_series(1, 1100)`,
      [webhookId, world.clock.now()],
    );
    await world.dispatcher.run();
    expect(world.queues.fast).toHaveLength(20);
    const rounds = jest.spyOn(world.dispatcher, 'claim');
    await world.dispatcher.run();
    expect(rounds.mock.calls.length).toBeLessThanOrEqual(6);
    rounds.mockRestore();
    expect(world.queues.fast).toHaveLength(20);
  });

  it('hands each delivery once where two dispatchers run at once', async () => {
    for (let account = 0; account < 15; account += 1) {
      await addDue(10, world.databases.newAccountId(), `receiver${account}.example:443`);
    }
    const rounds = await Promise.all(Array.from({ length: 6 }, () => world.dispatcher.claim(null)));
    // A schema that each found busy is left to the next round.
    rounds.push(await world.dispatcher.claim(null));
    const ids = rounds.flatMap(({ items }) => items.map(({ id }) => id));
    expect([ids.length, new Set(ids).size]).toEqual([150, 150]);
  });

  it('hands again what has not ended when its lease is over', async () => {
    await addDue(1, accountId, 'receiver.example:443');
    await world.dispatcher.run();
    const [lost] = world.queues.take();
    world.clock.advance(9_999);
    await world.dispatcher.run();
    expect(world.queues.take()).toEqual([]);
    world.clock.advance(1);
    await world.dispatcher.run();
    expect(world.queues.take()).toEqual([lost]);
  });

  it('hands again what a dead worker had begun when the clock was set back since, after a lease', async () => {
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    const [lost] = world.queues.take();
    await world.database.query(
      `UPDATE deliveries SET claimed_until = handed_until - interval '3 seconds' WHERE stage = 'handed'`,
    );
    world.clock.advance(-3_600_000);
    await world.dispatcher.run();
    world.clock.advance(9_999);
    await world.dispatcher.run();
    expect(world.queues.take()).toEqual([]);
    world.clock.advance(1);
    await world.deliver();
    expect(world.receiver.posts).toHaveLength(1);
    expect(await world.delivery()).toMatchObject({ id: lost?.deliveryId, status: 'success' });
  });

  it('puts no more jobs in a queue that nobody works off, until somebody does', async () => {
    await addDue(1, accountId, 'receiver.example:443');
    await world.dispatcher.run();
    world.queues.isFull = true;
    const jobs: number[] = [];
    for (let lease = 0; lease < 3; lease += 1) {
      world.clock.advance(10_000);
      await world.dispatcher.run();
      jobs.push(world.queues.fast.length);
    }
    expect(jobs).toEqual([2, 2, 2]);
    world.queues.isFull = false;
    await world.dispatcher.run();
    expect(world.queues.fast).toHaveLength(3);
  });

  it('makes due again what the queue does not take', async () => {
    await addDue(3, accountId, 'receiver.example:443');
    world.queues.fault = new Error('the queue is away');
    await expect(world.dispatcher.run()).rejects.toThrow('the queue is away');
    expect((await world.deliveries()).map(({ stage }) => stage)).toEqual(['due', 'due', 'due']);
    world.queues.fault = null;
    await world.dispatcher.run();
    expect(world.queues.take()).toHaveLength(3);
  });
});

describe('a dispatcher that is started', () => {
  it('is woken by the event itself, by the time of a retry, and by attempts that end, until it is stopped', async () => {
    await world.addWebhook({ accountId });
    await world.register.work();
    world.dispatcher.start();
    await world.write(accountId);
    await until('the delivery is handed', () => world.queues.fast.length === 1);
    world.queues.take();
    await addDue(25, world.databases.newAccountId(), 'another.example:443');
    world.dispatcher.wake();
    await until('as many as allowed are handed', () => world.queues.fast.length === 10);
    const [ended] = world.queues.take();
    await world.database.query(`UPDATE deliveries SET stage = 'over' WHERE id = $1`, [ended?.deliveryId]);
    world.dispatcher.wake();
    await until('another is handed', () => world.queues.fast.length === 1);
    await world.dispatcher.stop();
    await world.write(accountId);
    world.dispatcher.wake();
    expect(await world.database.query('SELECT FROM events WHERE relayed_at IS NULL')).toHaveLength(1);
  });
});

async function addEvents(account: string, count: number): Promise<void> {
  await world.databases.of(account).query(
    `INSERT INTO events (id, account_id, event_type, data, occurred_at)
     SELECT gen_random_uuid(), $1, 'key.revoked', '{}', $2 FROM generate_series(1, $3)`,
    [account, world.clock.now(), count],
  );
}

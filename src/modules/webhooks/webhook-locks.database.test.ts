import type { QueryRunner } from 'typeorm';
import { DeliveryWorld } from '../../../test/support/events/delivery-world';
import { until } from '../../../test/support/until';

let world: DeliveryWorld;
let webhookId: string;
let accountId: string;

beforeAll(async () => {
  world = await DeliveryWorld.open();
});

beforeEach(async () => {
  await world.empty();
  accountId = world.databases.newAccountId();
  webhookId = await world.addWebhook({ accountId });
  await world.write(accountId);
  await world.dispatcher.run();
});

afterAll(() => world.close());

// The owner's changes lock the webhook first. An attempt that ends meanwhile must not hold what they need next.
describe('an attempt that ends while the owner changes its webhook', () => {
  it('waits for a change that moves the waiting deliveries', async () => {
    await duringAChange(async (runner) => {
      await runner.query(`UPDATE webhooks SET receiver = 'new.example:443' WHERE id = $1`, [webhookId]);
      await runner.query(`UPDATE deliveries SET receiver = 'new.example:443' WHERE webhook_id = $1`, [
        webhookId,
      ]);
    });
    const moved = { url: 'https://receiver.example:443/', receiver: 'new.example:443' };
    expect(await world.delivery()).toMatchObject({ status: 'success', attempt_count: 1, ...moved });
  });

  it('waits for a retry that looks at its delivery', async () => {
    await duringAChange(
      (runner) => runner.query('SELECT FROM deliveries WHERE webhook_id = $1 FOR NO KEY UPDATE', [webhookId]),
      'SHARE',
    );
    expect(await world.delivery()).toMatchObject({ status: 'success', attempt_count: 1 });
  });

  it('waits for the removal of the webhook, and then has nothing to write', async () => {
    await duringAChange((runner) => runner.query('DELETE FROM webhooks WHERE id = $1', [webhookId]));
    expect(await world.deliveries()).toEqual([]);
  });
});

describe('an attempt of a delivery that is locked', () => {
  it.each([
    ['its account is disabled', () => world.setActive(accountId, false)],
    ['its webhook is off', () => world.database.query('UPDATE webhooks SET is_active = false')],
  ])('waits for nobody where %s', async (_, change) => {
    await change();
    const runner = world.databases.of(accountId).createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT FROM deliveries WHERE webhook_id = $1 FOR NO KEY UPDATE', [webhookId]);
    const attempts = Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    const waits = until('the attempt waits', isAnyoneWaiting).then(
      () => 'waits',
      () => 'does not wait',
    );
    const first = await Promise.race([attempts.then(() => 'does not wait'), waits]);
    await runner.rollbackTransaction();
    await runner.release();
    await attempts;
    expect(first).toBe('does not wait');
    expect(await world.delivery()).toMatchObject({ stage: 'handed', status: 'pending' });
  });
});

/** Locks the webhook, lets the attempt end, and only when that waits for a lock makes the change. */
async function duringAChange(change: (runner: QueryRunner) => Promise<unknown>, lock = 'NO KEY UPDATE') {
  const runner = world.databases.of(accountId).createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query(`SELECT FROM webhooks WHERE id = $1 FOR ${lock}`, [webhookId]);
    const attempts = Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    await until('the attempt waits for the change', isAnyoneWaiting);
    await change(runner);
    await runner.commitTransaction();
    await attempts;
  } finally {
    await runner.release();
  }
}

async function isAnyoneWaiting(): Promise<boolean> {
  const waiting: unknown[] = await world.database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return waiting.length > 0;
}

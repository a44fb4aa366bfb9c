import { randomUUID } from 'node:crypto';
import { DeliveryWorld } from '../../../test/support/events/delivery-world';
import { answer } from '../../../test/support/events/scripted-receiver';
import { OutboundFault } from '../../http/outbound/outbound-connection';

const DAY_MS = 86_400_000;
let world: DeliveryWorld;
let accountId: string;

beforeAll(async () => {
  world = await DeliveryWorld.open();
});

beforeEach(async () => {
  await world.empty();
  accountId = world.databases.newAccountId();
});

afterEach(() => jest.restoreAllMocks());

afterAll(() => world.close());

/** Writes an event and delivers. */
async function deliverOne(status: number): Promise<void> {
  world.receiver.reaction = () => answer(status);
  await world.write(accountId);
  await world.deliver();
}

describe('a webhook that fails', () => {
  it('is switched off after five days without one success, and says why', async () => {
    const id = await world.addWebhook({ accountId });
    const other = await world.addWebhook({ accountId: world.databases.newAccountId() });
    await deliverOne(500);
    const failingSince = world.clock.now();
    expect(await world.webhook(id)).toMatchObject({ failing_since: failingSince, is_active: true });
    world.clock.advance(5 * DAY_MS - 1);
    await deliverOne(500);
    expect(await world.webhook(id)).toMatchObject({ failing_since: failingSince, is_active: true });
    await world.write(accountId);
    await world.dispatcher.run();
    world.clock.advance(1);
    await deliverOne(500);
    expect(await world.webhook(id)).toMatchObject({ is_active: false });
    expect((await world.webhook(id)).disabled_reason).toMatch(/switched off because .* 5 days/);
    expect(await world.webhook(other)).toMatchObject({ is_active: true });
    expect((await world.deliveries()).map(({ stage, status }) => ({ stage, status }))).toEqual(
      (await world.deliveries()).map(() => ({ stage: 'over', status: 'failed' })),
    );
    expect(await world.write(accountId)).toBe(false);
  });

  it('ends what waits with its switching off', async () => {
    await world.addWebhook({ accountId });
    await deliverOne(500);
    const later = new Date(world.clock.now().getTime() + 6 * DAY_MS);
    await world.database.query('UPDATE deliveries SET next_attempt_at = $1', [later]);
    world.clock.advance(5 * DAY_MS);
    await deliverOne(500);
    const messages = (await world.deliveries()).map(({ error_message: message }) => message);
    expect(messages.sort()).toEqual([
      'The receiver answered with status 500.',
      'The webhook was switched off.',
    ]);
    expect((await world.deliveries()).every(({ abandoned_at: at }) => at !== null)).toBe(true);
  });

  it('is switched off at once where its receiver is gone, and nothing is tried again', async () => {
    const id = await world.addWebhook({ accountId });
    await writeTest(id);
    world.receiver.reaction = () => answer(410);
    await world.deliver();
    expect(await world.webhook(id)).toMatchObject({ is_active: true, failing_since: null });
    await world.write(accountId);
    world.receiver.reaction = async () => {
      await world.database.query(`UPDATE webhooks SET url = url || '?moved' WHERE id = $1`, [id]);
      return answer(410);
    };
    await world.deliver();
    expect(await world.webhook(id)).toMatchObject({ is_active: true });
    await deliverOne(410);
    expect(await world.webhook(id)).toMatchObject({ is_active: false });
    expect((await world.webhook(id)).disabled_reason).toContain('410 (Gone)');
    const ended = await world.deliveries();
    expect(ended.map(({ stage, status }) => [stage, status])).toEqual(ended.map(() => ['over', 'failed']));
    const messages = ended.map(({ error_message: message }) => message);
    expect(messages).toContainEqual(expect.stringContaining('410 (Gone)'));
    expect(await world.write(accountId)).toBe(false);
  });

  it('is not switched off for its failures at the URL that it had before', async () => {
    const id = await world.addWebhook({ accountId });
    await deliverOne(500);
    world.clock.advance(5 * DAY_MS);
    await world.write(accountId);
    world.receiver.reaction = async () => {
      await world.database.query(
        `UPDATE webhooks SET url = url || '?moved', failing_since = NULL WHERE id = $1`,
        [id],
      );
      return answer(500);
    };
    await world.deliver();
    expect(await world.webhook(id)).toMatchObject({ is_active: true, failing_since: null });
    await deliverOne(500);
    expect(await world.webhook(id)).toMatchObject({ is_active: true, failing_since: world.clock.now() });
  });

  it('is not switched off when one success lies in between', async () => {
    const id = await world.addWebhook({ accountId });
    await deliverOne(500);
    world.clock.advance(3 * DAY_MS);
    await deliverOne(200);
    expect(await world.webhook(id)).toMatchObject({ failing_since: null });
    world.clock.advance(3 * DAY_MS);
    await deliverOne(500);
    expect(await world.webhook(id)).toMatchObject({ is_active: true, failing_since: world.clock.now() });
  });

  it('is not switched off for tests, nor saved by them', async () => {
    const id = await world.addWebhook({ accountId });
    const test = async (status: number) => {
      await writeTest(id);
      world.receiver.reaction = () => answer(status);
      await world.deliver();
    };
    await test(500);
    expect(await world.webhook(id)).toMatchObject({ failing_since: null });
    expect(await world.delivery()).toMatchObject({ stage: 'over', attempt_count: 1 });
    await deliverOne(500);
    const failingSince = world.clock.now();
    world.clock.advance(5 * DAY_MS);
    await world.database.query(`UPDATE deliveries SET stage = 'over', next_attempt_at = NULL`);
    await test(500);
    await test(200);
    expect(await world.webhook(id)).toMatchObject({ failing_since: failingSince, is_active: true });
  });

  it('notes its last delivery at most once a second', async () => {
    const id = await world.addWebhook({ accountId });
    await deliverOne(200);
    const first = world.clock.now();
    world.clock.advance(999);
    await deliverOne(200);
    expect(await world.webhook(id)).toMatchObject({ last_delivered_at: first });
    world.clock.advance(1);
    await deliverOne(200);
    expect(await world.webhook(id)).toMatchObject({ last_delivered_at: world.clock.now() });
  });
});

describe('a receiver', () => {
  const slow = () => world.database.query<unknown[]>('SELECT receiver FROM slow_receivers');

  it.each([
    ['a time-out', 'timeout' as const],
    ['one that can not be reached', 'unreachable' as const],
  ])('is slow after %s, and quick after a quick answer, whatever it says', async (_, reason) => {
    await world.addWebhook({ accountId });
    world.receiver.reaction = () => {
      throw new OutboundFault(reason, 'no');
    };
    await world.write(accountId);
    await world.deliver();
    expect(await slow()).toHaveLength(1);
    await world.write(accountId);
    await world.dispatcher.run();
    expect([world.queues.fast.length, world.queues.slow.length]).toEqual([0, 1]);
    world.receiver.reaction = () => answer(500);
    await Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    expect(await slow()).toHaveLength(0);
  });

  it('is slow when it takes more than two seconds, and a refused address says nothing of it', async () => {
    await world.addWebhook({ accountId });
    const now = performance.now.bind(performance);
    world.receiver.reaction = () => {
      jest.spyOn(performance, 'now').mockImplementation(() => now() + 2_001);
      return answer(200);
    };
    await world.write(accountId);
    await world.deliver();
    jest.restoreAllMocks();
    expect(await slow()).toHaveLength(1);
    world.receiver.reaction = () => {
      throw new OutboundFault('refused', 'no');
    };
    await world.write(accountId);
    await world.deliver();
    expect(await slow()).toHaveLength(1);
  });
});

/** Writes an event for one webhook alone, and its delivery, as the test operation does. */
async function writeTest(webhookId: string): Promise<void> {
  const [event, delivery, now] = [randomUUID(), randomUUID(), world.clock.now()];
  await world.database.query(
    `INSERT INTO events (id, account_id, event_type, data, webhook_id, occurred_at, relayed_at)
     VALUES ($1, $2, 'key.revoked', '{"test": true}', $3, $4, $4)`,
    [event, accountId, webhookId, now],
  );
  await world.database.query(
    `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
       attempts_max, next_attempt_at, scheduled_at, occurred_at, created_at)
     SELECT $1, account_id, id, $2, 'key.revoked', url, receiver, 'due', 'pending', 1, $3, $3, $3, $3
     FROM webhooks WHERE id = $4`,
    [delivery, event, now, webhookId],
  );
}

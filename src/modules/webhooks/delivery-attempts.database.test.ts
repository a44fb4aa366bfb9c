import { DeliveryWorld } from '../../../test/support/events/delivery-world';
import { answer } from '../../../test/support/events/scripted-receiver';
import { OutboundFault } from '../../http/outbound/outbound-connection';
import { ATTEMPT_DELAYS_MS, EVENT_GONE_TEXT, SWITCHED_OFF_TEXT } from './delivery.limits';

let world: DeliveryWorld;
let accountId: string;

beforeAll(async () => {
  world = await DeliveryWorld.open();
});

beforeEach(async () => {
  await world.empty();
  accountId = world.databases.newAccountId();
  world.receiver.reaction = () => answer(200, 'thank you');
});

afterAll(() => world.close());

/** Delivers at the given time after `start`, and returns how many attempts there have been. */
async function attemptsAt(start: number, afterMs: number): Promise<number> {
  world.clock.set(new Date(start + afterMs).toISOString());
  await world.deliver();
  return world.receiver.posts.length;
}

describe('the schedule', () => {
  it('has the delays of the reference', () => {
    expect(ATTEMPT_DELAYS_MS.map((ms) => ms / 1000)).toEqual([0, 5, 25, 120, 600, 3600, 21_600, 86_400]);
  });

  it('makes eight attempts at exactly their times, then abandons the delivery', async () => {
    world.receiver.reaction = () => answer(500, 'no');
    await world.addWebhook({ accountId });
    await world.write(accountId);
    const start = world.clock.now().getTime();
    let dueMs = 0;
    for (const [index, delayMs] of ATTEMPT_DELAYS_MS.entries()) {
      dueMs += delayMs;
      if (index > 0) {
        expect((await world.delivery()).next_attempt_at).toEqual(new Date(start + dueMs));
        expect(await attemptsAt(start, dueMs - 1)).toBe(index);
      }
      expect(await attemptsAt(start, dueMs)).toBe(index + 1);
    }
    const delivery = await world.delivery();
    const endedAt = new Date(start + dueMs);
    expect(delivery).toMatchObject({
      stage: 'over',
      status: 'failed',
      attempt_count: 8,
      next_attempt_at: null,
    });
    expect(delivery).toMatchObject({ abandoned_at: endedAt, failed_at: endedAt, response_status: 500 });
    expect(delivery.attempts).toHaveLength(8);
    expect(await attemptsAt(start, dueMs + 365 * 86_400_000)).toBe(8);
  });

  it('counts each delay from the end of the attempt before', async () => {
    world.receiver.reaction = () => {
      world.clock.advance(4_900);
      return answer(503);
    };
    await world.addWebhook({ accountId });
    await world.write(accountId);
    const start = world.clock.now().getTime();
    await world.deliver();
    expect((await world.delivery()).next_attempt_at).toEqual(new Date(start + 4_900 + 5_000));
  });

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('stops with a 2xx at attempt %i', async (last) => {
    world.receiver.reaction = () => (world.receiver.posts.length < last ? answer(500) : answer(204));
    await world.addWebhook({ accountId });
    await world.write(accountId);
    for (const delayMs of [...ATTEMPT_DELAYS_MS, 86_400_000]) {
      world.clock.advance(delayMs);
      await world.deliver();
    }
    expect(world.receiver.posts).toHaveLength(last);
    const success = { stage: 'over', status: 'success', response_status: 204, error_message: null };
    expect(await world.delivery()).toMatchObject({
      ...success,
      attempt_count: last,
      next_attempt_at: null,
      failed_at: null,
      abandoned_at: null,
    });
  });
});

describe('the deliveries of a disabled account', () => {
  it('wait until it is enabled again, and count no attempt', async () => {
    await world.addWebhook({ accountId });
    await world.setActive(accountId, false);
    await world.write(accountId);
    const start = world.clock.now().getTime();
    expect(await attemptsAt(start, 0)).toBe(0);
    expect(await attemptsAt(start, 86_400_000)).toBe(0);
    expect(await world.delivery()).toMatchObject({ stage: 'later', status: 'pending', attempt_count: 0 });
    await world.setActive(accountId, true);
    expect(await attemptsAt(start, 86_400_000 + 3_600_000)).toBe(1);
    expect(await world.delivery()).toMatchObject({ stage: 'over', status: 'success', attempt_count: 1 });
  });

  it('end where their webhook is off', async () => {
    const webhookId = await world.addWebhook({ accountId });
    await world.setActive(accountId, false);
    await world.write(accountId);
    await world.dispatcher.run();
    await world.database.query('UPDATE webhooks SET is_active = false WHERE id = $1', [webhookId]);
    await world.deliver();
    expect(await world.delivery()).toMatchObject({ stage: 'over', error_message: SWITCHED_OFF_TEXT });
  });

  it('end when events are no longer kept', async () => {
    await world.addWebhook({ accountId });
    await world.setActive(accountId, false);
    await world.write(accountId);
    const start = world.clock.now().getTime();
    await attemptsAt(start, 0);
    expect(await attemptsAt(start, 30 * 86_400_000)).toBe(0);
    expect(await world.delivery()).toMatchObject({ stage: 'over', error_message: EVENT_GONE_TEXT });
  });
});

describe('an attempt', () => {
  it.each([
    [
      'a redirect',
      () => answer(302),
      'The receiver answered with a redirect (status 302), which is not followed.',
    ],
    ['an error of the receiver', () => answer(404), 'The receiver answered with status 404.'],
    [
      'a time-out',
      fault('timeout', 'The receiver did not answer within 5 seconds.'),
      'The receiver did not answer within 5 seconds.',
    ],
    [
      'an address that is refused',
      fault('refused', 'The address is not public.'),
      'The address is not public.',
    ],
    ['NUL in a fault', fault('unreachable', 'a\0b'), 'a\uFFFDb'],
    [
      'a fault of ours',
      () => {
        throw new Error('10.0.0.1');
      },
      'The attempt failed inside the service.',
    ],
  ])('fails with %s', async (_, reaction, errorMessage) => {
    world.receiver.reaction = reaction;
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.deliver();
    const failure = { status: 'failed', error_message: errorMessage, response_body: null };
    expect(await world.delivery()).toMatchObject({ ...failure, stage: 'later', abandoned_at: null });
  });

  it('keeps 2 KiB of the answer of a success', async () => {
    world.receiver.reaction = () => answer(201, `\0${'é'.repeat(2000)}`);
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.deliver();
    const delivery = await world.delivery();
    expect(delivery.response_body).toMatch(/^\uFFFDé{1022}$/);
    expect(delivery.attempts).toEqual([
      {
        attempted_at: world.clock.now().toISOString(),
        duration_ms: expect.any(Number) as number,
        response_status: 201,
        response_body: delivery.response_body,
        error_message: null,
      },
    ]);
  });

  it('is made and recorded once where its job runs twice, also at once', async () => {
    world.receiver.reaction = () => answer(500);
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    const [job] = world.queues.take();
    const twice = job ? [job, job] : [];
    await Promise.all(twice.map((one) => world.attempts.make(one)));
    await Promise.all(twice.map((one) => world.attempts.make(one)));
    expect(await world.delivery()).toMatchObject({ attempt_count: 1, attempts: [expect.anything()] });
    expect(world.receiver.posts).toHaveLength(1);
  });

  it('goes to the present address of its webhook, and the record says where it went', async () => {
    const webhookId = await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    await world.database.query(`UPDATE webhooks SET url = 'https://new.example/', receiver = 'new.example:443'
      WHERE id = '${webhookId}'`);
    await world.deliver();
    await Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    world.clock.advance(31_000);
    await world.deliver();
    expect(world.receiver.posts.map(({ url }) => url)).toEqual(['https://new.example/']);
    expect(await world.delivery()).toMatchObject({
      url: 'https://new.example/',
      receiver: 'new.example:443',
    });
  });

  it('is not made for a webhook that is gone or was switched off meanwhile', async () => {
    const gone = await world.addWebhook({ accountId });
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    await world.database.query(`DELETE FROM webhooks WHERE id = $1`, [gone]);
    await world.database.query(`UPDATE webhooks SET is_active = false`);
    await Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    expect(world.receiver.posts).toHaveLength(0);
    const ended = { stage: 'over', status: 'failed', error_message: 'The webhook was switched off.' };
    expect(await world.delivery()).toMatchObject({ ...ended, attempt_count: 0, next_attempt_at: null });
  });

  it('ends where its event is not stored any more', async () => {
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    await world.database.query('DELETE FROM events');
    await Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    expect(world.receiver.posts).toHaveLength(0);
    expect(await world.delivery()).toMatchObject({
      stage: 'over',
      error_message: 'The event is no longer stored.',
    });
  });

  it('that somebody asks for does not consume the schedule', async () => {
    world.receiver.reaction = () => answer(500);
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.deliver();
    const { id, scheduled_at: scheduledAt } = await world.delivery();
    await world.retry(id);
    await world.deliver();
    const after = { stage: 'later', attempt_count: 2, automatic_attempts: 1, next_attempt_at: scheduledAt };
    expect(await world.delivery()).toMatchObject({ ...after, scheduled_at: scheduledAt });
    world.clock.advance(5_000);
    await world.deliver();
    expect(await world.delivery()).toMatchObject({ attempt_count: 3, automatic_attempts: 2 });
  });

  it('that somebody asks for leaves an abandoned delivery abandoned when it fails, and delivers it when not', async () => {
    world.receiver.reaction = () => answer(500);
    await world.addWebhook({ accountId });
    await world.write(accountId);
    for (const delayMs of ATTEMPT_DELAYS_MS) {
      world.clock.advance(delayMs);
      await world.deliver();
    }
    const { id, abandoned_at: abandonedAt } = await world.delivery();
    world.clock.advance(60_000);
    for (let retries = 0; retries < 20; retries += 1) {
      await world.retry(id);
      await world.deliver();
    }
    const failed = await world.delivery();
    expect(failed).toMatchObject({ stage: 'over', abandoned_at: abandonedAt, attempt_count: 28 });
    expect(failed.attempts).toHaveLength(20);
    expect(failed.failed_at).toEqual(world.clock.now());
    world.receiver.reaction = () => answer(200);
    await world.retry(id);
    await world.deliver();
    expect(await world.delivery()).toMatchObject({ status: 'success', abandoned_at: null, failed_at: null });
  });
});

describe('the metrics', () => {
  it('count attempts and the time from the fact to the first', async () => {
    const before = await figures();
    world.receiver.reaction = () => (world.receiver.posts.length === 1 ? answer(500) : answer(200));
    await world.addWebhook({ accountId });
    await world.write(accountId);
    world.clock.advance(2_000);
    await world.deliver();
    world.clock.advance(5_000);
    await world.deliver();
    const after = await figures();
    const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown('webhook_deliveries_queued_total')).toBe(2);
    expect(grown('webhook_attempts_failed_total')).toBe(1);
    expect(grown('webhook_deliveries_delivered_total')).toBe(1);
    expect(grown('webhook_first_attempt_seconds_count')).toBe(1);
    expect(grown('webhook_first_attempt_seconds_sum')).toBeCloseTo(2);
    expect(after.get('events_outbox_age_seconds')).toBeLessThan(60);
  });
});

describe('a clock that is set while an attempt is under way', () => {
  it('makes no attempt longer, and no receiver slow', async () => {
    world.receiver.reaction = () => {
      world.clock.advance(40 * 86_400_000);
      return answer(200);
    };
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.deliver();
    const delivery = await world.delivery();
    expect(delivery).toMatchObject({ stage: 'over', status: 'success', attempt_count: 1 });
    expect(delivery.attempts[0]?.duration_ms).toBeLessThan(60_000);
    expect(await world.database.query('SELECT FROM slow_receivers')).toEqual([]);
  });

  it('takes nothing away from the time that first attempts took', async () => {
    const sum = 'webhook_first_attempt_seconds_sum';
    const before = (await figures()).get(sum) ?? 0;
    await world.addWebhook({ accountId });
    await world.write(accountId);
    await world.dispatcher.run();
    world.clock.advance(-3_600_000);
    await Promise.all(world.queues.take().map((job) => world.attempts.make(job)));
    expect(((await figures()).get(sum) ?? 0) - before).toBe(0);
  });
});

async function figures(): Promise<Map<string, number>> {
  const lines = (await world.metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
  return new Map(lines.map((line) => line.split(' ')).map(([name = '', value]) => [name, Number(value)]));
}

function fault(reason: OutboundFault['reason'], message: string) {
  return () => {
    throw new OutboundFault(reason, message);
  };
}

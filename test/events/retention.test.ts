import { EventRetention } from '../../src/events/outbox';
import { newId } from '../../src/runtime/ids';
import { Timers } from '../../src/work/timers';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { subscribe } from '../support/events/subscribe';

const HOUR_MS = 60 * 60 * 1000;
const KEPT_MS = 30 * 24 * HOUR_MS;

describe('what is kept of events', () => {
  let service: TestService;
  let replica: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    account = await createAccount(service, { creditUsd: '0' });
    await subscribe(service.database, account.id, { events: ['*'] });
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const remove = (on = service) => on.app.get(Timers, { strict: false }).job('EventCleanup').tick();
  const ago = (milliseconds: number) => new Date(service.clock.now().getTime() - milliseconds);

  /** An event with a delivery in each of these stages. */
  async function storeEvent(relayedAt: Date | null, stages: string[] = []): Promise<string> {
    const id = newId();
    await service.database.query(
      `INSERT INTO events (id, account_id, event_type, data, occurred_at, relayed_at)
       VALUES ($1, $2, 'key.revoked', '{}', $3, $4)`,
      [id, account.id, ago(2 * KEPT_MS), relayedAt],
    );
    await service.database.query(
      `INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status,
         attempts_max, occurred_at, created_at)
       SELECT gen_random_uuid(), $1, w.id, $2, 'key.revoked', w.url, w.receiver, stage, 'failed', 8, $3, $3
       FROM unnest($4::text[]) AS stage, webhooks AS w WHERE w.account_id = $1`,
      [account.id, id, ago(2 * KEPT_MS), stages],
    );
    return id;
  }

  /** What is left of events: the stages of the deliveries of each that is still there. */
  async function left(): Promise<Record<string, string[]>> {
    const rows: { id: string; stages: string[] }[] = await service.database.query(
      `SELECT e.id, array_remove(array_agg(d.stage ORDER BY d.stage), NULL) AS stages
       FROM events AS e LEFT JOIN deliveries AS d ON d.event_id = e.id WHERE e.account_id = $1 GROUP BY e.id`,
      [account.id],
    );
    return Object.fromEntries(rows.map(({ id, stages }) => [id, stages]));
  }

  it('forgets the traces of calls after three days, and is not held up by one that somebody has locked', async () => {
    const note = (requestId: string, days: number) =>
      service.database.query('INSERT INTO call_traces VALUES ($1, $2, $3)', [
        requestId,
        'a trace',
        ago(days * 24 * HOUR_MS),
      ]);
    await Promise.all([note('old', 4), note('locked', 4), note('new', 2)]);
    const noted = async () =>
      (await service.database.query<{ request_id: string }[]>('SELECT request_id FROM call_traces'))
        .map((row) => row.request_id)
        .sort();
    await service.database.transaction(async (manager) => {
      await manager.query(`SELECT FROM call_traces WHERE request_id = 'locked' FOR UPDATE`);
      await remove();
    });
    expect(await noted()).toEqual(['locked', 'new']);
    await remove();
    expect(await noted()).toEqual(['new']);
  });

  it('keeps events for 30 days after they became deliveries, and those that have not', async () => {
    const kept = {
      [await storeEvent(null)]: [],
      [await storeEvent(ago(KEPT_MS - 1), ['over'])]: ['over'],
    };
    await remove();
    expect(await left()).toEqual(kept);
  });

  it.each(['due', 'handed', 'later'])(
    'keeps an event with all of its deliveries while one is %s',
    async (stage) => {
      const id = await storeEvent(ago(2 * KEPT_MS), [stage, 'over']);
      await remove();
      expect(await left()).toEqual({ [id]: [stage, 'over'].sort() });
    },
  );

  it('keeps a delivery that is asked for anew while its event is being deleted', async () => {
    const id = await storeEvent(ago(KEPT_MS), ['over', 'over']);
    const retry = service.database.createQueryRunner();
    await retry.startTransaction();
    await retry.query(
      `UPDATE deliveries SET stage = 'due'
       WHERE id = (SELECT id FROM deliveries WHERE event_id = $1 LIMIT 1)`,
      [id],
    );
    const removed = remove();
    await retry.query('SELECT pg_sleep(0.05)');
    await retry.commitTransaction();
    await retry.release();
    await removed;
    expect((await left())[id]).toContain('due');
  });

  it('deletes events with their deliveries 30 days after, in batches, on two replicas at once', async () => {
    await storeEvent(ago(KEPT_MS), ['over', 'over', 'over']);
    await service.database.query(
      `INSERT INTO events (id, account_id, event_type, data, occurred_at, relayed_at)
       SELECT gen_random_uuid(), $1, 'key.revoked', '{}', $2, $2 FROM generate_series(1, 1700)`,
      [account.id, ago(KEPT_MS)],
    );
    const retention = [service, replica].map((on) => on.app.get(EventRetention));
    await Promise.all(retention.map((own) => own.removeEvents(service.clock.now())));
    await remove();
    expect(await left()).toEqual({});
    const [deliveries] = await service.database.query(
      'SELECT count(*) FROM deliveries WHERE account_id = $1',
      [account.id],
    );
    expect(deliveries).toEqual({ count: '0' });
  });

  it('begins no further batch once the process ends', async () => {
    const id = await storeEvent(ago(KEPT_MS));
    expect(await service.app.get(EventRetention).removeEvents(service.clock.now(), AbortSignal.abort())).toBe(
      0,
    );
    expect(Object.keys(await left())).toEqual([id]);
  });

  it('keeps marks for an hour after they are free, and sightings for an hour after their own', async () => {
    const { database } = service;
    const held = { held: ago(-1), free: ago(HOUR_MS - 1), old: ago(HOUR_MS) };
    for (const [mark, heldUntil] of Object.entries(held)) {
      await database.query('INSERT INTO event_marks VALUES ($1, $2, $3)', [account.id, mark, heldUntil]);
    }
    for (const hour of [ago(0), ago(2 * HOUR_MS - 1), ago(2 * HOUR_MS)]) {
      await database.query(`INSERT INTO sightings VALUES ($1, $2, 'many_addresses', 'x', 1)`, [
        account.keyId,
        hour,
      ]);
    }
    await Promise.all([remove(), remove(replica)]);
    const marks: { mark: string }[] = await database.query(
      'SELECT mark FROM event_marks WHERE account_id = $1 ORDER BY mark',
      [account.id],
    );
    expect(marks.map(({ mark }) => mark)).toEqual(['free', 'held']);
    const sightings: { hour: Date }[] = await database.query(
      'SELECT hour FROM sightings WHERE key_id = $1 ORDER BY hour',
      [account.keyId],
    );
    expect(sightings.map(({ hour }) => hour)).toEqual([ago(2 * HOUR_MS - 1), ago(0)]);
  });

  it('forgets that a receiver is slow after a day', async () => {
    const { database } = service;
    for (const [receiver, since] of [
      ['old', ago(24 * HOUR_MS)],
      ['new', ago(24 * HOUR_MS - 1)],
    ]) {
      await database.query('INSERT INTO slow_receivers VALUES ($1, $2)', [receiver, since]);
    }
    await remove();
    expect(await database.query('SELECT receiver FROM slow_receivers')).toEqual([{ receiver: 'new' }]);
  });
});

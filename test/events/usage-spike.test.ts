import { AccountDatabases } from '../../src/database/account-databases';
import { SpendSpikes } from '../../src/ledger/ledger.module';
import { Timers } from '../../src/work/timers';
import { recordCall } from '../support/api/recorded-call';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';
import { sumAllCalls } from '../support/ledger/roll-ups';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const WEEK_HOURS = 168;

describe('usage.spike', () => {
  let service: TestService;
  let replica: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
    // The beginning of an hour still belongs to the one before.
    service.clock.advance(10 * MINUTE_MS);
  });
  beforeEach(async () => {
    account = await createAccount(service, { creditUsd: '1000' });
    // Nothing that an earlier test charged is in the week any more.
    service.clock.advance(2 * WEEK_HOURS * HOUR_MS);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const events = () => storedEvents(service, account.id);
  const look = async (on = service) => {
    await sumAllCalls(service.app.get(AccountDatabases));
    await on.app.get(Timers, { strict: false }).job('UsageSpikes').tick();
  };
  const spend = (usd: string) => recordCall(service, account, { charge: usd });

  /** Spends so much so many hours before the present one. */
  async function spentBefore(usd: string, hoursAgo: number): Promise<void> {
    const now = service.clock.now();
    service.clock.set(new Date(now.getTime() - hoursAgo * HOUR_MS).toISOString());
    await spend(usd);
    service.clock.set(now.toISOString());
  }

  it('is not stored for accounts that do not subscribe to it', async () => {
    await subscribe(service.database, account.id, { events: ['usage.threshold', 'anomaly.detected'] });
    await spend('50');
    await look();
    expect(await events()).toEqual([]);
  });

  it.each([
    ['1.00', 0],
    ['1.01', 1],
  ])('of an account that spent nothing before: %s USD in the hour: %d', async (usd, count) => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spend(usd);
    await look();
    expect(await events()).toHaveLength(count);
  });

  it.each([
    ['3', 0],
    ['3.000000001', 1],
  ])('where the mean of the week is 1 USD: %s USD in the hour: %d', async (usd, count) => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spentBefore('100', WEEK_HOURS);
    await spentBefore('68', 1);
    await spend(usd);
    await look();
    expect(await events()).toHaveLength(count);
  });

  it('compares with the 168 hours before the present one: not with older ones, nor with that hour itself', async () => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spentBefore('168', WEEK_HOURS + 1);
    await spentBefore('84', 24);
    await spend('1.5');
    await look();
    expect(await events()).toEqual([]);
    await spend('0.01');
    await look();
    expect(await events()).toHaveLength(1);
  });

  it('counts charges alone: neither credit nor calls that were not charged', async () => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await recordCall(service, account, { charge: '50', status: 500 });
    await spend('0.99');
    await look();
    expect(await events()).toEqual([]);
  });

  it('tells hour, spend, mean and factor, and no factor where nothing was spent before', async () => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spentBefore('84', 24);
    service.clock.advance(10 * MINUTE_MS);
    await spend('2.25');
    await look();
    const hour = new Date(Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    const data = { user_id: account.id, hour_starts_at: hour.toISOString(), spent: 2.25 };
    expect(await events()).toEqual([
      {
        type: 'usage.spike',
        data: { ...data, hourly_mean: 0.5, factor: 4.5 },
        operation: null,
        at: service.clock.now(),
      },
    ]);
    account = await createAccount(service, { creditUsd: '10' });
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spend('2.25');
    await look();
    expect((await events())[0]?.data).toEqual({ ...data, user_id: account.id, hourly_mean: 0, factor: null });
  });

  it('tells what was spent in the last seconds of an hour, once and for that hour', async () => {
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    const hourMs = Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS;
    const minute = (minutes: number) =>
      service.clock.set(new Date(hourMs + minutes * MINUTE_MS).toISOString());
    minute(59);
    await look();
    await spend('2.25');
    for (const minutes of [60, 61, 70]) {
      minute(minutes);
      await look();
    }
    const hour_starts_at = new Date(hourMs).toISOString();
    expect(await events()).toMatchObject([{ data: { hour_starts_at, spent: 2.25 } }]);
  });

  it('is told once for each account and hour, when two replicas look at once and again', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 20 }, () => createAccount(service, { creditUsd: '1000' })),
    );
    for (const { id } of accounts) {
      await subscribe(service.database, id, { events: ['*'] });
    }
    for (const hours of [1, 2]) {
      await Promise.all(
        accounts.map((own) => recordCall(service, own, { charge: hours === 1 ? '2' : '50' })),
      );
      const now = service.clock.now();
      await sumAllCalls(service.app.get(AccountDatabases));
      const told = await Promise.all([
        service.app.get(SpendSpikes).publish(now),
        replica.app.get(SpendSpikes).publish(now),
      ]);
      expect(told[0] + told[1]).toBe(accounts.length);
      await Promise.all([look(), look(replica)]);
      for (const { id } of accounts) {
        const types = (await storedEvents(service, id)).map(({ type }) => type);
        expect(types.filter((type) => type === 'usage.spike')).toHaveLength(hours);
      }
      service.clock.advance(HOUR_MS);
    }
  });

  it('looks at more subscribers than fit in one batch', async () => {
    await service.database.query(`
      INSERT INTO event_subscriptions (account_id, event_types)
      SELECT gen_random_uuid(), event_bit('usage.spike') FROM generate_series(1, 1200)`);
    await subscribe(service.database, account.id, { events: ['usage.spike'] });
    await spend('2');
    await look();
    expect(await events()).toHaveLength(1);
  });
});

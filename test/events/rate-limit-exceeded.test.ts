import { AccountDatabases } from '../../src/database/account-databases';
import { BackgroundEventWriter } from '../../src/events/event-subscriptions';
import { TestService } from '../support/api/service';
import { World, type TestAccount } from '../support/api/world';
import { statementsDuring } from '../support/events/counted-statements';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';
import { until } from '../support/until';

const REFUSALS = 500;

describe('rate_limit.exceeded', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
    await world.setRates(world.owner, { requests_per_minute: 1 });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const written = (on = service) => on.app.get(BackgroundEventWriter).idle();
  const events = () => storedEvents(service, world.owner.id);

  async function call(on = service, { key }: TestAccount = world.owner): Promise<number> {
    return (await on.call('listModels', { credential: key, ip: world.ip })).status;
  }

  async function refuse(on = service): Promise<void> {
    expect(await call(on)).toBe(429);
    await written(on);
  }

  /** Waits until the replica has heard of the limit, and uses up what it allows. */
  async function refusedByReplica(): Promise<void> {
    await until('the replica refuses', async () => (await call(replica)) === 429);
  }

  it('is not stored for accounts that do not subscribe to it, and costs them next to nothing', async () => {
    await subscribe(service.database, world.owner.id, { events: ['key.revoked', 'usage.spike'] });
    expect(await call()).toBe(200);
    await refuse();
    const asked = await statementsDuring(service.database, /event/, async () => {
      await Promise.all(Array.from({ length: 50 }, () => call()));
      await written();
    });
    expect([asked, await events()]).toEqual([0, []]);
  });

  it('is told to nobody of strangers, who have no account', async () => {
    await subscribe(service.database, world.owner.id, { events: ['*'] });
    const refused = async () => (await service.call('listModels', { ip: world.ip })).status === 429;
    await until('the address is refused', refused);
    await written();
    expect(await events()).toEqual([]);
  });

  it('tells key, window and operation', async () => {
    const { id, keyId } = world.owner;
    await subscribe(service.database, id, { events: ['rate_limit.exceeded'] });
    expect(await call()).toBe(200);
    service.clock.advance(20_000);
    await refuse();
    expect(await events()).toEqual([
      {
        type: 'rate_limit.exceeded',
        data: { user_id: id, access_key_id: keyId, window: 'minute', limit: 1, retry_after: 40 },
        operation: 'listModels',
        at: service.clock.now(),
      },
    ]);
  });

  it('names no key for account tokens, which are told of once for all of them, apart from keys', async () => {
    const { id, token } = world.owner;
    await subscribe(service.database, id, { events: ['*'] });
    const statuses: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      statuses.push((await service.call('listKeys', { credential: token, ip: world.ip })).status);
    }
    expect(statuses).toEqual([200, 429, 429]);
    await written();
    await refuse();
    expect((await events()).map(({ data, operation }) => [data.access_key_id, operation])).toEqual([
      [null, 'listKeys'],
      [world.owner.keyId, 'listModels'],
    ]);
  });

  it('is told again after 60 seconds, and not a millisecond before', async () => {
    await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
    const startedAt = service.clock.now().getTime();
    expect(await call()).toBe(200);
    await refuse();
    for (const afterMs of [59_000, 999]) {
      service.clock.advance(afterMs);
      await refuse();
      expect(await events()).toHaveLength(1);
    }
    service.clock.advance(1);
    expect(await call()).toBe(200);
    await refuse();
    expect((await events()).map(({ at }) => at.getTime() - startedAt)).toEqual([0, 60_000]);
  });

  it('is told to who subscribes, and a minute later again, after the clock was set back', async () => {
    expect(await call()).toBe(200);
    await refuse();
    const setBack = () => service.clock.advance(-3_600_000);
    setBack();
    await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
    await until('it is refused', async () => (await call()) === 429);
    await written();
    expect(await events()).toHaveLength(1);
    setBack();
    await until('it is refused', async () => (await call()) === 429);
    await written();
    expect(await events()).toHaveLength(2);
  });

  it(`is told once of ${REFUSALS} calls that two replicas refuse at once, for few statements`, async () => {
    await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
    expect(await call()).toBe(200);
    await refusedByReplica();
    service.clock.advance(60_000);
    expect([await call(), await call(replica)]).toEqual([200, 200]);
    await written(replica);
    const before = (await events()).length;
    const asked = await statementsDuring(service.database, /event/, async () => {
      const calls = Array.from({ length: REFUSALS }, (_, index) => call(index % 2 ? replica : service));
      expect(new Set(await Promise.all(calls))).toEqual(new Set([429]));
      await Promise.all([written(), written(replica)]);
    });
    expect((await events()).length - before).toBe(1);
    expect(asked).toBeLessThanOrEqual(3);
  });

  it('is told by a replica a minute after the other replica did, not after its own first refusal', async () => {
    await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
    expect(await call()).toBe(200);
    await refuse();
    service.clock.advance(30_000);
    await refusedByReplica();
    await written(replica);
    expect(await events()).toHaveLength(1);
    service.clock.advance(29_999);
    await refuse(replica);
    expect(await events()).toHaveLength(1);
    service.clock.advance(1);
    await refuse(replica);
    expect(await events()).toHaveLength(2);
  });

  describe('when it cannot be written', () => {
    it('leaves the 429 as it is, and is told by a refusal a second later', async () => {
      await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
      expect(await call()).toBe(200);
      const request = { credential: world.owner.key, ip: world.ip };
      const database = service.app.get(AccountDatabases).of(world.owner.id);
      await database.query('ALTER TABLE event_marks RENAME TO event_marks_away');
      const faulty = await service.call('listModels', request);
      await written();
      await database.query('ALTER TABLE event_marks_away RENAME TO event_marks');
      service.clock.advance(999);
      await refuse();
      expect(await events()).toEqual([]);
      service.clock.advance(1);
      const whole = await service.call('listModels', request);
      await written();
      expect(await events()).toHaveLength(1);
      const { error, limit, window } = whole.body;
      expect([faulty.status, faulty.body]).toMatchObject([429, { error, limit, window, retry_after: 60 }]);
      expect(Object.keys(faulty.headers).sort()).toEqual(Object.keys(whole.headers).sort());
    });

    it('delays no 429, and is waited for when the service stops', async () => {
      const leaving = await service.startReplica();
      await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded'] });
      const lock = service.app.get(AccountDatabases).of(world.owner.id).createQueryRunner();
      await lock.startTransaction();
      await lock.query('LOCK TABLE event_marks');
      expect(await call(leaving)).toBe(200);
      expect(await call(leaving)).toBe(429);
      // A busy machine may need longer for what follows than the 5 s for which the shutdown waits.
      const schedule = setTimeout;
      const timers = jest.spyOn(global, 'setTimeout');
      timers.mockImplementation((work, ms) => schedule(work, ms === 5_000 ? 60_000 : ms));
      const stopped = leaving.stop();
      await until('the write waits for the lock', async () => {
        const [row]: { waiting: number }[] = await lock.query(
          `SELECT count(*)::integer AS waiting FROM pg_locks 
           JOIN pg_stat_activity USING (pid)
           WHERE NOT granted AND relation = 'event_marks'::regclass AND backend_type = 'client backend'`,
        );
        return row?.waiting === 1;
      });
      expect(await events()).toEqual([]);
      await lock.commitTransaction();
      await lock.release();
      await stopped;
      expect(await events()).toHaveLength(1);
    });
  });
});

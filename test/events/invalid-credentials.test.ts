import { AccountDatabases } from '../../src/database/account-databases';
import { InvalidKeyCalls } from '../../src/accounts/refused-calls';
import { newKeySecret } from '../../src/accounts/credentials';
import { MeteredCalls } from '../../src/pipeline/metered-calls';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { statementsDuring } from '../support/events/counted-statements';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';

const HOUR_MS = 60 * 60 * 1000;
const USUAL = 20;

let addresses = 0;

describe('anomaly.detected of invalid credentials', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
    // What was looked up before a test counts no more.
    service.clock.advance(HOUR_MS);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const counted = (on = service) => on.app.get(InvalidKeyCalls).write();
  const events = () => storedEvents(service, world.owner.id);
  const sightings = () =>
    service.database.query('SELECT * FROM sightings WHERE key_id = $1', [world.owner.keyId]);
  const guess = ({ key } = world.owner) => `${key.slice(0, 13)}${newKeySecret('test').slice(13)}`;

  /** Calls with secrets that begin as the owner's does, each from an address of its own. */
  async function guesses(count: number, on = service, secret = guess): Promise<void> {
    for (let index = 0; index < count; index += 1) {
      addresses += 1;
      const ip = `100.64.${addresses >> 8}.${addresses & 255}`;
      expect((await on.call('listModels', { credential: secret(), ip })).status).toBe(401);
    }
    await counted(on);
  }

  it('is not counted for accounts that do not subscribe to it', async () => {
    await subscribe(service.database, world.owner.id, { events: ['key.revoked'] });
    await subscribe(service.database, world.stranger.id, { events: ['*'] });
    await guesses(USUAL + 5);
    expect([await events(), await sightings()]).toEqual([[], []]);
    expect(await storedEvents(service, world.stranger.id)).toEqual([]);
  });

  it('costs one statement in 30 seconds while no account subscribes', async () => {
    await service.database.query('DELETE FROM event_subscriptions');
    const asked = await statementsDuring(service.database, /event_subscriptions|left\(preview/, async () => {
      await guesses(3);
      await guesses(3);
    });
    expect(asked).toBe(1);
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    service.clock.advance(30_000);
    await guesses(1);
    expect(await sightings()).toMatchObject([{ calls: 1, seen: '' }]);
  });

  it('is not told of 20 calls in an hour, however many come in the next', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    await guesses(USUAL);
    service.clock.advance(HOUR_MS);
    await guesses(USUAL);
    expect(await events()).toEqual([]);
  });

  it('is not told of calls that name nobody, another account, or are refused for another reason', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const { key, token } = world.owner;
    await guesses(USUAL + 1, service, () => guess(world.stranger));
    await guesses(USUAL + 1, service, () => newKeySecret('test'));
    await guesses(USUAL + 1, service, () => key.slice(0, 12));
    for (let index = 0; index <= USUAL; index += 1) {
      expect((await service.call('listKeys', { credential: key, ip: `192.0.2.${index}` })).status).toBe(401);
    }
    expect((await callAs('getCurrentUser', world, { credential: token })).status).toBe(200);
    const calls = service.app.get(MeteredCalls);
    await expect(calls.run('listModels', { kind: 'key', keyId: world.owner.id }, {})).rejects.toThrow();
    await counted();
    expect([await events(), await sightings()]).toEqual([[], []]);
  });

  it('is told of the 21st call, with the key that was named, and of none after it', async () => {
    const { id, keyId } = world.owner;
    await subscribe(service.database, id, { events: ['anomaly.detected'] });
    const hour = new Date(Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    await guesses(USUAL);
    expect(await events()).toEqual([]);
    service.clock.advance(1000);
    await guesses(1);
    const event = {
      type: 'anomaly.detected',
      data: {
        user_id: id,
        access_key_id: keyId,
        kind: 'invalid_credentials',
        count: USUAL + 1,
        since: hour.toISOString(),
      },
      operation: null,
      at: service.clock.now(),
    };
    expect(await events()).toEqual([event]);
    await guesses(USUAL * 2);
    expect(await events()).toEqual([event]);
  });

  it('counts secrets of every form: with a wrong checksum, too short, of a key that was revoked', async () => {
    const { id, key, keyId } = world.owner;
    await subscribe(service.database, id, { events: ['anomaly.detected'] });
    await callAs('revokeKey', world, { params: { key_id: keyId } });
    const forms = [key, key.slice(0, 13), `${key.slice(0, -1)}!`];
    await guesses(USUAL + 1, service, () => forms[addresses % forms.length] ?? key);
    expect(await events()).toHaveLength(1);
  });

  it('is told once a hour, of calls that two replicas got between them', async () => {
    await subscribe(service.database, world.owner.id, { events: ['*'] });
    for (const hours of [1, 2]) {
      await Promise.all([guesses(USUAL), guesses(1, replica)]);
      expect(await events()).toHaveLength(hours);
      await Promise.all([guesses(5), guesses(5, replica)]);
      expect(await events()).toHaveLength(hours);
      service.clock.advance(HOUR_MS);
    }
  });

  it('is told once of 500 calls at once on two replicas', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const secret = () => world.owner.key.slice(0, 20);
    const at = Array.from({ length: 10 }, (_, index) => guesses(50, index % 2 ? replica : service, secret));
    await Promise.all(at);
    await Promise.all([counted(), counted(replica)]);
    expect(await events()).toHaveLength(1);
    expect(await sightings()).toMatchObject([{ calls: 500 }]);
  });

  it('keeps no more of a flood of made-up secrets than its bounds, and nothing in the database', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const calls = service.app.get(InvalidKeyCalls);
    const now = service.clock.now();
    // No key begins so. Of 30,000 that begin as the keys do, one would name a subscriber's key in every fiftieth run.
    const madeUp = () => newKeySecret('live');
    for (let round = 0; round < 12; round += 1) {
      for (let count = 0; count < 2_500; count += 1) {
        calls.note(madeUp(), now);
      }
      expect(calls.held.waiting).toBeLessThanOrEqual(2_000);
      await calls.write();
    }
    expect(calls.held).toEqual({ waiting: 0, named: 10_000 });
    const [stored] = await service.database.query('SELECT count(*) FROM sightings WHERE hour > $1', [
      new Date(now.getTime() - HOUR_MS),
    ]);
    expect(stored).toEqual({ count: '0' });
    await guesses(USUAL + 1);
    expect(await events()).toHaveLength(1);
  });

  it('fails no call when it cannot be counted, and counts on afterwards', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const database = service.app.get(AccountDatabases).of(world.owner.id);
    await database.query('ALTER TABLE sightings RENAME TO sightings_away');
    await guesses(USUAL + 1);
    await database.query('ALTER TABLE sightings_away RENAME TO sightings');
    expect(await events()).toEqual([]);
    await guesses(USUAL + 1);
    expect(await events()).toHaveLength(1);
  });
});

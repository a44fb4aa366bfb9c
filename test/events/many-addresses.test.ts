import { AccountDatabases } from '../../src/database/account-databases';
import { KeyAddresses } from '../../src/accounts/key-cache';
import { BackgroundEventWriter } from '../../src/events/event-subscriptions';
import { MeteredCalls } from '../../src/pipeline/metered-calls';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { statementsDuring } from '../support/events/counted-statements';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';

const HOUR_MS = 60 * 60 * 1000;
const USUAL = 10;
/** Others are sent now and then by whoever writes the usage log or looks keys up. */
const OF_ANOMALIES = /event_subscriptions|sighting/;

describe('anomaly.detected of many addresses', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const written = (on = service) => on.app.get(BackgroundEventWriter).idle();
  const events = () => storedEvents(service, world.owner.id);
  const sightings = () =>
    service.database.query('SELECT * FROM sightings WHERE key_id = $1', [world.owner.keyId]);
  const addresses = (count: number, from = 1) =>
    Array.from({ length: count }, (_, index) => `198.51.100.${from + index}`);

  /** One call with the owner's key from each address, at once. */
  async function callFrom(ips: readonly string[], on = service): Promise<void> {
    const call = async (ip: string) =>
      (await on.call('listModels', { credential: world.owner.key, ip })).status;
    expect(new Set(await Promise.all(ips.map(call)))).toEqual(new Set([200]));
    await written(on);
  }

  it('is not counted for accounts that do not subscribe to it, and costs them nothing', async () => {
    await subscribe(service.database, world.owner.id, { events: ['key.revoked'] });
    await callFrom(addresses(1));
    const asked = await statementsDuring(service.database, OF_ANOMALIES, () =>
      callFrom(addresses(USUAL + 10)),
    );
    expect([asked, await events(), await sightings()]).toEqual([0, [], []]);
  });

  it('is not told of ten addresses, however many calls come from them', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    await callFrom(addresses(USUAL));
    const asked = await statementsDuring(service.database, OF_ANOMALIES, async () => {
      await callFrom(addresses(USUAL));
      await callFrom(addresses(USUAL));
    });
    expect([asked, await events()]).toEqual([0, []]);
    expect(await sightings()).toHaveLength(USUAL);
  });

  it('is not told of ten addresses in each of two hours', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    await callFrom(addresses(USUAL));
    service.clock.advance(HOUR_MS);
    await callFrom(addresses(USUAL, 101));
    expect(await events()).toEqual([]);
  });

  it('takes the addresses of one IPv6 customer for one, and an address in two forms', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    await callFrom(addresses(USUAL - 1));
    await callFrom(['2001:db8::1', '2001:db8::2', '2001:DB8::3:4', '::ffff:198.51.100.1']);
    expect(await events()).toEqual([]);
    await callFrom(['2001:db8:0:1::1']);
    expect(await events()).toHaveLength(1);
  });

  it('is not told of calls from within the service, or with a wrong secret', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    await callFrom(addresses(USUAL));
    await service.app.get(MeteredCalls).run('listModels', { kind: 'key', keyId: world.owner.keyId }, {});
    const wrong = { credential: `${world.owner.key}x`, ip: '203.0.113.1' };
    expect((await service.call('listModels', wrong)).status).toBe(401);
    await written();
    expect(await events()).toEqual([]);
  });

  it('is told of the eleventh address, and of no more in the hour; no address is stored', async () => {
    const { id, keyId } = world.owner;
    await subscribe(service.database, id, { events: ['anomaly.detected'] });
    const hour = new Date(Math.floor(service.clock.now().getTime() / HOUR_MS) * HOUR_MS);
    await callFrom(addresses(USUAL));
    service.clock.advance(1000);
    await callFrom(addresses(1, 200));
    const event = {
      type: 'anomaly.detected',
      data: {
        user_id: id,
        access_key_id: keyId,
        kind: 'many_addresses',
        count: USUAL + 1,
        since: hour.toISOString(),
      },
      operation: null,
      at: service.clock.now(),
    };
    expect(await events()).toEqual([event]);
    await callFrom(addresses(50));
    expect(await events()).toEqual([event]);
    const rows = await sightings();
    expect(rows).toHaveLength(USUAL + 1);
    expect(JSON.stringify(rows)).not.toMatch(/198\.51/);
  });

  it('is told once an hour, of addresses that two replicas saw between them', async () => {
    await subscribe(service.database, world.owner.id, { events: ['*'] });
    for (const hours of [1, 2]) {
      await Promise.all([callFrom(addresses(6)), callFrom(addresses(5, 101), replica)]);
      expect((await events()).filter(({ type }) => type === 'anomaly.detected')).toHaveLength(hours);
      await Promise.all([callFrom(addresses(200)), callFrom(addresses(200, 20), replica)]);
      expect((await events()).filter(({ type }) => type === 'anomaly.detected')).toHaveLength(hours);
      expect(await sightings()).toHaveLength(hours * (USUAL + 1));
      service.clock.advance(HOUR_MS);
    }
  });

  it('fails no call when it cannot be counted, and counts the address with its next call', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const database = service.app.get(AccountDatabases).of(world.owner.id);
    await database.query('ALTER TABLE sightings RENAME TO sightings_away');
    await callFrom(addresses(USUAL + 1));
    await database.query('ALTER TABLE sightings_away RENAME TO sightings');
    expect(await events()).toEqual([]);
    await callFrom(addresses(USUAL + 1));
    expect(await events()).toHaveLength(1);
  });

  it('leaves out what comes while a thousand others wait, and counts it with its next call', async () => {
    await subscribe(service.database, world.owner.id, { events: ['anomaly.detected'] });
    const noted = service.app.get(KeyAddresses);
    for (let index = 0; index < 1_000; index += 1) {
      noted.note({ id: `${index}`, accountId: world.stranger.id }, '192.0.2.1', service.clock.now());
    }
    noted.note({ id: world.owner.keyId, accountId: world.owner.id }, '192.0.2.1', service.clock.now());
    await written();
    expect(await sightings()).toEqual([]);
    await callFrom(['192.0.2.1']);
    expect(await sightings()).toHaveLength(1);
  });
});

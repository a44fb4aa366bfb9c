import { AccountDatabases } from '../../src/database/account-databases';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { storedEvents } from '../support/events/stored-events';
import { subscribe } from '../support/events/subscribe';

describe('key.revoked', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const revoke = async () =>
    (await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } })).status;

  it('is not stored for accounts that do not subscribe to it', async () => {
    await subscribe(service.database, world.owner.id, { events: ['rate_limit.exceeded', 'balance.low'] });
    await subscribe(service.database, world.stranger.id, { events: ['*'] });
    expect(await revoke()).toBe(200);
    expect(await storedEvents(service, world.owner.id)).toEqual([]);
    expect(await storedEvents(service, world.stranger.id)).toEqual([]);
  });

  it('is not told of a key that is deleted, or revoked a second time', async () => {
    await subscribe(service.database, world.owner.id, { events: ['key.revoked'] });
    const other = await callAs('createKey', world, { body: { name: 'other' } });
    expect((await callAs('deleteKey', world, { params: { key_id: other.body.id } })).status).toBe(204);
    expect(await storedEvents(service, world.owner.id)).toEqual([]);
    const answers = await Promise.all(Array.from({ length: 5 }, revoke));
    expect(answers.sort()).toEqual([200, 409, 409, 409, 409]);
    expect(await storedEvents(service, world.owner.id)).toHaveLength(1);
  });

  it('leaves with the revocation: when its event cannot be written, the key stays', async () => {
    await subscribe(service.database, world.owner.id, { events: ['key.revoked'] });
    const database = service.app.get(AccountDatabases).of(world.owner.id);
    await database.query('ALTER TABLE events RENAME TO events_away');
    expect(await revoke()).toBe(500);
    await database.query('ALTER TABLE events_away RENAME TO events');
    expect((await callAs('listModels', world, {})).status).toBe(200);
    expect(await revoke()).toBe(200);
    expect(await storedEvents(service, world.owner.id)).toHaveLength(1);
  });

  it('tells which key, by the preview that it has then', async () => {
    const { id, keyId, key } = world.owner;
    await subscribe(service.database, id, { events: ['*'] });
    const params = { key_id: keyId };
    const rotated = await callAs('rotateKey', world, { params, body: { overlap_seconds: 60 } });
    service.clock.advance(1500);
    expect(await revoke()).toBe(200);
    const secret = rotated.body.key_value;
    expect(secret).not.toBe(key);
    const revokedAt = service.clock.now();
    expect(await storedEvents(service, id)).toEqual([
      {
        type: 'key.revoked',
        data: {
          user_id: id,
          access_key_id: keyId,
          name: 'test',
          key_value_preview: `${secret.slice(0, 13)}…${secret.slice(-4)}`,
          revoked_at: revokedAt.toISOString(),
        },
        operation: null,
        at: revokedAt,
      },
    ]);
  });
});

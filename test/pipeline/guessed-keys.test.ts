import { AccountTokens, newKeySecret } from '../../src/accounts/credentials';
import { AccessKeys } from '../../src/accounts/access-keys';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const ANONYMOUS_A_MINUTE = 20;
const GUESSES = 600;

describe('guessed access keys', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  async function statusOf(secret: string, ip = world.ip): Promise<number> {
    return (await service.call('listModels', { credential: secret, ip })).status;
  }

  const guess = (count: number) =>
    Promise.all(Array.from({ length: count }, () => statusOf(newKeySecret('test'))));

  /** New keys of the owner that this process has not seen. */
  async function newSecrets(count: number): Promise<string[]> {
    const order = { accountId: world.owner.id, name: 'new', expiresAt: null, environment: 'test' as const };
    const keys = service.app.get(AccessKeys);
    return Promise.all(Array.from({ length: count }, async () => (await keys.create(order)).secret));
  }

  /** How many statements about this table the service sends meanwhile. */
  async function lookUps(table: RegExp, during: () => Promise<unknown>): Promise<number> {
    const { database } = service;
    const { query } = database;
    let count = 0;
    database.query = ((...parameters: Parameters<typeof query>) => {
      count += table.test(parameters[0]) ? 1 : 0;
      return query.apply(database, parameters);
    }) as typeof query;
    try {
      await during();
    } finally {
      database.query = query;
    }
    return count;
  }

  it('are looked up no more than their address may call, at once or one after the other', async () => {
    const counts: Record<string, number> = {};
    const asked = await lookUps(/FROM access_keys/, async () => {
      for (const status of await guess(GUESSES)) {
        counts[status] = (counts[status] ?? 0) + 1;
      }
      for (let more = 0; more < 10; more += 1) {
        expect(await statusOf(newKeySecret('test'))).toBe(429);
      }
    });
    expect(counts).toEqual({ 401: ANONYMOUS_A_MINUTE, 429: GUESSES - ANONYMOUS_A_MINUTE });
    expect(asked).toBe(ANONYMOUS_A_MINUTE);
  });

  it('are refused with the body and the headers of the rate limit, and looked up again when it has passed', async () => {
    await guess(ANONYMOUS_A_MINUTE);
    const refused = await service.call('listModels', { credential: newKeySecret('test'), ip: world.ip });
    expect([refused.status, refused.body]).toMatchObject([
      429,
      { error: 'Rate limit exceeded', limit: ANONYMOUS_A_MINUTE, window: 'minute', retry_after: 60 },
    ]);
    expect(refused.headers).toMatchObject({ 'retry-after': '60', 'x-ratelimit-remaining': '0' });
    service.clock.advance(60_000);
    expect(await statusOf(newKeySecret('test'))).toBe(401);
  });

  it('leave alone who shows a key that the service has seen, and other addresses', async () => {
    expect(await statusOf(world.owner.key)).toBe(200);
    await guess(ANONYMOUS_A_MINUTE + 1);
    expect(await statusOf(world.owner.key)).toBe(200);
    // A change of the account drops the key from the cache, so that it is looked up anew.
    await world.setRates(world.owner, { requests_per_minute: 1000 });
    expect(await statusOf(world.owner.key)).toBe(200);
    const [unseen = ''] = await newSecrets(1);
    expect(await statusOf(unseen)).toBe(429);
    expect(await statusOf(unseen, '192.0.2.77')).toBe(200);
    expect(await statusOf(unseen)).toBe(200);
  });

  it('are not what new keys count as, however many come at once from one address', async () => {
    const secrets = await newSecrets(100);
    expect(new Set(await Promise.all(secrets.map((secret) => statusOf(secret))))).toEqual(new Set([200]));
    expect(await statusOf(newKeySecret('test'))).toBe(401);
  });

  it('keep a key of another replica from nothing', async () => {
    const replica = await service.startReplica();
    try {
      await guess(ANONYMOUS_A_MINUTE - 1);
      const answer = await replica.call('createKey', {
        credential: world.owner.token,
        body: { name: 'from elsewhere' },
      });
      expect(await statusOf(answer.body.key_value)).toBe(200);
    } finally {
      await replica.stop();
    }
  });

  it('that are no key of any form cost no look-up', async () => {
    const asked = await lookUps(/FROM access_keys/, async () => {
      await Promise.all(Array.from({ length: 30 }, () => statusOf('svc_test_unknown')));
    });
    expect(asked).toBe(0);
  });

  it('do not differ from ended tokens: each is looked up once a minute, first by what ended it', async () => {
    const { token } = service.app
      .get(AccountTokens)
      .issue({ id: world.owner.id, role: 'user', tokenVersion: 1 });
    expect((await callAs('logout', world, { credential: token })).status).toBe(204);
    const asked = await lookUps(/FROM accounts/, async () => {
      for (let count = 0; count < 50; count += 1) {
        const answer = await service.call('getCurrentUser', { credential: token, ip: world.ip });
        expect(answer.status).toBe(count < ANONYMOUS_A_MINUTE ? 401 : 429);
      }
    });
    expect(asked).toBe(0);
  });
});

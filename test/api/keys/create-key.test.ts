import { isKeySecret } from '../../../src/accounts/credentials';
import { callAs } from '../../support/api/call-as';
import { keyVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const KEYS_MAX = 1000;
const RETRIED = { 'idempotency-key': 'the key of a try' };

describeOperation(
  'createKey',
  (_, variant) => ({ body: { name: `backend ${variant}` } }),
  (status) => {
    status(400, 'refuses a body without a name, and creates nothing', async (world) => {
      const answer = await callAs('createKey', world, { body: {} });
      expect(answer.status).toBe(400);
      expect(answer.body.details).toEqual([{ field: 'name', message: 'is required' }]);
      expect((await callAs('listKeys', world, {})).body).toHaveLength(1);
    });
    status(400, 'refuses a name that is empty, too long or cannot be stored', async (world) => {
      for (const name of ['', 'x'.repeat(101), 'back\0end', '\ud800', null]) {
        expect((await callAs('createKey', world, { body: { name } })).status).toBe(400);
      }
      expect(await keys(world)).toBe(1);
    });
    status(400, 'lets nobody choose a secret, an owner or limits', async (world) => {
      const secret = `svc_test_${'A'.repeat(38)}`;
      const wishes = [{ key_value: secret }, { id: world.owner.keyId }, { account_id: world.stranger.id }];
      for (const wish of [...wishes, { is_active: true }, { daily_limit: 1 }]) {
        expect((await callAs('createKey', world, { body: { name: 'a', ...wish } })).status).toBe(400);
      }
      expect(await keys(world)).toBe(1);
    });
    status(422, 'refuses limits that make no sense, and creates nothing', async (world) => {
      for (const limits of [{ daily_limit: 2, monthly_limit: 1 }, { daily_limit: 1e-10 }]) {
        expect((await callAs('createKey', world, { body: { name: 'k', limits } })).status).toBe(422);
      }
      expect(await keys(world)).toBe(1);
    });
    status(201, 'has its limits in force from the first call on', async (world) => {
      const limits = { daily_limit: 0.0001, timezone: 'Asia/Tokyo' };
      const { body } = await callAs('createKey', world, { body: { name: 'k', limits } });
      const call = { credential: body.key_value, ip: world.ip, body: { key: 'k', value: 'v' } };
      expect((await world.service.call('createMemory', call)).status).toBe(201);
      expect((await world.service.call('createMemory', call)).body.error).toBe('Spending limit exceeded');
      const params = { key_id: body.id };
      expect((await callAs('getKeyLimits', world, { params })).body).toMatchObject(limits);
    });
    status(409, 'refuses to pass 1,000 keys of one account, also when ten creations race', async (world) => {
      await fillUp(world, KEYS_MAX - 1);
      const body = { name: 'one too many' };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('createKey', world, { body })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array<number>(9).fill(409)]);
      expect(await keys(world)).toBe(KEYS_MAX);
      expect((await callAs('createKey', world, { body }, world.stranger)).status).toBe(201);
    });

    status(422, 'refuses an expiry that lies in the past', async (world) => {
      const body = { name: 'late', expires_at: world.service.clock.now().toISOString() };
      const answer = await callAs('createKey', world, { body });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
      expect(await keys(world)).toBe(1);
    });

    status(201, 'takes a time as people write it, and without a zone for UTC', async (world) => {
      const written = {
        '2099-01-01': '2099-01-01T00:00:00.000Z',
        '2099-01-01T09:30': '2099-01-01T09:30:00.000Z',
        '2099-01-01 09:30:00': '2099-01-01T09:30:00.000Z',
        '2099-01-01T09:30+02:00': '2099-01-01T07:30:00.000Z',
      };
      for (const [text, time] of Object.entries(written)) {
        const answer = await callAs('createKey', world, { body: { name: 'a', expires_at: text } });
        expect([answer.status, answer.body.expires_at]).toEqual([201, time]);
      }
    });
    status(201, 'returns a secret that works at once and is stored nowhere', async (world) => {
      const answer = await callAs('createKey', world, { body: { name: 'backend' } });
      expect(answer.status).toBe(201);
      expect(answer.body).toMatchObject({ name: 'backend', is_active: true, expires_at: null });
      expect(isKeySecret(answer.body.key_value, 'test')).toBe(true);
      expect(await keyVerdict(world, answer.body.key_value)).toBe('accepted');
      const stored: unknown[] = await world.service.database.query(
        'SELECT FROM access_keys AS k WHERE k::text LIKE $1',
        [`%${answer.body.key_value.slice(9, 41)}%`],
      );
      expect(stored).toHaveLength(0);
    });
    status(201, 'keeps the expiry that was asked for, to the millisecond', async (world) => {
      const body = { name: 'year', expires_at: '2027-01-01T00:00:00+02:00' };
      expect((await callAs('createKey', world, { body })).body.expires_at).toBe('2026-12-31T22:00:00.000Z');
      const inAMoment = new Date(world.service.clock.now().getTime() + 1).toISOString();
      const short = await callAs('createKey', world, { body: { name: 'moment', expires_at: inAMoment } });
      expect(await keyVerdict(world, short.body.key_value)).toBe('accepted');
      world.service.clock.advance(1);
      expect(await keyVerdict(world, short.body.key_value)).toBe('API key expired');
    });
    status(201, 'keeps its answer for retries where the database alone can not read it', async (world) => {
      const { database } = world.service;
      const { body } = await callAs('createKey', world, { body: { name: 'a' }, headers: { ...RETRIED } });
      const rows: object[] = await database.query('SELECT * FROM idempotency_claims WHERE account_id = $1', [
        world.owner.id,
      ]);
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(body.key_value);
      expect(JSON.stringify(rows)).not.toContain(body.id);
    });
    status(409, 'names the key of a try whose answer was lost, and makes no other', async (world) => {
      const request = { body: { name: 'a' }, headers: { ...RETRIED } };
      const { body } = await callAs('createKey', world, request);
      await world.service.database.query(
        "UPDATE idempotency_claims SET status = NULL, answer = NULL, lease_until = '2000-01-01' WHERE account_id = $1",
        [world.owner.id],
      );
      const retry = await callAs('createKey', world, request);
      expect([retry.status, retry.body.message]).toEqual([409, expect.stringContaining(body.id)]);
      expect(await keys(world)).toBe(2);
    });
    status(201, 'gives keys of one name each a secret and an id of its own, and no limits', async (world) => {
      const body = { name: 'twin', expires_at: null };
      const twins = [await callAs('createKey', world, { body }), await callAs('createKey', world, { body })];
      expect(new Set(twins.flatMap(({ body: key }) => [key.id, key.key_value])).size).toBe(4);
      const params = { key_id: twins[0]?.body.id ?? '' };
      const limits = (await callAs('getKeyLimits', world, { params })).body;
      expect([limits.daily_limit, limits.monthly_limit, limits.per_request_limit]).toEqual([
        null,
        null,
        null,
      ]);
    });
  },
);

async function keys({ service, owner }: World): Promise<number> {
  const rows: unknown[] = await service.database.query('SELECT FROM access_keys WHERE account_id = $1', [
    owner.id,
  ]);
  return rows.length;
}

/** Gives the owner so many keys that nobody has a secret of. */
async function fillUp({ service, owner }: World, count: number): Promise<void> {
  await service.database.query(
    `INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at)
     SELECT gen_random_uuid(), $1::uuid, 'filler', 'filler', sha256(($1::text || n)::bytea), now()
     FROM generate_series(2, $2::integer) AS n`,
    [owner.id, count],
  );
}

import { callAs } from '../../support/api/call-as';
import { keyVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import { until } from '../../support/until';
import type { World } from '../../support/api/world';

describeOperation(
  'listKeys',
  () => ({}),
  (status) => {
    status(200, 'lists the newest first, as a bare array', async (world) => {
      await create(world, ['first', 'second', 'third']);
      const { body } = await callAs('listKeys', world, {});
      expect(body.map(({ name }) => name)).toEqual(['third', 'second', 'first', 'test']);
      expect((await callAs('listKeys', world, {}, world.stranger)).body.map(({ id }) => id)).toEqual([
        world.stranger.keyId,
      ]);
    });
    status(200, 'tells limits and what is spent of them, in one call', async (world) => {
      await world.setLimits(world.owner, { dailyLimitNano: 1_000_000_000n });
      const call = { credential: world.owner.key, ip: world.ip, body: { key: 'k', value: 'v' } };
      expect((await world.service.call('createMemory', call)).status).toBe(201);
      const [listed] = (await callAs('listKeys', world, {})).body;
      expect(listed?.limits).toMatchObject({ daily_limit: 1, daily_spent: 0.0001, daily_remaining: 0.9999 });
      const params = { key_id: world.owner.keyId };
      expect(listed?.limits).toEqual((await callAs('getKeyLimits', world, { params })).body);
    });
    status(200, 'shows of a secret only its ends', async (world) => {
      const [secret = ''] = await create(world, ['backend']);
      const { body, text } = await callAs('listKeys', world, {});
      expect(body[0]?.key_value_preview).toBe(`${secret.slice(0, 13)}…${secret.slice(-4)}`);
      expect(text).not.toContain(secret.slice(13, -4));
      expect(text).not.toMatch(/key_value"|hash/);
    });
    status(200, 'turns the pages', async (world) => {
      await create(world, ['first', 'second', 'third']);
      const page = async (query: object) =>
        (await callAs('listKeys', world, { query: { ...query } })).body.map(({ name }) => name);
      expect(await page({ limit: 2 })).toEqual(['third', 'second']);
      expect(await page({ limit: 2, offset: 2 })).toEqual(['first', 'test']);
      expect(await page({ offset: 4 })).toEqual([]);
    });
    status(200, 'says how many there are, and leads from page to page to the last', async (world) => {
      await create(world, ['first', 'second', 'third', 'fourth']);
      let query: object = { limit: 2, sort: 'name', order: 'asc', status: 'active' };
      const seen: string[] = [];
      for (let pages = 1; ; pages += 1) {
        const { body, headers } = await callAs('listKeys', world, { query: { ...query } });
        seen.push(...body.map(({ name }) => name));
        expect(headers['x-total-count']).toBe('5');
        if (headers.link === undefined) {
          expect(pages).toBe(3);
          break;
        }
        const [, next = ''] = /^<\/api\/keys\?([^>]+)>; rel="next"$/.exec(headers.link) ?? [];
        query = Object.fromEntries(new URLSearchParams(next));
      }
      expect(seen).toEqual(['first', 'fourth', 'second', 'test', 'third']);
      expect((await callAs('listKeys', world, { query: { offset: 5 } })).headers.link).toBeUndefined();
    });
    status(200, 'sorts by the end of keys and by their last use, those without one last', async (world) => {
      const at = (ms: number) => new Date(world.service.clock.now().getTime() + ms).toISOString();
      for (const [name, expires_at] of [
        ['later', at(9_000)],
        ['sooner', at(5_000)],
      ] as const) {
        await callAs('createKey', world, { body: { name, expires_at } });
      }
      const namesBy = async (query: object) =>
        (await callAs('listKeys', world, { query: { ...query } })).body.map(({ name }) => name);
      expect(await namesBy({ sort: 'expires_at', order: 'asc' })).toEqual(['sooner', 'later', 'test']);
      expect(await namesBy({ sort: 'expires_at' })).toEqual(['later', 'sooner', 'test']);
      expect((await namesBy({ sort: 'last_used_at' })).sort()).toEqual(['later', 'sooner', 'test']);
    });
    status(
      200,
      'tells that neither a revoked nor an expired key is active, and still shows them',
      async (world) => {
        const expiresAt = new Date(world.service.clock.now().getTime() + 1000).toISOString();
        const expired = await callAs('createKey', world, {
          body: { name: 'expired', expires_at: expiresAt },
        });
        world.service.clock.advance(1000);
        await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
        const { body } = await callAs('listKeys', world, {});
        expect(body.map(({ id, is_active: isActive }) => [id, isActive])).toEqual([
          [expired.body.id, false],
          [world.owner.keyId, false],
        ]);
        expect(body[0]?.expires_at).toBe(expiresAt);
      },
    );
    status(200, 'lists the keys of one state', async (world) => {
      const { clock } = world.service;
      const expiresAt = new Date(clock.now().getTime() + 1000).toISOString();
      const keyIds: string[] = [];
      for (const name of ['expired', 'revoked and expired']) {
        keyIds.push((await callAs('createKey', world, { body: { name, expires_at: expiresAt } })).body.id);
      }
      await callAs('revokeKey', world, { params: { key_id: keyIds[1] ?? '' } });
      clock.advance(1000);
      const namesOf = async (state: string) =>
        (await callAs('listKeys', world, { query: { status: state } })).body.map(({ name }) => name);
      expect(await namesOf('active')).toEqual(['test']);
      expect(await namesOf('EXPIRED')).toEqual(['expired']);
      expect(await namesOf('revoked')).toEqual(['revoked and expired']);
    });
    status(200, 'lists the keys of a period in the order that is asked for', async (world) => {
      await create(world, ['b', 'a', 'c']);
      const { body } = await callAs('listKeys', world, { query: { sort: 'name', order: 'ASC' } });
      expect(body.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'test']);
      const [first, second] = body.slice(0, 2).map(({ created_at: createdAt }) => createdAt);
      const inPeriod = await callAs('listKeys', world, {
        query: { start_date: second?.replace('Z', ''), end_date: first },
      });
      expect(inPeriod.body.map(({ name }) => name)).toEqual(['b']);
    });
    status(200, 'tells when a key was last used, for paid and for free calls', async (world) => {
      const { clock } = world.service;
      const lastUsed = async () => (await callAs('listKeys', world, {})).body[0]?.last_used_at;
      expect(await lastUsed()).toBeNull();
      expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
      await until('the free call is noted', async () => (await lastUsed()) === clock.now().toISOString());
      clock.advance(1);
      await callAs('createMemory', world, { body: { key: 'k', value: 'v' } });
      expect(await lastUsed()).toBe(clock.now().toISOString());
    });
    status(200, 'does not count a refused use', async (world) => {
      await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
      expect(await keyVerdict(world, world.owner.key)).toBe('Invalid API key');
      expect((await callAs('listKeys', world, {})).body[0]?.last_used_at).toBeNull();
    });
  },
);

/** Creates keys a second apart and returns their secrets. */
async function create(world: World, names: string[]): Promise<string[]> {
  const secrets: string[] = [];
  for (const name of names) {
    world.service.clock.advance(1000);
    secrets.push((await callAs('createKey', world, { body: { name } })).body.key_value);
  }
  return secrets;
}

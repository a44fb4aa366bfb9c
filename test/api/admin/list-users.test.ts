import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { createAccount, type World } from '../../support/api/world';

describeOperation(
  'listUsers',
  () => ({}),
  (status) => {
    status(200, 'lists accounts of a status, of a period and by username', async (world) => {
      const { owner, stranger, admin } = world;
      await callAs('updateUser', world, { params: { user_id: stranger.id }, body: { is_active: false } });
      const emails = async (query: object) =>
        (await callAs('listUsers', world, { query: { limit: 100, ...query } })).body.users.map(
          ({ email }) => email,
        );
      expect(await emails({ status: 'Disabled' })).toContain(stranger.email);
      expect(await emails({ status: 'disabled' })).not.toContain(owner.email);
      expect(await emails({ status: 'active', search: stranger.email })).toEqual([]);
      await callAs('updateUser', world, { params: { user_id: owner.id }, body: { tier: 'basic' } });
      expect(await emails({ search: owner.email, tier: 'basic', role: 'user' })).toEqual([owner.email]);
      expect(await emails({ search: owner.email, tier: 'pro' })).toEqual([]);
      expect(await emails({ search: owner.email, role: 'admin' })).toEqual([]);
      const now = world.service.clock.now().toISOString();
      expect(await emails({ search: admin.email, start_date: now })).toEqual([admin.email]);
      expect(await emails({ search: admin.email, end_date: now })).toEqual([]);
      const { body } = await callAs('listUsers', world, {
        query: { sort: 'username', order: 'asc', limit: 100 },
      });
      const usernames = body.users.map(({ username }) => username);
      expect(usernames).toEqual(usernames.toSorted());
    });
    status(200, 'has each account with its balance, and no secret of it', async (world) => {
      await world.setBalanceUsd(world.owner, '123456.789012345');
      await world.setRates(world.owner, { requests_per_day: 7 });
      const answer = await callAs('listUsers', world, { query: { search: world.owner.email } });
      expect(answer.body).toEqual({
        users: [
          {
            id: world.owner.id,
            email: world.owner.email,
            username: expect.any(String),
            role: 'user',
            is_email_verified: false,
            created_at: world.service.clock.now().toISOString(),
            tier: 'enterprise',
            is_active: true,
            balance: 123456.789012345,
            rate_limits: {
              requests_per_second: null,
              requests_per_minute: null,
              requests_per_hour: null,
              requests_per_day: 7,
            },
          },
        ],
        total: 1,
        limit: 20,
        offset: 0,
      });
      expect(answer.text).not.toMatch(/argon2|password|svc_test|token/i);
    });
    status(
      200,
      'has each account on one page, whatever the order, though they were made at once',
      async (world) => {
        for (const sort of ['created_at', 'email']) {
          for (const order of ['asc', 'desc']) {
            const { body: all } = await callAs('listUsers', world, { query: { sort, order, limit: 100 } });
            expect(all.users).toHaveLength(all.total);
            const paged: string[] = [];
            for (let offset = 0; offset < all.total; offset += 7) {
              const { body } = await callAs('listUsers', world, { query: { sort, order, limit: 7, offset } });
              expect(body).toMatchObject({ total: all.total, limit: 7, offset });
              paged.push(...body.users.map(({ id }) => id));
            }
            expect(paged).toEqual(all.users.map(({ id }) => id));
            expect(new Set(paged).size).toBe(all.total);
          }
        }
      },
    );
    status(200, 'sorts by e-mail address, and by time with the newest first', async (world) => {
      world.service.clock.advance(1);
      const newest = await createAccount(world.service, { creditUsd: '0' });
      const byTime = await callAs('listUsers', world, { query: { limit: 1 } });
      expect(byTime.body.users[0]?.id).toBe(newest.id);
      const byEmail = await callAs('listUsers', world, {
        query: { sort: 'email', order: 'asc', limit: 100 },
      });
      const emails = byEmail.body.users.map(({ email }) => email);
      expect(emails).toEqual([...emails].sort());
    });
    status(
      200,
      'finds a part of an address or a name in any case, and takes wildcards literally',
      async (world) => {
        const { email } = world.owner;
        expect(await found(world, email.slice(2, 25).toUpperCase())).toEqual([world.owner.id]);
        expect(await found(world, '%')).toEqual([]);
        expect(await found(world, '_')).toEqual([]);
        expect(await found(world, "' OR 1=1 --")).toEqual([]);
      },
    );
  },
);

async function found(world: World, search: string): Promise<string[]> {
  const { body } = await callAs('listUsers', world, { query: { search } });
  return body.users.map(({ id }) => id);
}

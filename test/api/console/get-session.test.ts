import { Accounts } from '../../../src/accounts/accounts';
import { callAs } from '../../support/api/call-as';
import { BrowserSession, OWN_PAGE } from '../../support/api/browser-session';
import { describeOperation } from '../../support/api/describe-operation';

const HOUR_MS = 3_600_000;

describeOperation(
  'getSession',
  () => ({}),
  (status) => {
    status(
      401,
      'refuses a cookie that was made up or changed, without asking the database',
      async (world) => {
        const { cookie } = await BrowserSession.start(world);
        const changed = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`;
        const query = jest.spyOn(world.service.database, 'query');
        for (const shown of [changed, 'console=', 'console=abc.def', `other=1; ${changed}`]) {
          const answer = await world.service.call('getSession', {
            ip: world.ip,
            headers: { ...OWN_PAGE, cookie: shown },
          });
          expect([shown, answer.status]).toEqual([shown, 401]);
        }
        expect(query.mock.calls.filter(([sql]) => sql.includes('console_sessions'))).toEqual([]);
        query.mockRestore();
      },
    );
    status(401, 'refuses a session after 8 hours', async (world) => {
      const session = await BrowserSession.start(world);
      world.service.clock.advance(8 * HOUR_MS - 1);
      expect(await session.verdict()).toBe(200);
      world.service.clock.advance(1);
      expect(await session.verdict()).toBe('Invalid token');
    });
    status(401, 'refuses a session of a disabled account, also on another replica', async (world) => {
      const session = await BrowserSession.start(world);
      const replica = await world.service.startReplica();
      try {
        expect(await session.verdict(replica)).toBe(200);
        await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: false }));
        expect(await session.verdict(replica)).toBe('Invalid token');
        await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: true }));
        expect(await session.verdict()).toBe('Invalid token');
      } finally {
        await replica.stop();
      }
    });
    status(401, 'lets a credential in a header win, also one that is not valid', async (world) => {
      const session = await BrowserSession.start(world);
      const { stranger } = world;
      const read = (headers: Record<string, string>) => session.call('getSession', { headers });
      const answers = [
        await read({ authorization: 'Bearer nonsense' }),
        await read({ authorization: 'Basic bm9ib2R5OnNlY3JldA==' }),
        await read({ 'x-api-key': world.owner.key }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([401, 401, 401]);
      const other = await read({ authorization: `Bearer ${stranger.token}`, origin: 'https://evil.example' });
      expect(other.body).toMatchObject({ kind: 'token', user: { id: stranger.id } });
    });
    status(401, 'opens no operation for access keys', async (world) => {
      const session = await BrowserSession.start(world);
      const answer = await session.call('listModels');
      expect([answer.status, answer.body.error]).toEqual([401, 'Missing API key']);
    });
    status(200, 'says who is logged in, and how', async (world) => {
      const session = await BrowserSession.start(world);
      expect((await session.call('getSession')).body).toMatchObject({
        id: session.id,
        kind: 'cookie',
        user: { id: world.owner.id, email: world.owner.email },
      });
      const token = await callAs('getSession', world, {});
      expect(token.body).toMatchObject({ kind: 'token', password_valid_until: null });
    });
    status(200, 'reads beyond the rates of the tier, within a class of its own', async (world) => {
      await world.service.app.get(Accounts).update(world.owner.id, () => ({ tier: 'free' }));
      const session = await BrowserSession.start(world);
      expect((await callAs('getSession', world, {})).status).toBe(200);
      expect((await callAs('getSession', world, {})).status).toBe(429);
      const { body } = await session.call('getAccountLimits');
      expect(body.console.requests_per_second).toBe(10);
      const answers = await Promise.all(Array.from({ length: 10 }, () => session.call('getBalance')));
      const codes = answers.map((answer) => answer.status).sort();
      expect(codes).toEqual([...Array<number>(9).fill(200), 429]);
    });
  },
);

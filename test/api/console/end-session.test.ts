import { BrowserSession, OWN_PAGE } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'endSession',
  () => ({}),
  (status) => {
    status(401, 'refuses a stolen cookie after the log-out, on every replica', async (world) => {
      const session = await BrowserSession.start(world);
      const replica = await world.service.startReplica();
      try {
        expect(await session.verdict(replica)).toBe(200);
        const answer = await session.call('endSession');
        expect([answer.status, answer.headers['set-cookie']]).toEqual([
          204,
          'console=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
        ]);
        expect([await session.verdict(replica), await session.verdict()]).toEqual([
          'Invalid token',
          'Invalid token',
        ]);
        expect((await session.call('endSession', {}, replica)).status).toBe(401);
      } finally {
        await replica.stop();
      }
    });
    status(401, 'ends nothing for what another site makes the browser send', async (world) => {
      const session = await BrowserSession.start(world);
      const { origin, 'x-console': mark } = OWN_PAGE;
      // Any operation may be refused so, which the document says once and for all.
      const call = (headers: Record<string, string>) =>
        world.service.app.inject({
          method: 'DELETE',
          url: '/api/console/session',
          remoteAddress: world.ip,
          headers: { cookie: session.cookie, ...headers },
        });
      const answers = [
        await call({}),
        await call({ origin }),
        await call({ 'x-console': mark }),
        await call({ origin: 'https://evil.example', 'x-console': mark }),
        await call({ origin, 'x-console': mark, 'sec-fetch-site': 'cross-site' }),
      ];
      expect(answers.map((answer) => [answer.statusCode, answer.json<{ error: string }>().error])).toEqual(
        answers.map(() => [403, 'Access denied']),
      );
      expect(await session.verdict()).toBe(200);
    });
    status(204, "leaves the account's other sessions and tokens alone", async (world) => {
      const [session, other] = [await BrowserSession.start(world), await BrowserSession.start(world)];
      expect((await session.call('endSession')).status).toBe(204);
      expect(await other.verdict()).toBe(200);
      expect((await callAs('getSession', world, {})).status).toBe(200);
    });
  },
);

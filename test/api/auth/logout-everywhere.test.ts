import { BrowserSession } from '../../support/api/browser-session';
import { keyVerdict, tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'logoutEverywhere',
  ({ owner }) => ({ credential: owner.token }),
  (status) => {
    status(204, 'ends every token and session of the account on every replica, and no key', async (world) => {
      const [session, other] = [await BrowserSession.start(world), await BrowserSession.start(world)];
      const replica = await world.service.startReplica();
      try {
        expect([await session.verdict(replica), await other.verdict(replica)]).toEqual([200, 200]);
        expect((await session.call('logoutEverywhere')).status).toBe(204);
        expect([await session.verdict(), await other.verdict(replica)]).toEqual([
          'Invalid token',
          'Invalid token',
        ]);
        expect(await tokenVerdict(world, world.owner.token, replica)).toBe('Invalid token');
        expect(await keyVerdict(world, world.owner.key)).toBe('accepted');
        expect(await tokenVerdict(world, world.stranger.token)).toBe('accepted');
      } finally {
        await replica.stop();
      }
    });
  },
);

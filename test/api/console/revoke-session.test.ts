import { BrowserSession } from '../../support/api/browser-session';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'revokeSession',
  async (world) => ({ params: { session_id: (await BrowserSession.start(world)).id } }),
  (status) => {
    status(404, "does not end another account's session", async (world) => {
      const [session, other] = [
        await BrowserSession.start(world),
        await BrowserSession.start(world, world.stranger),
      ];
      const answer = await session.call('revokeSession', { params: { session_id: other.id } });
      expect(answer.status).toBe(404);
      expect(await other.verdict()).toBe(200);
    });
    status(204, 'ends another browser of the account', async (world) => {
      const [session, other] = [await BrowserSession.start(world), await BrowserSession.start(world)];
      const params = { session_id: other.id };
      expect((await session.call('revokeSession', { params })).status).toBe(204);
      expect([await other.verdict(), await session.verdict()]).toEqual(['Invalid token', 200]);
      expect((await session.call('revokeSession', { params })).status).toBe(404);
    });
  },
);

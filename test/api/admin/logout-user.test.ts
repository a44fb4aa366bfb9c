import { actionsOn } from '../../support/api/admin-actions';
import { BrowserSession } from '../../support/api/browser-session';
import { callAs } from '../../support/api/call-as';
import { tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'logoutUser',
  ({ owner }) => ({ params: { user_id: owner.id }, body: {} }),
  (status) => {
    status(204, "ends the account's tokens and sessions, and notes who did", async (world) => {
      const session = await BrowserSession.start(world);
      const request = { params: { user_id: world.owner.id }, body: { reason: 'A laptop was stolen.' } };
      expect((await callAs('logoutUser', world, request)).status).toBe(204);
      expect(await session.verdict()).toBe('Invalid token');
      expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
      expect(await tokenVerdict(world, world.stranger.token)).toBe('accepted');
      expect(await actionsOn(world)).toMatchObject([
        { operation: 'logoutUser', admin_id: world.admin.id, reason: 'A laptop was stolen.' },
      ]);
    });
  },
);

import { Accounts } from '../../../src/accounts/accounts';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'createPasswordReset',
  ({ owner }) => ({ params: { user_id: owner.id }, body: {} }),
  (status) => {
    status(409, 'refuses a disabled account', async (world) => {
      await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: false }));
      const request = { params: { user_id: world.owner.id }, body: {} };
      expect((await callAs('createPasswordReset', world, request)).status).toBe(409);
    });
    status(200, 'makes a link that works, and notes who did, without the link', async (world) => {
      const request = { params: { user_id: world.owner.id }, body: { reason: 'Asked by telephone.' } };
      const { body } = await callAs('createPasswordReset', world, request);
      expect(body).toMatchObject({ url: null, path: expect.stringMatching(/^console\/#token=/) as string });
      const [, token = ''] = body.path.split('#token=');
      const [action, ...others] = await actionsOn(world);
      expect([action?.operation, action?.reason, others]).toEqual([
        'createPasswordReset',
        'Asked by telephone.',
        [],
      ]);
      expect(JSON.stringify(action)).not.toContain(token);
      const reset = { token, new_password: 'seven silver trains at dawn' };
      expect((await callAs('resetPassword', world, { body: reset })).status).toBe(200);
    });
  },
);

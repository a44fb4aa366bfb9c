import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'getCurrentUser',
  () => ({}),
  (status) => {
    status(200, 'returns the account of the token, and nothing of its secrets', async (world) => {
      const { id, email } = world.owner;
      const answer = await callAs('getCurrentUser', world, {});
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ id, email, role: 'user', is_email_verified: false });
      expect(answer.text).not.toMatch(/argon|hash|version/);
    });
    status(200, 'tells accounts apart', async (world) => {
      const answers = [
        await callAs('getCurrentUser', world, {}, world.stranger),
        await callAs('getCurrentUser', world, {}, world.admin),
      ];
      expect(answers.map(({ body }) => [body.id, body.role])).toEqual([
        [world.stranger.id, 'user'],
        [world.admin.id, 'admin'],
      ]);
    });
  },
);

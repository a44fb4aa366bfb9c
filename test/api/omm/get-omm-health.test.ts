import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';

describeOperation(
  'getOmmHealth',
  () => ({}),
  (status) => {
    status(200, 'tells anyone status, version and time', async (world) => {
      const answer = await callAs('getOmmHealth', world, {});
      const timestamp = world.service.clock.now().toISOString();
      expect(answer.body).toEqual({ status: 'ok', version: '1.0', timestamp });
    });
    status(200, 'is not limited, and asks for no credential that could be wrong', async (world) => {
      const headers = { 'x-api-key': 'svc_test_wrong', authorization: 'Bearer wrong' };
      const calls = Array.from({ length: 50 }, () => callAs('getOmmHealth', world, { headers }));
      const answers = await Promise.all(calls);
      expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
      expect(answers[0]?.headers['x-ratelimit-limit']).toBeUndefined();
    });
  },
);

import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { TestService } from '../../support/api/service';

describeOperation(
  'getLiveness',
  () => ({}),
  (status) => {
    status(200, 'tells anyone that the process lives', async (world) => {
      const answer = await callAs('getLiveness', world, {});
      const timestamp = world.service.clock.now().toISOString();
      expect(answer.body).toEqual({ status: 'ok', version: '1.0', timestamp });
    });
    status(200, 'is not limited', async (world) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => callAs('getLiveness', world, {})));
      expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    });
    status(200, 'does not depend on the database: a restart would not bring it back', async () => {
      const service = await TestService.start();
      try {
        await service.database.destroy();
        expect((await service.call('getLiveness')).status).toBe(200);
      } finally {
        await service.stop();
      }
    });
  },
);

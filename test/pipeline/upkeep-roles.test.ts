import { SchedulerRegistry } from '@nestjs/schedule';
import { createWorker } from '../../src/application';
import { Configuration } from '../../src/config/configuration';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { ManualClock } from '../../src/runtime/clock';
import { TestService } from '../support/api/service';
import { createTestDatabase } from '../support/api/test-database';

const JOBS = 13;

describe('the jobs on a timer', () => {
  it.each([
    ['all', JOBS],
    ['api', 0],
  ])('in a process of role %s: %d', async (role, jobs) => {
    const service = await TestService.start({ ROLE: role });
    try {
      expect(jobsIn(service.app)).toBe(jobs);
    } finally {
      await service.stop();
    }
  });

  it('all run in a worker, and end with it', async () => {
    const database = await createTestDatabase();
    const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
    const environment = {
      DATABASE_URL: database.url,
      JWT_SECRET: jwtSecret,
      LOG_LEVEL: 'fatal',
      ROLE: 'worker',
      ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
    };
    const configuration = Configuration.read(environment);
    const worker = await createWorker({
      configuration,
      databaseUrl: new DatabaseUrl(database.url),
      jwtSecret,
      clock: new ManualClock(),
    });
    expect(jobsIn(worker)).toBe(JOBS);
    await worker.close();
    expect(jobsIn(worker)).toBe(0);
    await database.drop();
  });

  function jobsIn(app: Pick<TestService['app'], 'get'>): number {
    try {
      return app.get(SchedulerRegistry, { strict: false }).getIntervals().length;
    } catch {
      return 0;
    }
  }
});

import { createWorker, startBackgroundWork } from '../../src/application';
import { Configuration } from '../../src/config/configuration';
import { DatabaseUrl } from '../../src/database/connection-pool';
import { TestService } from '../support/api/service';
import { createTestDatabase } from '../support/api/test-database';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { endedTask, exampleBody, submitTask } from '../support/tasks/task-scene';

it('runs tasks in a process of role worker that a process of role api has taken', async () => {
  const database = await createTestDatabase();
  const service = await TestService.start({ ROLE: 'api' }, database);
  startBackgroundWork(service.app, 'api');
  const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
  const worker = await createWorker({
    configuration: Configuration.read({
      DATABASE_URL: database.url,
      JWT_SECRET: jwtSecret,
      LOG_LEVEL: 'fatal',
      ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
      ROLE: 'worker',
    }),
    databaseUrl: new DatabaseUrl(database.url),
    jwtSecret,
    clock: service.clock,
  });
  startBackgroundWork(worker, 'worker');
  const world = await World.create(service);
  const memory = await submitTask(world);
  const parameters = exampleBody('createChatCompletion');
  const chat = await submitTask(world, { task_type: 'createChatCompletion', parameters });
  expect(await endedTask(world, memory.id)).toMatchObject({ status: 'succeeded', cost: 0.0001 });
  expect(await endedTask(world, chat.id)).toMatchObject({
    status: 'succeeded',
    result: { object: 'chat.completion', model: 'embedded-extractive-1' },
  });
  expect(await ledgerFaults(service.database)).toEqual([]);
  await worker.close();
  await service.stop();
});

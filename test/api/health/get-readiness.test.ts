import { Client } from 'pg';
import { Models } from '../../../src/models/models';
import { HealthService } from '../../../src/modules/system/system';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { refusingBaseUrl } from '../../support/upstream/raw-upstream';
import { TestService } from '../../support/api/service';

const LOOKED_AT_EVERY_MS = 1_000;

describeOperation(
  'getReadiness',
  () => ({}),
  (status) => {
    status(503, 'names the database while it refuses connections, and is ready when it is back', () =>
      withOwnService(async (service) => {
        await setConnections(service, false);
        const answer = await service.call('getReadiness');
        expect(answer.status).toBe(503);
        expect(JSON.parse(answer.text)).toEqual({
          error: 'Service Unavailable',
          message: 'The service cannot serve calls right now.',
          request_id: answer.headers['x-request-id'],
          status: 'unavailable',
          version: '1.0',
          timestamp: service.clock.now().toISOString(),
          checks: [
            { name: 'database', status: 'unavailable', detail: 'The database does not answer.' },
            { name: 'process', status: 'ok' },
          ],
        });
        await setConnections(service, true);
        service.clock.advance(LOOKED_AT_EVERY_MS);
        expect((await service.call('getReadiness')).status).toBe(200);
      }),
    );
    status(503, 'tells nothing of how the database is reached', () =>
      withOwnService(async (service) => {
        await setConnections(service, false);
        const { text } = await service.call('getReadiness');
        const { hostname, port, username, pathname } = new URL(service.databaseUrl);
        for (const detail of [
          hostname,
          port,
          username,
          pathname.slice(1),
          'ECONN',
          'not currently accepting',
        ]) {
          expect(text).not.toContain(detail);
        }
      }),
    );
    status(503, 'names the process once it has begun to shut down', () =>
      withOwnService(async (service) => {
        service.app.get(HealthService).onModuleDestroy();
        const answer = await service.call('getReadiness');
        expect(answer.status).toBe(503);
        expect(JSON.parse(answer.text)).toMatchObject({
          checks: [
            { name: 'database', status: 'ok' },
            { name: 'process', status: 'unavailable', detail: 'The process is shutting down.' },
          ],
        });
        expect((await service.call('getLiveness')).status).toBe(200);
      }),
    );
    status(200, 'tells what was checked', async (world) => {
      const answer = await callAs('getReadiness', world, {});
      expect(answer.body).toEqual({
        status: 'ok',
        version: '1.0',
        timestamp: world.service.clock.now().toISOString(),
        checks: [
          { name: 'database', status: 'ok' },
          { name: 'process', status: 'ok' },
        ],
      });
    });
    status(200, 'shows upstreams that fail, which is no reason to send the calls elsewhere', async () => {
      const baseUrl = await refusingBaseUrl();
      const upstreams = ['first', 'second'].map((name) => ({ name, base_url: baseUrl, api_key: 'sk-1234' }));
      await withOwnService(
        async (service) => {
          const before = await service.call('getReadiness');
          expect(before.body.checks.slice(2)).toEqual([
            { name: 'upstream first', status: 'ok' },
            { name: 'upstream second', status: 'ok' },
          ]);
          await service.app.get(Models).list();
          const answer = await service.call('getReadiness');
          expect([answer.status, answer.body.status]).toEqual([200, 'ok']);
          expect(answer.body.checks.slice(2)).toEqual([
            { name: 'upstream first', status: 'unavailable', detail: 'It does not list its models.' },
            { name: 'upstream second', status: 'unavailable', detail: 'It does not list its models.' },
          ]);
          for (const secret of ['127.0.0.1', new URL(baseUrl).port, 'sk-1234']) {
            expect(answer.text).not.toContain(secret);
          }
        },
        { UPSTREAMS: JSON.stringify(upstreams) },
      );
    });
    status(200, 'is not limited', async (world) => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => callAs('getReadiness', world, {})));
      expect(answers.filter((answer) => answer.status !== 200)).toEqual([]);
    });
  },
);

async function withOwnService(
  test: (service: TestService) => Promise<void>,
  environment: Record<string, string> = {},
): Promise<void> {
  const service = await TestService.start(environment);
  await test(service).finally(() => service.stop());
}

/** Closes a database to everybody and ends who is connected, or opens it again. */
async function setConnections({ databaseUrl }: TestService, allowed: boolean): Promise<void> {
  const database = new URL(databaseUrl).pathname.slice(1);
  const client = new Client(process.env.TEST_POSTGRES_URL);
  await client.connect();
  try {
    await client.query(`ALTER DATABASE ${database} ALLOW_CONNECTIONS ${allowed}`);
    await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [
      database,
    ]);
  } finally {
    await client.end();
  }
}

import { startBackgroundWork } from '../../src/application';
import { DatabaseUrl, requireFitPooler } from '../../src/database/connection-pool';
import { ReconciliationRepository } from '../../src/ledger/reconciliation';
import { callAs } from '../support/api/call-as';
import { keyVerdict } from '../support/api/credential-verdict';
import { TestService } from '../support/api/service';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { Pooler } from '../support/processes/pooler';
import { HttpsReceiver } from '../support/receiver/https-receiver';
import { endedTask, exampleBody, submitTask } from '../support/tasks/task-scene';
import { until } from '../support/until';

const { poolerCommand = '' } = globalThis as { poolerCommand?: string };
const PASSWORD = 'correct horse battery staple';
const CHAT = {
  model: 'embedded-extractive-1',
  max_tokens: 50,
  messages: [{ role: 'user', content: 'The library opens at nine. When does the library open?' }],
};

describe('through a pooler that gives each transaction another session', () => {
  let pooler: Pooler;
  let database: TestDatabase;
  let receiver: HttpsReceiver;
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    database = await createTestDatabase();
    pooler = await Pooler.start(poolerCommand, database.url);
    receiver = await HttpsReceiver.start();
    const addresses = { DATABASE_URL: pooler.urlOf(database.url), DATABASE_SESSION_URL: database.url };
    service = await TestService.start({ ...addresses, ...receiver.environment }, database);
    startBackgroundWork(service.app, 'all');
    world = await World.create(service);
  });
  afterAll(async () => {
    await service?.stop();
    await pooler?.stop();
    await receiver?.close();
  });

  it('registers an account, which is credited and pays for a chat by a key of its own', async () => {
    const login = { email: 'pooled@example.com', password: PASSWORD };
    expect((await callAs('register', world, { body: { ...login, username: 'pooled' } })).status).toBe(201);
    const { body: session } = await callAs('login', world, { body: login });
    const [{ id } = { id: '' }] = await service.database.query<{ id: string }[]>(
      `SELECT id FROM accounts WHERE email = 'pooled@example.com'`,
    );
    const credit = { user_id: id, amount_usd: 5, reason: 'Bank transfer' };
    expect((await callAs('addCredits', world, { body: credit })).status).toBe(201);
    const made = await service.call('createKey', { credential: session.token, body: { name: 'own' } });
    expect(made.status).toBe(201);
    // A new account may make few calls a second.
    service.clock.advance(60_000);
    const chat = { credential: made.body.key_value, ip: world.ip, body: CHAT };
    expect(await service.call('createChatCompletion', chat)).toMatchObject({ status: 200 });
    expect(await world.balanceNanoUsd({ ...world.owner, id })).toBeLessThan(5_000_000_000n);
  });

  it('stores a memory, runs a task and delivers its event', async () => {
    const webhook = { url: receiver.url(), events: ['*'] };
    expect((await callAs('createWebhook', world, { body: webhook })).status).toBe(201);
    const memory = { key: 'a', value: 'b' };
    expect((await callAs('createMemory', world, { body: memory })).status).toBe(201);
    const task = await submitTask(world, {
      task_type: 'createChatCompletion',
      parameters: exampleBody('createChatCompletion'),
    });
    expect(await endedTask(world, task.id)).toMatchObject({ status: 'succeeded' });
    await until('the event is delivered', () => receiver.requests.length > 0);
  });

  it('has a key that was revoked on one replica accepted on none', async () => {
    const replica = await service.startReplica();
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
    const revoked = await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
    expect(revoked.status).toBe(200);
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('Invalid API key');
    await replica.stop();
  });

  it('has books that agree', async () => {
    const { mismatches, accounts } = await service.app.get(ReconciliationRepository).reconcile();
    expect([mismatches, accounts]).toEqual([[], 4]);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });

  it('opens no session beside it but to hear and to charge', async () => {
    const rows = await service.database.query<{ name: string; connections: number }[]>(
      `SELECT application_name AS name, count(*)::integer AS connections FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('session', 'ledger') GROUP BY 1 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { name: 'ledger', connections: 1 },
      { name: 'session', connections: 1 },
    ]);
  });

  it('is refused while nothing bounds its statements, and where its addresses lead to two places', async () => {
    const url = (session = database.url) => new DatabaseUrl(pooler.urlOf(database.url), session);
    const name = new URL(database.url).pathname.slice(1);
    await expect(requireFitPooler(url())).rejects.toThrow(`"${name}" SET statement_timeout = '4500ms'`);
    const other = await createEmptyDatabase();
    await expect(requireFitPooler(url(other.url))).rejects.toThrow('different databases');
    await other.drop();
    await service.database.query(
      `ALTER ROLE CURRENT_USER IN DATABASE "${name}" SET statement_timeout = '4s'`,
    );
    // The sessions that the pooler has do not know yet.
    await pooler.stop();
    pooler = await Pooler.start(poolerCommand, database.url);
    await requireFitPooler(url());
  });
});

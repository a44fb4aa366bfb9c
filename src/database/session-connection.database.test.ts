import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { registerOf } from '../../test/support/database/process-register';
import { TcpProxy } from '../../test/support/processes/tcp-proxy';
import { until } from '../../test/support/until';
import { dataSourceOptions } from './data-source';

describe('the session of a process', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 2)).initialize();
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  /** With a channel of its own; it is told what it hears, and that it may have missed something. */
  function open(url = testDatabase.url) {
    const register = registerOf(database, url);
    const heard: string[] = [];
    const missed = jest.fn();
    register.listen('news', (text) => heard.push(text), missed);
    return { register, heard, missed };
  }

  it('notices that nothing comes over its connection any more, and hears again when it may', async () => {
    const url = new URL(testDatabase.url);
    const network = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(network.port);
    const { register, heard, missed } = open(url.href);
    await register.onModuleInit();
    expect([register.isHeard, missed.mock.calls.length]).toEqual([true, 1]);

    network.state = 'losing everything';
    await until('whoever listens is told', () => missed.mock.calls.length === 2);
    expect(register.isHeard).toBe(false);

    network.state = 'whole';
    await until('it listens again', () => register.isHeard);
    expect(missed.mock.calls.length).toBe(3);
    const sender = new Client(testDatabase.url);
    await sender.connect();
    await sender.query(`NOTIFY news, 'again'`);
    await until('the notification is heard', () => heard.includes('again'));
    await sender.end();
    await register.onApplicationShutdown();
    await network.stop();
  });

  it('lets one process lead, another when that one stops, and a third when the connection of that one is gone', async () => {
    const processes = [open(), open(), open()] as const;
    const [first, second, third] = processes;
    const leading = () => processes.map(({ register }) => register.isLeading);
    await first.register.work();
    await Promise.all([1, 2].map(() => second.register.work()));
    expect([leading(), second.missed.mock.calls.length]).toEqual([[true, false, false], 1]);

    first.register.onModuleDestroy();
    await until('the second leads', () => second.register.isLeading);
    expect([leading(), second.missed.mock.calls.length]).toEqual([[false, true, false], 2]);

    await third.register.work();
    await until('two work', () => [second, third].every(({ register }) => register.workers === 2));
    await database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND objid = 7310004
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await until('one of both leads', () => second.register.isLeading || third.register.isLeading);
    expect(leading().filter((leads) => leads)).toHaveLength(1);
    await Promise.all(processes.map(({ register }) => register.onApplicationShutdown()));
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Configuration } from '../../src/config/configuration';
import { dataSourceOptions } from '../../src/database/data-source';
import { LOCAL_SERVERS, type LocalServer, withLocalServers } from '../../src/models/upstream/upstream-models';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { World } from '../support/api/world';
import { RedisServer } from '../support/redis/redis-server';
import { until } from '../support/until';
import { RawUpstream, type Script } from '../support/upstream/raw-upstream';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';

const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
const MAIN = join(__dirname, '../../dist/src/main.js');
/** The last that a process says of its start. */
const STARTED = /^(?:Documentation|The process of role)/m;
const TEST = /SERVICE_ENVIRONMENT is test.*BTC, ETH, SOL.*SERVICE_ENVIRONMENT=live/;
const NO_ADMIN = /No account is an active admin.*ADMIN_EMAIL and ADMIN_PASSWORD/;

describe('a start with a file that is not valid', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'start-'));
  });
  afterAll(async () => rm(folder, { recursive: true }));

  it.each(['RATE_TIERS_FILE', 'PRICES_FILE', 'PAYMENT_CONFIRMATIONS_FILE'])(
    'ends by naming %s, before anything is written',
    async (variable) => {
      const data = join(folder, variable);
      const child = spawn(process.execPath, [MAIN], {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: data,
          PORT: '0',
          [variable]: folder,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      const said = text(child.stderr);
      const [code] = (await once(child, 'close')) as [number];
      expect([code, await said, existsSync(data)]).toEqual([
        1,
        expect.stringContaining(`${variable} (${folder})`),
        false,
      ]);
    },
  );
});

describe('a start with a Redis that has no database of the number', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await RedisServer.start();
  });
  afterAll(() => redis.kill());

  it('ends by naming REDIS_URL', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, PORT: '0', REDIS_URL: `${redis.url}/99` },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const [code] = (await once(child, 'close')) as [number];
    expect([code, await said]).toEqual([
      1,
      'The configuration is not valid:\n  REDIS_URL: Redis has no database 99\n',
    ]);
  });
});

describe('a migration that fails', () => {
  let database: TestDatabase;
  let holder: DataSource;
  beforeAll(async () => {
    database = await createTestDatabase();
    holder = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
  });
  afterAll(async () => {
    await holder.destroy();
    await database.drop();
  });

  it('says in one line that the database has ended its session', async () => {
    const runner = holder.createQueryRunner();
    await runner.query('SELECT pg_advisory_lock(7310001)');
    const child = spawn(process.execPath, [MAIN], {
      env: { PATH: process.env.PATH, ROLE: 'migrate', DATABASE_URL: database.url },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    const closed = once(child, 'close');
    await until('it waits for its turn, and its session is ended', async () => {
      const ended: object[] = await holder.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%pg_advisory_xact_lock%'`);
      return ended.length > 0;
    });
    expect(await closed).toEqual([1, null]);
    expect(await said).toBe(
      'The database ended the start, which may be tried again: terminating connection due to administrator command\n',
    );
    await runner.release();
  });

  it('says in one line that what shall be distributed is no Citus', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        ROLE: 'migrate',
        DATABASE_URL: database.url,
        DISTRIBUTE_SCHEMAS: 'true',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = text(child.stderr);
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(await said).toMatch(/^DISTRIBUTE_SCHEMAS is true, and the database is no Citus: .+\n$/);
  });
});

describe('a start that may not migrate, on a database without the queue', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    // As a migration leaves it that was given a REDIS_URL.
    const owner = await new DataSource(dataSourceOptions(database.url, 1)).initialize();
    await owner.query('DROP SCHEMA bullmq CASCADE');
    await owner.destroy();
  });
  afterAll(() => database.drop());

  it('ends by saying so', async () => {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
        JWT_SECRET,
        MIGRATE_AT_START: 'false',
        PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = text(child.stderr);
    child.stdout.on('data', (chunk: Buffer) => STARTED.test(chunk.toString()) && child.kill('SIGTERM'));
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(await said).toMatch(/^The database lacks the tables of the queue.*ROLE=migrate.*\n$/);
  });
});

const MODELS = { object: 'list', data: [{ id: 'small-chat' }, { id: 'small-embed' }] };
const script: Script = ({ path, body }) =>
  path.endsWith('/models') ? jsonReaction(MODELS) : jsonReaction(chatAnswer(String(body?.model)));

/** A server of models where one usually listens, at the first of those ports that nobody has. */
async function localServer(): Promise<{ place: LocalServer; server: RawUpstream }> {
  for (const place of LOCAL_SERVERS) {
    const server = await RawUpstream.start(script, place.port).catch(() => null);
    if (server) {
      return { place, server };
    }
  }
  throw new Error('all usual ports are taken');
}

describe('a start with UPSTREAMS', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => database.drop());

  it('absent says which groups want a model, and how to give one', async () => {
    const said = await announcementOf(database, {});
    expect(said).toMatch(/stories.*creative.* answer 503; in part do .*legal/s);
    expect(said).toMatch(/UPSTREAMS=local .*UPSTREAMS=https:/s);
  });

  it('local asks the server of models that runs on this machine', async () => {
    const { place, server } = await localServer();
    try {
      const said = await announcementOf(database, { UPSTREAMS: 'local' });
      expect(said).toContain(`Models             ${place.name} at ${server.baseUrl}: 2 models`);
      expect(said).not.toContain('answer 503');
      const { environment } = await withLocalServers({ UPSTREAMS: 'local' });
      const service = await TestService.start({ UPSTREAMS: environment.UPSTREAMS ?? '' });
      const world = await World.create(service);
      const body = { model: 'small-chat', messages: [{ role: 'user', content: 'Hello?' }] };
      const answer = await callAs('createChatCompletion', world, { body });
      await service.stop();
      expect([answer.status, answer.headers['x-model-used']]).toEqual([200, 'small-chat']);
      expect(server.lastCall.body?.model).toBe('small-chat');
    } finally {
      await server.stop();
    }
  });
});

/** What a process says at its start, after which it is stopped. */
async function announcementOf({ url }: TestDatabase, environment: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: url,
      ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
      JWT_SECRET,
      PORT: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (/^Models /m.test(said) && said.endsWith('\n\n')) {
      child.kill('SIGTERM');
    }
  });
  await once(child, 'close');
  return said.slice(said.indexOf('Service  '));
}

describe('a start on a database of the operator', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(async () => database.drop());

  /** Starts the service and stops it again; the warnings that it logs meanwhile. */
  async function warningsOf(environment: Record<string, string>): Promise<string[]> {
    const child = spawn(process.execPath, [MAIN], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
        JWT_SECRET,
        LOG_LEVEL: 'warn',
        PORT: '0',
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (STARTED.test(said)) {
        child.kill('SIGTERM');
      }
    });
    await once(child, 'close');
    expect(said).toMatch(STARTED);
    return said
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => (JSON.parse(line) as { message: string }).message);
  }

  it.each(['all', 'worker'])(
    'as %s warns once of the test environment, and once of missing admins',
    async (ROLE) => {
      const warnings = await warningsOf({ ROLE });
      expect(warnings.sort()).toEqual([expect.stringMatching(NO_ADMIN), expect.stringMatching(TEST)]);
    },
  );

  it('in live, with an admin, warns of nothing, and later needs no ADMIN_EMAIL', async () => {
    const live = { SERVICE_ENVIRONMENT: 'live' };
    const admin = { ADMIN_EMAIL: 'ada@example.com', ADMIN_PASSWORD: 'a long and lovely password' };
    const logged = jest.spyOn(Logger.prototype, 'warn');
    const kept = { url: database.url, drop: () => Promise.resolve() };
    for (const environment of [{ ...live, ...admin }, live]) {
      await (await TestService.start(environment, kept)).stop();
      // What the process logs besides, as the tests above show.
      const { warnings } = Configuration.read({ DATABASE_URL: database.url, JWT_SECRET, ...environment });
      expect([warnings, logged.mock.calls]).toEqual([[], []]);
    }
  });
});

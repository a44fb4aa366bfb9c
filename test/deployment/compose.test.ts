import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { UsageUpkeep } from '../../src/upkeep/usage-upkeep';
import {
  createEmptyDatabase,
  createTestDatabase,
  migrateTestDatabase,
  type TestDatabase,
} from '../support/api/test-database';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';

const ROOT = join(__dirname, '../..');
const PASSWORD = "a password with a ' in it";

interface Compose {
  services: Record<string, { environment: Record<string, string>; command?: string; volumes?: string[] }>;
}

describe('docker-compose.yml', () => {
  const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8')) as Compose;

  it('passes the trusted proxies on', () =>
    expect(services.api?.environment.TRUSTED_PROXIES).toBe('${TRUSTED_PROXIES:-}'));

  it('passes all settings of payments on', () => {
    const settings = readFileSync(join(ROOT, 'src/config/environment.ts'), 'utf8').match(
      /\b(BTC|ETH|SOL|PAYMENT|PRICE)_[A-Z_]+\b/g,
    );
    expect(settings).toHaveLength(12);
    expect(services.api?.environment).toMatchObject(
      Object.fromEntries((settings ?? []).map((name) => [name, `\${${name}:-}`])),
    );
  });

  it('lets Redis drop nothing, which might be the lock of a running job', () =>
    expect(services.redis?.command).toMatch(/--maxmemory-policy noeviction$/));

  it('connects the service as a role of its own, which the image of Postgres makes', () => {
    expect(new URL(services.api?.environment.DATABASE_URL ?? '').username).toBe('service');
    expect(services.postgres?.environment.DATABASE_PASSWORD).toContain('DATABASE_PASSWORD');
    expect(services.postgres?.volumes).toContainEqual(
      expect.stringMatching(
        /^\.\/docker\/postgres\/10-service-role\.sql:\/docker-entrypoint-initdb\.d\/.*\.sql:ro$/,
      ),
    );
  });
});

describe("the service's role", () => {
  const databases: TestDatabase[] = [];
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.drop()));
    await asSuperuser(process.env.TEST_POSTGRES_URL ?? '', 'DROP ROLE service');
  });

  it('is all that migrations and calls need, on an empty database', async () => {
    const database = await createEmptyDatabase();
    databases.push(database);
    await expectServed(await withRole(database));
  });

  it('takes over a database that a superuser has migrated', async () => {
    const database = await createTestDatabase();
    databases.push(database);
    await expectServed(await withRole(database));
  });

  async function expectServed(database: TestDatabase): Promise<void> {
    await migrateTestDatabase(database);
    const service = await TestService.start({}, { ...database, drop: () => Promise.resolve() });
    const [role] = await service.database.query(
      `SELECT rolname, rolsuper, rolcreatedb, rolcreaterole, pg_has_role(oid, 'pg_read_server_files', 'usage') AS reads_files
       FROM pg_roles WHERE rolname = current_user`,
    );
    expect(role).toEqual({
      rolname: 'service',
      rolsuper: false,
      rolcreatedb: false,
      rolcreaterole: false,
      reads_files: false,
    });
    const account = await createAccount(service, { creditUsd: '1' });
    const made = await service.call('createMemory', {
      credential: account.key,
      body: { key: 'k', value: 'v' },
    });
    expect(made.status).toBe(201);
    await service.app.get(UsageUpkeep, { strict: false }).run();
    const foreign: unknown[] = await service.database.query(
      `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relowner <> 'service'::regrole`,
    );
    expect(foreign).toEqual([]);
    await service.stop();
  }
});

/** Runs the file as psql would, on this database instead of `app`, and returns the database as the role sees it. */
async function withRole(database: TestDatabase): Promise<TestDatabase> {
  const url = new URL(database.url);
  const sql = readFileSync(join(ROOT, 'docker/postgres/10-service-role.sql'), 'utf8')
    .replaceAll(/^\\.*$/gm, '')
    .replaceAll(/\bDATABASE app\b/g, `DATABASE ${url.pathname.slice(1)}`)
    .replaceAll(":'password'", new Client().escapeLiteral(PASSWORD));
  await asSuperuser(database.url, sql);
  url.username = 'service';
  url.password = encodeURIComponent(PASSWORD);
  return { ...database, url: url.href };
}

async function asSuperuser(url: string, sql: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

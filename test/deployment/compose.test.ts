import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { parse } from 'yaml';
import { Configuration, VARIABLES } from '../../src/config/configuration';
import { SECRET_VARIABLES } from '../../src/config/environment';
import { UsageUpkeep } from '../../src/ledger/ledger.module';
import {
  createEmptyDatabase,
  createTestDatabase,
  migrateTestDatabase,
  type TestDatabase,
} from '../support/api/test-database';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';

const ROOT = join(__dirname, '../..');

/** What the composition decides itself. All other settings are left to service.env. */
const DECIDED = [
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'DATABASE_PASSWORD',
  'DATABASE_URL',
  'HOST',
  'JWT_SECRET',
  'METRICS_TOKEN',
  'MIGRATE_AT_START',
  'PORT',
  'REDIS_PASSWORD',
  'REDIS_URL',
  'ROLE',
  'SERVICE_ENVIRONMENT',
  'TRUSTED_PROXIES',
];
const PASSWORD = "a password with a ' in it";

const SECRET = '0123456789abcdefghijklmnopqrstuvwxyz';

interface ComposeService {
  environment: Record<string, string>;
  env_file?: unknown[];
  command?: string | string[];
  read_only?: boolean;
  tmpfs?: string[];
  mem_limit?: string;
  logging?: { driver: string; options: Record<string, string> };
  volumes?: string[];
  networks?: string[] | Record<string, { ipv4_address: string }>;
  secrets?: string[];
  restart?: string;
  deploy?: { replicas: number };
  ports?: string[];
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  healthcheck?: { test?: string[] };
  depends_on?: Record<string, { condition: string }>;
}

interface Compose {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: { edge: { ipam: { config: { subnet: string; ip_range: string }[] } } };
}

describe('docker-compose.yml', () => {
  const compose = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
  const { services } = compose;
  const serving = ['api', 'worker'].map((name) => services[name]);

  it('runs two replicas of the API and two workers, and lets nobody past the proxy', () => {
    expect(serving.map((service) => [service?.environment.ROLE, service?.deploy?.replicas])).toEqual([
      ['api', 2],
      ['worker', 2],
    ]);
    const open = Object.keys(services).filter((name) => services[name]?.ports);
    expect(open).toEqual(['proxy']);
    // Without a name for TLS, passwords would cross the network as they are.
    for (const port of services.proxy?.ports ?? []) {
      expect(port).toMatch(/^\$\{BIND_ADDRESS:-127\.0\.0\.1\}:/);
    }
  });

  it('takes from all that clients reach what it does not need', () => {
    for (const name of ['proxy', 'api', 'worker']) {
      const { cap_drop, cap_add = [], security_opt } = services[name] ?? {};
      expect([cap_drop, security_opt]).toEqual([['ALL'], ['no-new-privileges:true']]);
      expect(cap_add).toEqual(name === 'proxy' ? ['NET_BIND_SERVICE'] : []);
    }
  });

  it.each(Object.keys(services))(
    'lets %s write to its volumes alone, and take no more than its share',
    (name) => {
      const { read_only, tmpfs, mem_limit, logging } = services[name] ?? {};
      expect([read_only, tmpfs?.[0], mem_limit]).toEqual([
        true,
        expect.stringMatching(/^\/tmp\b/),
        expect.stringMatching(/^(\$\{\w+:-)?\d+[gm]\}?$/),
      ]);
      expect(logging).toEqual({ driver: 'local', options: { 'max-size': '20m', 'max-file': '5' } });
    },
  );

  it('gives Redis its password by a file, which neither a command nor an environment shows', () => {
    const { command = [], environment, secrets, healthcheck } = services.redis ?? {};
    expect([environment, secrets]).toEqual([undefined, ['redis_password']]);
    for (const text of [String(command), String(healthcheck?.test)]) {
      expect(text).toContain('$$(cat /run/secrets/redis_password)');
    }
  });

  it('migrates once, before all that serves', () => {
    expect(services.migrate?.environment.ROLE).toBe('migrate');
    for (const service of serving) {
      expect(service?.environment.MIGRATE_AT_START).toBe('false');
      expect(service?.depends_on?.migrate?.condition).toBe('service_completed_successfully');
    }
  });

  it('asks every service for its health, and starts those first that others need', () => {
    const asked = Object.keys(services).filter((name) => services[name]?.healthcheck?.test);
    expect(asked).toEqual(Object.keys(services).filter((name) => name !== 'migrate'));
    const needs = Object.values(services).flatMap((service) => Object.entries(service.depends_on ?? {}));
    expect(needs.length).toBeGreaterThan(0);
    for (const [name, { condition }] of needs) {
      expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy');
    }
  });

  it('believes the address of the proxy, which no replica can get', () => {
    for (const service of serving) {
      expect(service?.environment.TRUSTED_PROXIES).toBe('${PROXY_ADDRESS:-172.30.0.2}');
    }
    expect(services.proxy?.networks).toEqual({ edge: { ipv4_address: '${PROXY_ADDRESS:-172.30.0.2}' } });
    expect(compose.networks.edge.ipam.config).toEqual([
      { subnet: '${EDGE_SUBNET:-172.30.0.0/24}', ip_range: '${EDGE_RANGE:-172.30.0.128/25}' },
    ]);
  });

  it('hands over every secret as a file, and none in the environment', () => {
    const files = new Set(Object.keys(compose.secrets).map((name) => `/run/secrets/${name}`));
    for (const service of Object.values(services)) {
      for (const [name, value] of Object.entries(service.environment ?? {})) {
        expect(/PASSWORD$|SECRET$|TOKEN$/.test(name)).toBe(false);
        if (name.endsWith('_FILE') && !value.startsWith('${')) {
          expect(files).toContain(value);
          expect(['POSTGRES_PASSWORD', ...SECRET_VARIABLES]).toContain(name.replace(/_FILE$/, ''));
          expect(service.secrets).toContain(value.replace('/run/secrets/', ''));
        }
      }
    }
    for (const { file } of Object.values(compose.secrets)) {
      expect(file).toMatch(/^\.\/secrets\//);
    }
    for (const ignored of ['.gitignore', '.dockerignore']) {
      const names = readFileSync(join(ROOT, ignored), 'utf8').split('\n');
      expect(names.map((name) => name.replaceAll('/', ''))).toEqual(
        expect.arrayContaining(['secrets', 'settings', 'service.env', '.env']),
      );
    }
  });

  it('takes every setting from service.env that it does not decide itself, and overrides none by nothing', () => {
    for (const service of serving) {
      expect(service?.env_file).toEqual([{ path: './service.env', required: false }]);
      const set = Object.entries(service?.environment ?? {});
      // What stands here counts, whatever service.env says.
      expect(set.map(([name]) => name.replace(/_FILE$/, '')).sort()).toEqual(DECIDED);
      expect(set.filter(([, value]) => value.includes('-}'))).toEqual([]);
    }
  });

  it('takes every secret as a file, and all other files from a folder that it cannot write to', () => {
    for (const service of serving) {
      expect(service?.volumes).toEqual(['./settings:/settings:ro']);
      for (const name of SECRET_VARIABLES) {
        const value = service?.environment[name];
        // Beside the variable itself its file would be refused. The addresses of the composition's own servers hold no secret.
        expect([name, value === undefined || new URL(value).password === '']).toEqual([name, true]);
        expect(value === undefined || ['DATABASE_URL', 'REDIS_URL'].includes(name)).toBe(true);
      }
    }
  });

  describe('starts the service', () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'compose-'));
      Object.keys(compose.secrets).forEach((name) => writeFileSync(join(folder, name), `${name} ${SECRET}`));
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    /** What a container gets: what the composition sets goes over service.env. */
    const environmentOf = (name: string, serviceEnv: Record<string, string> = {}) => ({
      ...serviceEnv,
      ...Object.fromEntries(
        Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
          variable,
          value
            .replace(/\$\{ADMIN_EMAIL:\?.*\}/, 'ada@example.com')
            .replace(/\$\{\w+:-(.*)\}/, '$1')
            .replace('/run/secrets', folder),
        ]),
      ),
    });

    it.each(['migrate', 'api', 'worker'])('as %s, without any further file', (role) => {
      const configuration = Configuration.read(environmentOf(role));
      expect([configuration.role, configuration.databaseUrl]).toEqual([
        role,
        expect.stringContaining('@postgres:5432/app'),
      ]);
    });

    it.each(['api', 'worker'])('as %s, with what service.env says', (role) => {
      const upstreams = join(folder, 'upstreams.json');
      writeFileSync(upstreams, JSON.stringify([{ name: 'main', base_url: 'https://models.example.com/v1' }]));
      const configuration = Configuration.read(
        environmentOf(role, {
          UPSTREAMS_FILE: upstreams,
          PRICES_FILE: '/settings/prices.json',
          WELCOME_CREDIT_USD: '1',
          PORT: '80',
          HOST: '127.0.0.1',
        }),
      );
      expect(configuration).toMatchObject({
        environment: 'live',
        host: '0.0.0.0',
        port: 3000,
        welcomeCreditUsd: '1',
        pricesFile: '/settings/prices.json',
        upstreams: [{ name: 'main' }],
      });
    });
  });

  it('lets Redis keep what it has, and drop nothing, which might be the lock of a running job', () =>
    expect(String(services.redis?.command)).toMatch(/--appendonly yes .*--maxmemory-policy noeviction$/));

  it('connects the service as a role of its own, which the image of Postgres makes', () => {
    for (const name of ['api', 'worker', 'migrate']) {
      const url = new URL(services[name]?.environment.DATABASE_URL ?? '');
      expect([url.username, url.password]).toEqual(['service', '']);
    }
    expect(services.postgres?.secrets).toContain('database_password');
    expect(services.postgres?.volumes).toContain('./docker/postgres:/docker-entrypoint-initdb.d:ro');
  });

  it('sets no variable that the service does not know', () => {
    const known = [...VARIABLES.values()];
    const names = Object.keys(services.api?.environment ?? {}).map((name) => name.replace(/_FILE$/, ''));
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe("the proxy's settings", () => {
  const settings = readFileSync(join(ROOT, 'docker/proxy/Caddyfile'), 'utf8').replaceAll(/^\s*#.*$/gm, '');

  it('let an upload pass', () => expect(settings).toContain('max_size 26MiB'));

  // Caddy logs the request that a replica broke off, and itself leaves out Authorization and cookies alone.
  it('keep credentials out of the log', () => {
    const [, fields] =
      /^\tlog \{\n\t\tformat filter \{\n\t\t\twrap json\n\t\t\tfields \{([^]*?)\n\t\t\t\}/m.exec(settings) ??
      [];
    expect(
      fields
        ?.split('\n')
        .map((line) => line.trim())
        .join(' ')
        .trim(),
    ).toBe('request>headers>X-Api-Key delete request>uri query { replace token REDACTED }');
  });

  // A replica that takes no connection was sent nothing. What was sent may have taken effect, so no request is sent again.
  it('ask the next replica where one takes no connection, and send nothing twice', () => {
    const lines = settings.split('\n').map((line) => line.trim());
    expect(lines.join(' ')).toMatch(
      /lb_retries [1-9]\d* +lb_retry_match \{ not path \* \} +transport http \{ keepalive off \}/,
    );
  });

  // Each would break a promise: a caller who waits for a replica that never comes, a client whose leaving nobody learns of, a
  // caller who names his address.
  it.each(['lb_try_duration', 'flush_interval', 'trusted_proxies'])('leave %s alone', (name) =>
    expect(settings).not.toContain(name),
  );
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

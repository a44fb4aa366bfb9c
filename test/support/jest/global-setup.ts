import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type * as embedded from '../../../src/database/embedded/server';
import type * as migrations from '../../../src/database/migrate';
import type * as queue from '../../../src/work/queue.module';
import { Pooler } from '../processes/pooler';

type EmbeddedPostgres = embedded.EmbeddedPostgres;

/** What the teardown finds in the process that both run in. */
export interface TestPostgresGlobal {
  stopTestPostgres?: () => Promise<void>;
}

/** In how many schemas the services of tests have their accounts. */
const ACCOUNT_SCHEMAS = Number(process.env.TEST_ACCOUNT_SCHEMAS ?? 1);
const ROOT = join(__dirname, '../../..');
const TEMPLATES = join(ROOT, '.cache/test-postgres');
/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const ROOM_BYTES_MIN = 4 * 1024 ** 3;
/** What a migrated database depends on, but for what these files import: a change of theirs makes a new one. */
const SOURCES = ['src/database', 'src/work/queue.module.ts', 'package-lock.json', 'test/support/database'];

/**
 * Compiles the service for the tests that run it as a process, and starts one Postgres for the whole run.
 * With TEST_POOLER=true services reach it through a PgBouncer, at TEST_POOLER_URL. TEST_POSTGRES_URL names its maintenance database; `app` is migrated and closed to connections, because a database that
 * somebody uses cannot be copied. A new Postgres takes seconds to make, so one is kept for the next runs, which copy it.
 */
export default async function globalSetup(
  _: unknown,
  { globals }: { globals: { poolerCommand?: string } },
): Promise<void> {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-if-stale.mjs')], { cwd: ROOT, stdio: 'inherit' });
  const dataFolder = newFolder();
  await copyFolder(await templateFolder(), dataFolder);
  const server = await start(dataFolder);
  const url = await closeToConnections(server);
  const isPooled = process.env.TEST_POOLER === 'true';
  const pooler = isPooled ? await Pooler.start(globals.poolerCommand ?? 'pgbouncer', url) : null;
  (globalThis as TestPostgresGlobal).stopTestPostgres = async () => {
    await pooler?.stop();
    await stop(server, dataFolder);
  };
  process.env.TEST_POSTGRES_URL = url;
  if (pooler) {
    process.env.TEST_POOLER_URL = pooler.urlOf(url);
  }
}

/**
 * In memory where there is room: each file of tests has a database of over a thousand files, and the disk would take longer
 * to make and remove them than many tests run. Not made by mkdtemp, which would keep out the user that Postgres runs as when
 * the tests run as root.
 */
function newFolder(): string {
  const room = existsSync(MEMORY) ? statfsSync(MEMORY) : { bavail: 0, bsize: 0 };
  const parent = room.bavail * room.bsize >= ROOM_BYTES_MIN ? MEMORY : tmpdir();
  return join(parent, `test-postgres-${randomBytes(6).toString('hex')}`);
}

/** The files of a Postgres whose database `app` has the schema of these sources. */
async function templateFolder(): Promise<string> {
  const folder = join(TEMPLATES, digestOfSources());
  if (existsSync(folder)) {
    return folder;
  }
  await rm(TEMPLATES, { recursive: true, force: true });
  await mkdir(TEMPLATES, { recursive: true });
  const made = newFolder();
  const server = await start(made);
  try {
    await migrateApp(server);
    await server.stop();
    const copy = `${folder}.${randomBytes(6).toString('hex')}`;
    await copyFolder(made, copy);
    // Another run may have put the same in place meanwhile.
    await rename(copy, folder).catch(() => rm(copy, { recursive: true }));
  } finally {
    await stop(server, made);
  }
  return folder;
}

function digestOfSources(): string {
  const digest = createHash('sha256').update(String(ACCOUNT_SCHEMAS));
  const sqlOf = (folder: string) => filesOf(folder).filter((file) => file.endsWith('.sql'));
  for (const file of [...SOURCES.flatMap((path) => filesOf(join(ROOT, path))), ...sqlOf(join(ROOT, 'src'))]) {
    digest.update(file.slice(ROOT.length)).update(readFileSync(file));
  }
  return digest.digest('hex').slice(0, 32);
}

function filesOf(path: string): string[] {
  const entries = statSync(path).isDirectory() ? readdirSync(path).sort() : null;
  return entries?.flatMap((name) => filesOf(join(path, name))) ?? [path];
}

/** With the owners of the files: Postgres starts on none but its user's. */
function copyFolder(from: string, to: string): Promise<void> {
  execFileSync('cp', ['-Rp', from, to]);
  return Promise.resolve();
}

/** A module of src that the build has just compiled: jest would transform all that it imports, at each run. */
function compiled<Exports>(path: string): Exports {
  return createRequire(__filename)(join(ROOT, 'dist/src', path)) as Exports;
}

async function start(dataFolder: string): Promise<EmbeddedPostgres> {
  const { startEmbeddedPostgres } = compiled<typeof embedded>('database/embedded/server');
  return startEmbeddedPostgres({ dataFolder, log: () => undefined, durable: false });
}

async function stop(server: EmbeddedPostgres, dataFolder: string): Promise<void> {
  await server.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

async function migrateApp({ url }: EmbeddedPostgres): Promise<void> {
  const { databaseFunctions, migrate } = compiled<typeof migrations>('database/migrate');
  const { migrateQueue } = compiled<typeof queue>('work/queue.module');
  await migrate(url, databaseFunctions, ACCOUNT_SCHEMAS);
  await migrateQueue(url);
  if (ACCOUNT_SCHEMAS > 1) {
    const client = new Client(url);
    await client.connect();
    const sql = readFileSync(join(ROOT, 'test/support/database/written-everyone.sql'), 'utf8');
    await client.query(sql).finally(() => client.end());
  }
}

/** @returns the URL of the database from which others are made and dropped */
async function closeToConnections({ url }: EmbeddedPostgres): Promise<string> {
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  const client = new Client(maintenance.href);
  await client.connect();
  await client.query('ALTER DATABASE app ALLOW_CONNECTIONS false').finally(() => client.end());
  return maintenance.href;
}

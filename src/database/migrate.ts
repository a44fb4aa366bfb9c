import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import {
  accountSchema,
  completeSchema,
  countSchemas,
  hideEveryone,
  moveIntoFirst,
  OtherSchemas,
  refuseWhileLive,
  showEveryone,
  within,
} from './account-schemas';
import { withLongStatements } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { allowChanges } from './distribute';
import { REPLACED_MIGRATIONS } from './migrations';

/** A file of SQL. It creates the function that it is named after, and the triggers that call this function. */
interface FunctionFile {
  name: string;
  path: string;
  sql: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  checksum: string;
}

/** In the order in which they have to be installed: folder by folder, and by name. @throws Error when two have one name */
async function changedFunctions(runner: QueryRunner, folders: readonly string[]): Promise<FunctionFile[]> {
  const files = (await Promise.all(folders.map(readFolder))).flat();
  const twice = files.find(({ name }, index) => files.findIndex((file) => file.name === name) < index);
  if (twice) {
    throw new Error(`${twice.path}: another file of functions has the same name`);
  }
  const rows: Pick<FunctionFile, 'name' | 'checksum'>[] = await runner.manager.query(
    'SELECT name, checksum FROM installed_functions',
  );
  const installed = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return files.filter(({ name, checksum }) => installed.get(name) !== checksum);
}

/** Within the transaction that holds the lock. @throws Error that names the file which Postgres refuses */
async function installFunctions(runner: QueryRunner, files: readonly FunctionFile[]): Promise<void> {
  for (const { name, path, sql, checksum } of files) {
    try {
      await runner.query(sql);
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    }
    await runner.query(
      `INSERT INTO installed_functions (name, checksum, installed_at) VALUES ($1, $2, now())
       ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, installed_at = excluded.installed_at`,
      [name, checksum],
    );
  }
}

async function readFolder(folder: string): Promise<FunctionFile[]> {
  const entries = (await readdir(folder)).filter((entry) => entry.endsWith('.sql')).sort();
  return Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry);
      const sql = await readFile(path, 'utf8');
      const checksum = createHash('sha256').update(sql).digest('hex');
      return { name: basename(entry, '.sql'), path, sql, checksum };
    }),
  );
}

/** The number of the advisory lock. It was chosen freely; it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_310_001;
/** A table of millions of rows may take long, and so may another replica that is changing it. */
const STATEMENT_MS_MAX = 12 * 60 * 60 * 1000;
/** While a migration waits for the lock of a table, every call that needs the table waits behind it. */
const LOCKED_MS_MAX = 10_000;

export class NewerSchema extends Error {
  constructor(migration: string) {
    super(
      `The database has the migration ${migration}, which this build does not know: a later build has changed the ` +
        'schema. Start that build or a later one, or restore a backup from before the migration for this one.',
    );
  }
}

/** The schema is not yet that of this build, and this process was told to leave it alone. */
export class OlderSchema extends Error {
  constructor(lacking: string) {
    super(
      `The database lacks ${lacking}, and MIGRATE_AT_START is false. Start a process with ROLE=migrate first: it brings ` +
        'the database to the newest schema and ends.',
    );
  }
}

/** A build before the baseline has made only a part of what the baseline stands for. The message tells the operator what to do. */
export class UnfinishedSchema extends Error {
  constructor(lacking: string) {
    super(
      `The database lacks the migration ${lacking} of a release before this one, which this build cannot run any more. Start ` +
        `the last release that has it first (commit 6484c53, with ROLE=migrate): its migrations end with ` +
        `${REPLACED_MIGRATIONS.at(-1)}. Then start this one.`,
    );
  }
}

/**
 * In one transaction, so that no replica ever sees new tables with old functions. Replicas wait for each other, for
 * which TypeORM takes no lock. Functions come from these folders, in this order.
 * @param schemas of accounts: one is `public`; of more, each has all tables but those of the installation
 * @throws NewerSchema, UnfinishedSchema, OtherSchemas; the error of Postgres, also when a table stays locked for ten seconds:
 *   then nothing is changed
 */
export async function migrate(url: string, functionFolders: readonly string[], schemas = 1): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 2));
  await source.initialize();
  try {
    await withLongStatements(source, STATEMENT_MS_MAX, (runner) =>
      migrateAll(source, runner, functionFolders, schemas),
    );
  } finally {
    await source.destroy();
  }
}

/** Changes nothing. @throws OlderSchema, NewerSchema, UnfinishedSchema or OtherSchemas */
export async function requireMigrated(
  url: string,
  functionFolders: readonly string[],
  schemas = 1,
): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 1));
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.startTransaction();
    const present = await countSchemas(runner);
    await eachSchema(runner, present, () => requireNewest(source, runner, functionFolders));
    if (present !== schemas) {
      throw new OtherSchemas(present, schemas);
    }
  } finally {
    await runner.rollbackTransaction().catch(() => undefined);
    await runner.release();
    await source.destroy();
  }
}

async function requireNewest(
  source: DataSource,
  runner: QueryRunner,
  functionFolders: readonly string[],
): Promise<void> {
  const pending = await pendingMigration(source, runner);
  if (pending !== undefined) {
    throw new OlderSchema(`the migration ${pending}`);
  }
  const [changed] = await changedFunctions(runner, functionFolders);
  if (changed) {
    throw new OlderSchema('functions of this build');
  }
}

async function migrateAll(
  source: DataSource,
  runner: QueryRunner,
  functionFolders: readonly string[],
  schemas: number,
): Promise<void> {
  // For its turn a replica waits as long as another needs; only then is the wait for a lock bounded.
  await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await runner.query(`SET LOCAL lock_timeout = ${LOCKED_MS_MAX}`);
  const present = await countSchemas(runner);
  if (present > schemas) {
    throw new OtherSchemas(present, schemas);
  }
  const build = () => migrateWithin(source, runner, functionFolders);
  const pending = await eachSchema(runner, present, () => pendingMigration(source, runner));
  const areTablesChanged = pending.some((name) => name !== undefined);
  await allowChanges(runner, LOCKED_MS_MAX, areTablesChanged);
  const isShownAnew = schemas > present || (schemas > 1 && areTablesChanged);
  if (isShownAnew) {
    await hideEveryone(runner);
  }
  await eachSchema(runner, present, build);
  if (schemas > present) {
    await refuseWhileLive(runner);
  }
  if (schemas > 1 && present === 1) {
    await moveIntoFirst(runner);
  }
  for (let number = present; number < schemas; number += 1) {
    await runner.query(`CREATE SCHEMA ${accountSchema(number)}`);
    await within(runner, accountSchema(number), () => build().then(() => completeSchema(runner)));
  }
  if (isShownAnew) {
    await showEveryone(runner, schemas);
  }
}

async function eachSchema<Result>(
  runner: QueryRunner,
  schemas: number,
  work: () => Promise<Result>,
): Promise<Result[]> {
  if (schemas === 1) {
    return [await work()];
  }
  const results: Result[] = [];
  for (let number = 0; number < schemas; number += 1) {
    results.push(await within(runner, accountSchema(number), work));
  }
  return results;
}

/** This build must not replace a later one's functions, nor skip what the baseline stands for. @throws NewerSchema, UnfinishedSchema */
async function pendingMigration(source: DataSource, runner: QueryRunner): Promise<string | undefined> {
  const known = source.migrations.map(({ constructor }) => constructor.name);
  const applied = await appliedMigrations(runner);
  const unknown = applied.find((name) => !known.includes(name) && !REPLACED_MIGRATIONS.includes(name));
  if (unknown !== undefined) {
    throw new NewerSchema(unknown);
  }
  const lacking = REPLACED_MIGRATIONS.filter((name) => !applied.includes(name));
  if (lacking[0] !== undefined && lacking.length < REPLACED_MIGRATIONS.length) {
    throw new UnfinishedSchema(lacking[0]);
  }
  return known.find((name) => !applied.includes(name));
}

async function migrateWithin(
  source: DataSource,
  runner: QueryRunner,
  functionFolders: readonly string[],
): Promise<void> {
  // TypeORM looks there for its table.
  (source.driver as PostgresDriver).schema = await runner.getCurrentSchema();
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'none';
  await executor.executePendingMigrations();
  await installFunctions(runner, await changedFunctions(runner, functionFolders));
}

async function appliedMigrations({ manager }: QueryRunner): Promise<string[]> {
  const [table]: { name: string | null }[] = await manager.query("SELECT to_regclass('migrations') AS name");
  const rows: { name: string }[] = table?.name
    ? await manager.query('SELECT name FROM migrations ORDER BY timestamp DESC')
    : [];
  return rows.map(({ name }) => name);
}

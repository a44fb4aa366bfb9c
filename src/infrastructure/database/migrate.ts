import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import { changedFunctions, installFunctions } from './installed-functions';
import { withLongStatements } from './long-statements';

/** The number of the advisory lock. It was chosen freely; it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_310_001;
/** A table of millions of rows may take long, and so may another replica that is changing it. */
const STATEMENT_MS_MAX = 12 * 60 * 60 * 1000;
/** While a migration waits for the lock of a table, every call that needs the table waits behind it. */
const LOCKED_MS_MAX = 10_000;

/** A later build has changed the schema. The message tells the operator what to do. */
export class NewerSchema extends Error {
  constructor(migration: string) {
    super(
      `The database has the migration ${migration}, which this build does not know: a later build has changed the ` +
        'schema. Start that build or a later one, or restore a backup from before the migration for this one.',
    );
    this.name = new.target.name;
  }
}

/** The schema is not yet that of this build, and this process was told to leave it alone. */
export class OlderSchema extends Error {
  constructor(lacking: string) {
    super(
      `The database lacks ${lacking}, and MIGRATE_AT_START is false. Start a process with ROLE=migrate first: it brings ` +
        'the database to the newest schema and ends.',
    );
    this.name = new.target.name;
  }
}

/**
 * Brings the database to the newest schema: runs the pending migrations, then installs the functions that have
 * changed. Both happen in one transaction, so that no replica ever sees new tables with old functions. Replicas that
 * start together wait for each other; TypeORM itself takes no lock, and without one simultaneous starts would fail.
 *
 * @param functionFolders the folders whose .sql files are to be installed, in this order
 * @throws NewerSchema when a later build has changed the schema; the error of Postgres when it refuses a migration or a
 *   function, or when a table stays locked for ten seconds. Then nothing is changed
 */
export async function migrate(url: string, functionFolders: readonly string[]): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 2));
  await source.initialize();
  try {
    await withLongStatements(source, STATEMENT_MS_MAX, async (runner) => {
      await runner.startTransaction();
      try {
        await migrateWithin(source, runner, functionFolders);
        await runner.commitTransaction();
      } catch (error) {
        await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
    });
  } finally {
    await source.destroy();
  }
}

/**
 * Changes nothing.
 * @throws OlderSchema, or NewerSchema, where the database is not as {@link migrate} of this build leaves it
 */
export async function requireMigrated(url: string, functionFolders: readonly string[]): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 1));
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await refuseNewerSchema(source, runner);
    const applied = new Set(await appliedMigrations(runner));
    const pending = source.migrations.find((migration) => !applied.has(migration.constructor.name));
    if (pending) {
      throw new OlderSchema(`the migration ${pending.constructor.name}`);
    }
    const [changed] = await changedFunctions(runner, functionFolders);
    if (changed) {
      throw new OlderSchema('functions of this build');
    }
  } finally {
    await runner.release();
    await source.destroy();
  }
}

async function migrateWithin(
  source: DataSource,
  runner: QueryRunner,
  functionFolders: readonly string[],
): Promise<void> {
  // For its turn a replica waits as long as another needs; only then is the wait for a lock bounded.
  await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  await runner.query(`SET LOCAL lock_timeout = ${LOCKED_MS_MAX}`);
  await refuseNewerSchema(source, runner);
  const executor = new MigrationExecutor(source, runner);
  executor.transaction = 'none';
  await executor.executePendingMigrations();
  const changed = await changedFunctions(runner, functionFolders);
  if (changed.length > 0) {
    await installFunctions(runner, changed);
  }
}

/**
 * Functions and tables are those of the later build then. This one would write what that build does not expect, and
 * must not put its own functions in place of the later ones.
 * @throws NewerSchema
 */
async function refuseNewerSchema(source: DataSource, runner: QueryRunner): Promise<void> {
  const known = new Set(source.migrations.map((migration) => migration.constructor.name));
  const unknown = (await appliedMigrations(runner)).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new NewerSchema(unknown);
  }
}

/** The names of the migrations that the database has, the latest first. */
async function appliedMigrations(runner: QueryRunner): Promise<string[]> {
  const [table] = (await runner.query("SELECT to_regclass('migrations') AS name")) as {
    name: string | null;
  }[];
  const rows = table?.name
    ? ((await runner.query('SELECT name FROM migrations ORDER BY timestamp DESC')) as { name: string }[])
    : [];
  return rows.map(({ name }) => name);
}

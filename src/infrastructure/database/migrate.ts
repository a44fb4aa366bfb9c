import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import { changedFunctions, installFunctions } from './installed-functions';

/** The number of the advisory lock. It was chosen freely; it only has to be the same in every replica. */
const MIGRATION_LOCK = 7_310_001;

/**
 * Brings the database to the newest schema: runs the pending migrations, then installs the functions that have
 * changed. Both happen in one transaction, so that no replica ever sees new tables with old functions. Replicas that
 * start together wait for each other; TypeORM itself takes no lock, and without one simultaneous starts would fail.
 *
 * @param functionFolders the folders whose .sql files are to be installed, in this order
 * @throws the error of Postgres when it refuses a migration or a function; then nothing is changed
 */
export async function migrate(url: string, functionFolders: readonly string[]): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 2));
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0');
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const executor = new MigrationExecutor(source, runner);
    executor.transaction = 'none';
    await executor.executePendingMigrations();
    const changed = await changedFunctions(runner, functionFolders);
    if (changed.length > 0 && !(await hasLaterMigrations(source, runner))) {
      await installFunctions(runner, changed);
    }
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
    await source.destroy();
  }
}

/**
 * Whether the database has migrations that this build does not know yet, because a later build has run them. Its
 * functions are then those of the later build. A replica of the earlier build that restarts while the others are being
 * upgraded must not replace them with its own.
 */
async function hasLaterMigrations(source: DataSource, runner: QueryRunner): Promise<boolean> {
  const later = (await runner.query(
    'SELECT FROM migrations WHERE timestamp > (SELECT max(timestamp) FROM migrations WHERE name = ANY($1))',
    [source.migrations.map((migration) => migration.constructor.name)],
  )) as unknown[];
  return later.length > 0;
}

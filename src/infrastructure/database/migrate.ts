import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from './data-source-options';
import { changedFunctions, installFunctions } from './installed-functions';

/** Any number will do, as long as every replica takes the same. */
const MIGRATION_LOCK = 7_310_001;

/**
 * Brings the database to the newest schema: runs the migrations that are pending, then installs the functions that have
 * changed, all in one transaction, so that no replica ever meets new tables with old functions. Replicas that start
 * together wait for each other: TypeORM itself takes no lock, and simultaneous starts crash without one.
 *
 * @param functionFolders the folders whose .sql files are to be installed, in this order
 * @throws the error of Postgres, where a migration or function is refused; then nothing was changed
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
 * Whether the database has migrations of a later build than this one. Then its functions are of that build too: a replica
 * of the earlier build that starts again while the others are upgraded must not put its own back.
 */
async function hasLaterMigrations(source: DataSource, runner: QueryRunner): Promise<boolean> {
  const later = (await runner.query(
    'SELECT FROM migrations WHERE timestamp > (SELECT max(timestamp) FROM migrations WHERE name = ANY($1))',
    [source.migrations.map((migration) => migration.constructor.name)],
  )) as unknown[];
  return later.length > 0;
}

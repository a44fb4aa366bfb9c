import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options';

/** Any number will do, as long as every replica takes the same. */
const MIGRATION_LOCK = 7_310_001;

/**
 * Brings the database to the newest schema. Replicas that start together wait for each other: TypeORM itself takes
 * no lock, and simultaneous starts crash without one.
 */
export async function migrate(url: string): Promise<void> {
  const source = new DataSource(dataSourceOptions(url, 2));
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query('SET statement_timeout = 0');
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await source.runMigrations({ transaction: 'each' });
    await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
  } finally {
    await lock.release();
    await source.destroy();
  }
}

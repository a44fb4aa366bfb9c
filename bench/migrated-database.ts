import { databaseFunctions, migrate } from '../src/database/migrate';
import { migrateQueue } from '../src/work/queue.module';
import type { BenchPostgres } from './bench-postgres';

/** Makes a database as the service finds it after its start, its queue included. Returns its connection string. */
export async function createMigratedDatabase(postgres: BenchPostgres, name: string): Promise<string> {
  const databaseUrl = await postgres.createDatabase(name);
  await migrate(databaseUrl, databaseFunctions);
  await migrateQueue(databaseUrl);
  return databaseUrl;
}

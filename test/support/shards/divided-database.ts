import { Client } from 'pg';
import { divideTables, PAID_CALL_TABLES } from './divide-tables';
import { createTestDatabase, migrateTestDatabase, type TestDatabase } from '../api/test-database';

/**
 * A migrated database whose tables of a paid call are partitioned by the hash of account_id. Every connection to it is told
 * the plan of each statement, also of those within functions, with what it read; and of each row that is written, where.
 */
export async function createDividedDatabase(count: number): Promise<TestDatabase> {
  const database = await createTestDatabase();
  const client = new Client(database.url);
  await client.connect();
  try {
    const { rows: views } = await client.query<{ name: string; definition: string }>(VIEWS);
    for (const { name } of views) {
      await client.query(`DROP VIEW ${name}`);
    }
    await divideTables(client, PAID_CALL_TABLES, count);
    for (const { name, definition } of views) {
      await client.query(`CREATE VIEW ${name} AS ${definition}`);
    }
    // The triggers went with the tables. Installed anew, the functions bring them back.
    await client.query('DELETE FROM installed_functions');
    await migrateTestDatabase(database);
    await client.query(TELL_WRITE);
    for (const table of PAID_CALL_TABLES) {
      await client.query(`
        CREATE TRIGGER tell_write AFTER INSERT OR UPDATE OR DELETE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION tell_write()`);
    }
    await client.query(EXPLAINED);
  } finally {
    await client.end();
  }
  return database;
}

/** They hold on to the tables that they read. */
const VIEWS = "SELECT viewname AS name, definition FROM pg_views WHERE schemaname = 'public'";

/** What a row's trigger tells begins with this; the name of the partition follows. */
export const WRITTEN = 'written: ';

const TELL_WRITE = `
  CREATE FUNCTION tell_write() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE NOTICE '${WRITTEN}%', TG_TABLE_NAME;
    RETURN NULL;
  END $$`;

/** Rows are made dear, so that these small tables are read as large ones are: by the keys that a statement names. */
const EXPLAINED = `
  DO $$
  DECLARE
    v_setting text;
  BEGIN
    FOREACH v_setting IN ARRAY ARRAY[
      'session_preload_libraries = auto_explain', 'auto_explain.log_min_duration = 0', 'auto_explain.log_analyze = on',
      'auto_explain.log_timing = off', 'auto_explain.log_nested_statements = on', 'auto_explain.log_format = json',
      'auto_explain.log_level = notice', 'enable_material = off', 'enable_bitmapscan = off', 'cpu_tuple_cost = 100'
    ] LOOP
      EXECUTE format('ALTER DATABASE %I SET ', current_database()) || v_setting;
    END LOOP;
  END $$`;

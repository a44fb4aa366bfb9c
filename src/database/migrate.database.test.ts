import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { ANSWER_WITHIN_MS } from './connection-pool';
import { dataSourceOptions } from './data-source';
import { migrate, NewerSchema, OlderSchema, requireMigrated } from './migrate';

describe('migrate', () => {
  let database: TestDatabase;
  let source: DataSource;
  let folder: string;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    folder = await mkdtemp(join(tmpdir(), 'functions-'));
    await write('one', 'SELECT 1');
    await write('two', 'SELECT 2');
  });
  afterEach(async () => {
    await source.destroy();
    await database.drop();
    await rm(folder, { recursive: true });
  });

  it('installs a file that has changed, and leaves the others alone', async () => {
    await migrate(database.url, [folder]);
    const before = await versions();
    await write('two', 'SELECT 22');
    await migrate(database.url, [folder]);
    const after = await versions();
    expect(await source.query('SELECT one(), two()')).toEqual([{ one: 1, two: 22 }]);
    expect(after.one).toBe(before.one);
    expect(after.two).not.toBe(before.two);
    await migrate(database.url, [folder]);
    expect(await versions()).toEqual(after);
  });

  it('installs each file once when replicas start together with a changed file', async () => {
    await migrate(database.url, [folder]);
    await write('one', 'SELECT 11');
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, [folder])));
    expect(await source.query('SELECT one(), two()')).toEqual([{ one: 11, two: 2 }]);
    expect(await source.query('SELECT name FROM installed_functions ORDER BY name')).toEqual([
      { name: 'one' },
      { name: 'two' },
    ]);
  });

  it('installs nothing, and names the file, where Postgres refuses one', async () => {
    await migrate(database.url, [folder]);
    const before = await versions();
    await write('one', 'SELECT 11');
    await write('two', 'SELECT nothing_of_this_name');
    await expect(migrate(database.url, [folder])).rejects.toThrow(/two\.sql: .*nothing_of_this_name/);
    expect(await versions()).toEqual(before);
    await write('two', 'SELECT 22');
    await migrate(database.url, [folder]);
    expect(await source.query('SELECT one(), two()')).toEqual([{ one: 11, two: 22 }]);
  });

  it('makes no table either where a function of the first start is refused', async () => {
    await write('two', 'SELECT nothing_of_this_name');
    await expect(migrate(database.url, [folder])).rejects.toThrow('nothing_of_this_name');
    expect(await source.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(
      [],
    );
  });

  it('leaves a function whose file is gone to the replicas that still call it', async () => {
    await migrate(database.url, [folder]);
    await rm(join(folder, 'one.sql'));
    await migrate(database.url, [folder]);
    expect(await source.query('SELECT one(), two()')).toEqual([{ one: 1, two: 2 }]);
  });

  describe('left to another process', () => {
    it('refuses an empty database, and leaves it empty', async () => {
      await expect(requireMigrated(database.url, [folder])).rejects.toThrow(OlderSchema);
      expect(await source.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace")).toEqual(
        [],
      );
    });

    it('refuses one that lacks the last migration, functions, or is of a later build', async () => {
      await migrate(database.url, [folder]);
      await write('one', 'SELECT 11');
      await expect(requireMigrated(database.url, [folder])).rejects.toThrow('functions of this build');
      expect(await source.query('SELECT one()')).toEqual([{ one: 1 }]);
      await source.query("UPDATE migrations SET name = 'Later' WHERE id = (SELECT max(id) FROM migrations)");
      await expect(requireMigrated(database.url, [folder])).rejects.toThrow(NewerSchema);
      await source.query("DELETE FROM migrations WHERE name = 'Later'");
      await expect(requireMigrated(database.url, [folder])).rejects.toThrow(/lacks the migration \w+/);
    });

    it('takes one that is as this build leaves it', async () => {
      await migrate(database.url, [folder]);
      await expect(requireMigrated(database.url, [folder])).resolves.toBeUndefined();
    });
  });

  it('refuses a schema that a later build has changed, names the migration, and changes nothing', async () => {
    await migrate(database.url, [folder]);
    await source.query(
      "INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')",
    );
    await write('one', 'SELECT 11');
    await expect(migrate(database.url, [folder])).rejects.toThrow(
      /migration Later9999999999999, which this build does not know.*Start that build or a later one/,
    );
    expect(await source.query('SELECT one()')).toEqual([{ one: 1 }]);
  });

  it('lets a migration take longer than a statement of a call may', async () => {
    await writeFile(join(folder, 'long.sql'), `SELECT pg_sleep(${(ANSWER_WITHIN_MS + 500) / 1000})`);
    await migrate(database.url, [folder]);
    expect(await source.query("SELECT FROM installed_functions WHERE name = 'long'")).toHaveLength(1);
  });

  it('does not keep calls waiting behind it for a table that somebody has locked', async () => {
    await migrate(database.url, [folder]);
    const refusal = "RAISE EXCEPTION 'waits for locks up to %', current_setting('lock_timeout');";
    await writeFile(join(folder, 'locks.sql'), `DO $$ BEGIN ${refusal} END $$`);
    await expect(migrate(database.url, [folder])).rejects.toThrow('waits for locks up to 10s');
  });

  it('refuses two files of one name', async () => {
    await expect(migrate(database.url, [folder, folder])).rejects.toThrow('another file of functions');
  });

  async function write(name: string, body: string): Promise<void> {
    const sql = `CREATE OR REPLACE FUNCTION ${name}() RETURNS integer LANGUAGE sql AS $$ ${body} $$;`;
    await writeFile(join(folder, `${name}.sql`), sql);
  }

  /** The version of each function's row, which changes whenever it is installed. */
  async function versions(): Promise<Record<string, string>> {
    const rows: { name: string; version: string }[] = await source.query(
      "SELECT proname AS name, xmin::text AS version FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
    );
    return Object.fromEntries(rows.map(({ name, version }) => [name, version]));
  }
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type MigrationInterface } from 'typeorm';
import { createEmptyDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { CATALOG } from '../../test/support/database/catalog';
import { newId } from '../runtime/ids';
import { dataSourceOptions } from './data-source';
import { databaseFunctions, migrate, requireMigrated, UnfinishedSchema } from './migrate';
import { REPLACED_MIGRATIONS } from './migrations';
import { until } from '../../test/support/until';

const BEFORE = join(__dirname, '../../test/support/database/schema-before-baseline.sql');
const BASELINE = 'Baseline1765100000000';

describe('the baseline of the schema', () => {
  let database: TestDatabase;
  let source: DataSource;

  beforeEach(async () => {
    database = await createEmptyDatabase();
    source = await new DataSource(dataSourceOptions(database.url, 2)).initialize();
    await makeAsBefore();
  });
  afterEach(async () => {
    await source.destroy();
    await database.drop();
  });

  it('makes what the migrations before it have made, to the last column and constraint', async () => {
    const fresh = await createEmptyDatabase();
    const freshSource = await new DataSource(dataSourceOptions(fresh.url, 2)).initialize();
    try {
      await migrate(fresh.url, databaseFunctions);
      const [before, now] = [await catalogOf(source), await catalogOf(freshSource)];
      expect(before.length).toBeGreaterThan(1800);
      expect(now).toEqual(before);
    } finally {
      await freshSource.destroy();
      await fresh.drop();
    }
  });

  it('takes over a database of the builds before, with its rows, and runs nothing in it again', async () => {
    const accountId = await storeRows();
    const [tables, rows] = [await versions(), await storedRows(accountId)];
    await expect(requireMigrated(database.url, databaseFunctions)).rejects.toThrow(
      `lacks the migration ${BASELINE}`,
    );
    await migrate(database.url, databaseFunctions);
    expect(await versions()).toEqual(tables);
    expect(await storedRows(accountId)).toEqual(rows);
    await migrate(database.url, databaseFunctions);
    await expect(requireMigrated(database.url, databaseFunctions)).resolves.toBeUndefined();
    expect(await appliedNames()).toEqual([...REPLACED_MIGRATIONS, ...later().map(nameOf), BASELINE]);
  });

  it('takes a database over once where replicas start together', async () => {
    await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, databaseFunctions)));
    expect(await appliedNames()).toEqual([...REPLACED_MIGRATIONS, ...later().map(nameOf), BASELINE]);
  });

  it.each([REPLACED_MIGRATIONS.at(-1), REPLACED_MIGRATIONS[9]])(
    'refuses a database without %s, names the release to start first, and changes nothing',
    async (lacking = '') => {
      await source.query('DELETE FROM migrations WHERE name = $1', [lacking]);
      const before = await catalogOf(source);
      await expect(migrate(database.url, databaseFunctions)).rejects.toThrow(UnfinishedSchema);
      await expect(requireMigrated(database.url, databaseFunctions)).rejects.toThrow(
        new RegExp(
          `lacks the migration ${lacking} .* Start the last release that has it first .*Processes1765000800000`,
        ),
      );
      expect(await catalogOf(source)).toEqual(before);
      const applied = [...REPLACED_MIGRATIONS, ...later().map(nameOf)];
      expect(await appliedNames()).toEqual(applied.filter((name) => name !== lacking));
    },
  );

  it('keeps the sums of usage and of bytes right in a database of the builds before', async () => {
    const accountId = await storeRows();
    await migrate(database.url, databaseFunctions);
    await source.query('DELETE FROM memories WHERE account_id = $1', [accountId]);
    expect(await source.query('SELECT sum(bytes)::integer AS bytes FROM stored_bytes')).toEqual([
      { bytes: 0 },
    ]);
    await until('the call is in the sums', async () => {
      await source.query('SELECT usage_roll_up(1000)');
      const rows: unknown[] = await source.query('SELECT FROM usage_hours');
      return rows.length > 0;
    });
    expect(await source.query('SELECT requests::integer FROM usage_hours')).toEqual([{ requests: 1 }]);
  });

  /**
   * A database as the last build before the baseline leaves it; TypeORM makes the table of migrations like this. It has the
   * migrations after the baseline as well, because the functions of this build need their tables.
   */
  async function makeAsBefore(): Promise<void> {
    await source.query(
      `CREATE TABLE migrations (id serial, timestamp bigint NOT NULL, name varchar NOT NULL,
         CONSTRAINT "PK_8c82d7f526340ab734260ea46be" PRIMARY KEY (id))`,
    );
    await source.query(readFileSync(BEFORE, 'utf8'));
    const runner = source.createQueryRunner();
    for (const migration of later()) {
      await migration.up(runner);
    }
    await runner.release();
    for (const name of [...REPLACED_MIGRATIONS, ...later().map(nameOf)]) {
      await source.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [name.slice(-13), name]);
    }
    for (const folder of databaseFunctions) {
      for (const file of readdirSync(folder).sort()) {
        await source.query(readFileSync(join(folder, file), 'utf8'));
        await source.query(
          `INSERT INTO installed_functions VALUES ($1, encode(sha256(convert_to($2, 'UTF8')), 'hex'), now())`,
          [file.replace('.sql', ''), readFileSync(join(folder, file), 'utf8')],
        );
      }
    }
  }

  function later(): MigrationInterface[] {
    return source.migrations.filter((migration) => nameOf(migration) !== BASELINE);
  }

  /** Rows of tables of several kinds, which triggers sum up. */
  async function storeRows(): Promise<string> {
    const id = newId();
    for (const statement of STORED) {
      await source.query(statement, [id]);
    }
    return id;
  }

  async function storedRows(accountId: string): Promise<unknown[]> {
    const tables = ['access_keys', 'balances', 'credits', 'calls', 'memories', 'usage_hours', 'stored_bytes'];
    return Promise.all(
      tables.map((table) => source.query(`SELECT * FROM ${table} WHERE account_id = $1`, [accountId])),
    );
  }

  async function appliedNames(): Promise<string[]> {
    const rows: { name: string }[] = await source.query('SELECT name FROM migrations ORDER BY id');
    return rows.map(({ name }) => name);
  }

  /** Changes with every table that is made again, and with every function that is installed again. */
  async function versions(): Promise<unknown> {
    return source.query(
      `SELECT relname AS name, relfilenode::text AS version FROM pg_class WHERE relnamespace = 'public'::regnamespace
       UNION ALL SELECT proname, xmin::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1, 2`,
    );
  }
});

function nameOf(migration: MigrationInterface): string {
  return migration.constructor.name;
}

async function catalogOf(source: DataSource): Promise<string[]> {
  const rows: { line: string }[] = await source.query(CATALOG);
  return rows.map(({ line }) => line);
}

const STORED = [
  `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, 'ada@example.com', 'ada', '', now())`,
  `INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at) VALUES ($1, $1, 'k', 'k', '', now())`,
  'INSERT INTO balances (account_id, balance_nano) VALUES ($1, 5)',
  `INSERT INTO credits (id, account_id, type, amount_nano, balance_after_nano, description, created_at)
   VALUES ($1, $1, 'deposit', 5, 5, '', now())`,
  `INSERT INTO calls (id, account_id, request_id, operation, outcome, created_at, completed_at)
   VALUES ($1, $1, 'r', 'createMemory', 'refused', now(), now())`,
  `INSERT INTO memories (id, account_id, namespace, key, value, metadata, created_at, updated_at)
   VALUES ($1, $1, 'n', 'k', 'tea', '{}', now(), now())`,
];

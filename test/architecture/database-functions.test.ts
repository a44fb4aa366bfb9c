import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source';
import { databaseFunctions } from '../../src/database/migrate';
import { createEmptyDatabase, migrateTestDatabase, type TestDatabase } from '../support/api/test-database';

const SOURCES = join(__dirname, '../../src');
/** The folder of the migrations and of the baseline, which makes the tables. */
const DATABASE = join(SOURCES, 'database');
const MIGRATIONS = ['migrations.ts', 'baseline.sql'];

/** Every function of ours with the version of its row, which changes whenever the function is installed. */
const FUNCTIONS = `
  SELECT proname AS name, pg_get_functiondef(oid) AS definition, xmin::text AS version FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_proc.oid AND deptype = 'e') ORDER BY proname`;
const TRIGGERS = `
  SELECT tgrelid::regclass::text AS table, pg_get_triggerdef(oid) AS definition, xmin::text AS version FROM pg_trigger
  WHERE NOT tgisinternal ORDER BY tgname, 1`;
const COLUMNS = `
  SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
  WHERE table_schema = 'public' ORDER BY table_name, ordinal_position`;

describe('the functions of the database', () => {
  const databases: TestDatabase[] = [];
  afterAll(() => Promise.all(databases.map((database) => database.drop())));

  it('are all installed: every folder of SQL is in the list', () => {
    expect(foldersOfSql(SOURCES).sort()).toEqual([DATABASE, ...databaseFunctions].sort());
  });

  it('stand one in a file, named after it and explained at its top', () => {
    for (const path of databaseFunctions.flatMap(filesOf)) {
      const sql = readFileSync(path, 'utf8');
      expect(sql).toMatch(/^-- /);
      expect(sql.match(/CREATE OR REPLACE FUNCTION \w+/g)).toEqual([
        `CREATE OR REPLACE FUNCTION ${basename(path, '.sql')}`,
      ]);
    }
  });

  it('are made by no migration', () => {
    const making = MIGRATIONS.filter((name) =>
      /CREATE (?:OR REPLACE )?(?:FUNCTION|PROCEDURE|TRIGGER)/i.test(
        readFileSync(join(DATABASE, name), 'utf8'),
      ),
    );
    expect(making).toEqual([]);
  });

  it('are exactly those of the files, and stay untouched when a replica starts again', async () => {
    const database = await emptyDatabase();
    await migrateTestDatabase(database);
    const first = await schemaOf(database);
    expect(first.functions.map(({ name }) => name)).toEqual(
      databaseFunctions
        .flatMap(filesOf)
        .map((path) => basename(path, '.sql'))
        .sort(),
    );
    const called = first.triggers.map(({ definition }) => /EXECUTE FUNCTION (\w+)/.exec(definition)?.[1]);
    expect([...new Set(called)].sort()).toEqual(triggerFunctions());
    await migrateTestDatabase(database);
    expect(await schemaOf(database)).toEqual(first);
  });

  it('are the same when many replicas start together', async () => {
    const [one, many] = [await emptyDatabase(), await emptyDatabase()];
    await migrateTestDatabase(one);
    await Promise.all(Array.from({ length: 4 }, () => migrateTestDatabase(many)));
    expect(withoutVersions(await schemaOf(many))).toEqual(withoutVersions(await schemaOf(one)));
  });

  async function emptyDatabase(): Promise<TestDatabase> {
    const database = await createEmptyDatabase();
    databases.push(database);
    return database;
  }
});

interface Schema {
  functions: { name: string; definition: string; version: string }[];
  triggers: { table: string; definition: string; version: string }[];
  columns: unknown[];
}

async function schemaOf(database: TestDatabase): Promise<Schema> {
  return withSource(database, async (source) => ({
    functions: await source.query(FUNCTIONS),
    triggers: await source.query(TRIGGERS),
    columns: await source.query(COLUMNS),
  }));
}

function withoutVersions({ functions, triggers, columns }: Schema): unknown {
  const plain = (rows: { version: string }[]) => rows.map((row) => ({ ...row, version: null }));
  return { functions: plain(functions), triggers: plain(triggers), columns };
}

async function withSource<T>({ url }: TestDatabase, use: (source: DataSource) => Promise<T>): Promise<T> {
  const source = await new DataSource(dataSourceOptions(url, 2)).initialize();
  return use(source).finally(() => source.destroy());
}

function filesOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(folder, name));
}

/** The functions that triggers are to call. */
function triggerFunctions(): string[] {
  return databaseFunctions
    .flatMap(filesOf)
    .filter((path) => /RETURNS trigger/i.test(readFileSync(path, 'utf8')))
    .map((path) => basename(path, '.sql'))
    .sort();
}

function foldersOfSql(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return [...new Set(files.filter((file) => file.endsWith('.sql')).map((file) => dirname(join(root, file))))];
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { PAID_CALL_TABLES } from '../support/shards/divide-tables';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';

interface Row {
  table: string;
  distribution: string;
  keys: string;
  foreignKeys: string;
}

/** The rows of the table in docs/scaling.md, "Table by table". */
const [, SECTION = ''] = readFileSync('docs/scaling.md', 'utf8').split('## Table by table');
const ROWS: Row[] = (SECTION.split('## ')[0] ?? '')
  .split('\n')
  .filter((line) => /^\| `\w+` \|/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, table = '', distribution = '', keys = '', foreignKeys = '']) => ({
    table: table.replaceAll('`', ''),
    distribution,
    keys,
    foreignKeys,
  }));

/** The rows of the table in docs/scaling.md, "What grows, and what ends it", each with its cells. */
const [, GROWTH = ''] = readFileSync('docs/scaling.md', 'utf8').split('## What grows, and what ends it');
const [GROWTH_SECTION = ''] = GROWTH.split('## ');
const GROWTH_ROWS = GROWTH_SECTION.split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

const SOURCES = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join('src', path), 'utf8'));

/** The texts of the values that constants and settings of this name have in the sources. */
function valuesOf(name: string): string[] {
  const declaration = new RegExp(
    `(?:const ${name}(?::[^=]+)? =|@Variable\\('${name}'\\)[^;]*? =)\\s*([^;]+);`,
    'g',
  );
  return SOURCES.flatMap((source) => [...source.matchAll(declaration)].map(([, value = '']) => value));
}

/** NaN for what is no product of whole numbers. */
function productOf(value: string): number {
  return value
    .replaceAll('_', '')
    .split(' * ')
    .reduce((product, factor) => product * Number(factor), 1);
}

const TABLES = `
  SELECT c.relname AS table,
    EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'account_id') AS has_account,
    (SELECT coalesce(json_agg(ARRAY(SELECT attname FROM pg_attribute WHERE attrelid = i.indexrelid)), '[]')
      FROM pg_index AS i WHERE i.indrelid = c.oid AND i.indisunique) AS unique,
    ARRAY(SELECT confrelid::regclass::text FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f') AS references,
    (SELECT count(*)::integer FROM pg_index WHERE indrelid = c.oid AND indisunique) AS unique_indexes
  FROM pg_class AS c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname`;

/** Secrets, whose account is found by them: docs/scaling.md, "What stays global". */
const UNIQUE_ELSEWHERE = [
  'access_keys.secret_hash',
  'access_keys.previous_secret_hash',
  'console_sessions.secret_hash',
];

interface SchemaTable {
  table: string;
  has_account: boolean;
  references: string[];
  /** The columns of each unique index. */
  unique: string[][];
}

describe('docs/scaling.md', () => {
  let testDatabase: TestDatabase;
  let schema: SchemaTable[];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const client = new Client(testDatabase.url);
    await client.connect();
    schema = (await client.query<SchemaTable>(TABLES)).rows;
    await client.end();
  });
  afterAll(() => testDatabase.drop());

  const rowOf = (table: string): Row | undefined => ROWS.find((row) => row.table === table);

  it('says of every table of the schema how it is distributed, and of no other', () => {
    expect(ROWS.map(({ table }) => table)).toEqual(schema.map(({ table }) => table).sort());
    const ways = ['divided', 'divided by id', 'divided, after account_id is added', 'reference', 'local'];
    expect(ROWS.filter(({ distribution }) => !ways.includes(distribution))).toEqual([]);
  });

  it('divides by account_id only what has it', () => {
    const divided = schema.filter(({ table }) => rowOf(table)?.distribution === 'divided');
    expect(divided.filter(({ has_account: hasAccount }) => !hasAccount)).toEqual([]);
    const lacking = schema.filter(({ table }) => rowOf(table)?.distribution.endsWith('is added'));
    expect(lacking.filter(({ has_account: hasAccount }) => hasAccount)).toEqual([]);
  });

  it('has every unique constraint of a divided table, with the account in it', () => {
    const divided = schema.filter(({ table }) => /^divided(?! by)/.test(rowOf(table)?.distribution ?? ''));
    for (const { table, unique } of divided) {
      const wanted = unique
        .filter((columns) => !UNIQUE_ELSEWHERE.includes(`${table}.${columns.join()}`))
        .map((columns) => [...new Set([...columns, 'account_id'])].sort().join());
      const { keys = '' } = rowOf(table) ?? {};
      const groups = [...keys.matchAll(/\(([a-z_]+(?:, [a-z_]+)*)\)/g)].map(([, columns = '']) => columns);
      const documented = (keys === 'account_id' ? [keys] : groups).map((columns) =>
        columns.split(', ').sort().join(),
      );
      expect([table, documented.sort()]).toEqual([table, wanted.sort()]);
    }
  });

  it('names what each table refers to, and lets no divided table refer to one that is not', () => {
    for (const { table, references } of schema) {
      const { foreignKeys = '', distribution = '' } = rowOf(table) ?? {};
      expect([table, references.filter((other) => !foreignKeys.includes(other))]).toEqual([table, []]);
      const elsewhere = references.filter(
        (other) => distribution.startsWith('divided') && !rowOf(other)?.distribution.startsWith('divided'),
      );
      expect([table, elsewhere]).toEqual([table, []]);
    }
  });

  it('divides what the tests divide', () => {
    const divided = ROWS.filter(({ distribution }) => distribution === 'divided').map(({ table }) => table);
    expect(PAID_CALL_TABLES.filter((table) => !divided.includes(table))).toEqual([]);
  });

  it('says of every table of the schema once how it grows and what ends its rows, and of no other', () => {
    const named = GROWTH_ROWS.flatMap(([tables = '']) =>
      tables.split(', ').map((table) => table.replaceAll('`', '')),
    );
    expect(named.toSorted()).toEqual(schema.map(({ table }) => table).sort());
    expect(GROWTH_ROWS.filter((cells) => cells.length !== 5 || cells.includes(''))).toEqual([]);
  });

  it('names constants, settings and timers that there are', () => {
    const names = [...GROWTH_SECTION.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = '']) => name);
    expect(names).not.toEqual([]);
    expect(names.filter((name) => valuesOf(name).length === 0)).toEqual([]);
    const timers = [...GROWTH_SECTION.matchAll(/`([A-Z][a-z]\w+)`/g)].map(([, timer = '']) => timer);
    expect(timers).not.toEqual([]);
    const isTimer = (timer: string) =>
      SOURCES.some((source) => new RegExp(`timed\\(\\{\\s*name: '${timer}'`).test(source));
    expect(timers.filter((timer) => !isTimer(timer))).toEqual([]);
  });

  it('says the numbers that the constants have', () => {
    const said = [...GROWTH_SECTION.matchAll(/([\d,]+)(?: (?:bytes|ms|seconds))? \(`([A-Z0-9_]+)`\)/g)];
    const wrong = said.filter(
      ([, count = '', name = '']) =>
        !valuesOf(name)
          .map(productOf)
          .includes(Number(count.replaceAll(',', ''))),
    );
    expect(said).not.toEqual([]);
    expect(wrong.map(([text]) => text)).toEqual([]);
  });
});

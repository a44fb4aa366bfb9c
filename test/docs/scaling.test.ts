import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { INSTALLATION_TABLES } from '../../src/database/account-schemas';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';

/** The rows of the table in docs/scaling.md, "What grows, and what ends it", each with its cells. */
const PAGE = readFileSync('docs/scaling.md', 'utf8');
const [, GROWTH = ''] = PAGE.split('## What grows, and what ends it');
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
  SELECT relname AS table FROM pg_class
  WHERE relnamespace::regnamespace::text IN ('public', 'acc_0') AND relkind IN ('r', 'p') AND NOT relispartition
  ORDER BY relname`;

describe('docs/scaling.md', () => {
  let testDatabase: TestDatabase;
  let schema: { table: string }[];

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const client = new Client(testDatabase.url);
    await client.connect();
    schema = (await client.query<{ table: string }>(TABLES)).rows;
    await client.end();
  });
  afterAll(() => testDatabase.drop());

  it('names the tables of the installation, and no others, as those that stay in public', () => {
    const [, bullet = ''] = PAGE.split('- **Of the installation**');
    const named = [...(bullet.split(' in each schema')[0] ?? '').matchAll(/`(\w+_\w+|processes)`/g)].map(
      ([, name = '']) => name,
    );
    expect([...new Set(named)].sort()).toEqual([...INSTALLATION_TABLES].sort());
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

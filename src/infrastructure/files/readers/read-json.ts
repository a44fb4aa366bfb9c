import { FileTooComplex, UnreadableFile } from '../file-errors';
import { NESTING_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX } from '../file-limits';
import type { ReadFile } from '../read-file';
import { BoundedTables } from './bounded-tables';
import { boundedText } from './bounded-text';
import { decodeText } from './decode-text';
import { depthOfJson, indentedJson } from './indented-json';

/** A JSON text, indented; its tokens stay as they are, so that no number loses digits. */
export function readJson(bytes: Buffer): ReadFile {
  const source = decodeText(bytes);
  if (depthOfJson(source) > NESTING_MAX) {
    throw new FileTooComplex(`The JSON is nested more than ${NESTING_MAX} levels deep.`);
  }
  const value = parsed(source);
  const tables = new BoundedTables();
  tables.add(rowsOf(value));
  const { text, isCut } = boundedText(indentedJson(source));
  return {
    text,
    markdown: null,
    pages: null,
    title: null,
    tables: tables.tables,
    isCut: isCut || tables.isCut,
  };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new UnreadableFile('The file is not valid JSON.', { cause });
  }
}

/** A list of flat objects is a table, whose header are all their names; anything else is none. */
function rowsOf(value: unknown): string[][] {
  if (!Array.isArray(value) || value.length === 0) {
    return [];
  }
  const objects = (value as unknown[]).slice(0, TABLE_ROWS_MAX + 1);
  if (!objects.every(isFlatObject)) {
    return [];
  }
  const names = new Set<string>();
  for (const name of objects.flatMap((object) => Object.keys(object))) {
    names.add(name);
    if (names.size > TABLE_COLUMNS_MAX) {
      return [];
    }
  }
  const header = [...names];
  return [header, ...objects.map((object) => header.map((name) => cellOf(object[name])))];
}

function cellOf(value: Scalar | undefined): string {
  return value === undefined || value === null ? '' : String(value);
}

type Scalar = string | number | boolean | null;

function isFlatObject(value: unknown): value is Record<string, Scalar> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((each) => each === null || typeof each !== 'object')
  );
}

import { FileTooComplex, UnreadableFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { NESTING_MAX, TABLE_COLUMNS_MAX, TABLE_ROWS_MAX, TEXT_CHARACTERS_MAX } from '../file-limits';
import { endOfString } from '../../runtime/json';
import { boundedText, decodeText } from './read-text';
import { BoundedTables } from './tables';

/** A string, a bracket, a comma, a colon, or a run of anything else. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs;

const OPENING = 0x5b;
const OPENING_BRACE = 0x7b;
const CLOSING = 0x5d;
const CLOSING_BRACE = 0x7d;
const QUOTE = 0x22;

/** Measured before parsing: a recursive parser overflows. */
function depthOfJson(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < source.length; index += 1) {
    const code = source.charCodeAt(index);
    if (code === QUOTE) {
      index = endOfString(source, index) - 1;
    } else if (code === OPENING || code === OPENING_BRACE) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (code === CLOSING || code === CLOSING_BRACE) {
      depth -= 1;
    }
  }
  return deepest;
}

/** A line for each value. It ends early where it gets longer than texts may be. */
function indentedJson(source: string): string {
  const parts: string[] = [];
  let length = 0;
  let depth = 0;
  let before = '';
  for (const [token] of source.matchAll(TOKEN)) {
    const isClosing = token === ']' || token === '}';
    depth -= isClosing ? 1 : 0;
    const part = spaceBefore(token, before, depth) + token;
    parts.push(part);
    length += part.length;
    if (length > TEXT_CHARACTERS_MAX) {
      break;
    }
    depth += token === '[' || token === '{' ? 1 : 0;
    before = token;
  }
  return parts.join('');
}

function spaceBefore(token: string, before: string, depth: number): string {
  if (before === ':') {
    return ' ';
  }
  const opened = before === '[' || before === '{';
  const isClosing = token === ']' || token === '}';
  if (token === ',' || token === ':' || before === '' || (opened && isClosing)) {
    return '';
  }
  return `\n${'  '.repeat(depth)}`;
}

/** The tokens stay as they are, so that no number loses digits. */
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

/** A list of flat objects is a table with all their names as its header. */
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

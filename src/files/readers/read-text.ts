import { isUtf8 } from 'node:buffer';
import { type CsvError, parse } from 'csv-parse/sync';
import { marked, type Token, type Tokens } from 'marked';
import { endOfString, isObject } from '../../runtime/json';
import { FileTooComplex, UnreadableFile, UnsupportedFile } from '../file-errors';
import { NOTHING_READ, type ReadFile, type ReadTable } from '../file-jobs';
import {
  CELL_CHARACTERS_MAX,
  NESTING_MAX,
  TABLE_CELLS_MAX,
  TABLE_COLUMNS_MAX,
  TABLE_ROWS_MAX,
  TABLES_CHARACTERS_MAX,
  TABLES_MAX,
  TEXT_CHARACTERS_MAX,
} from '../file-limits';
import { utf16Of } from '../sniff-file-kind';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLED_LINES = 50;
const SAMPLED_CHARACTERS = 64 * 1024;
const ROW_CHARACTERS_MAX = 200_000;

export function readCsv(bytes: Buffer): ReadFile {
  const source = decodeText(bytes);
  const { text, isCut } = boundedText(source);
  const rows = csvRowsOf(text, isCut);
  const tables = new BoundedTables();
  tables.add(rows);
  const [table] = tables.tables;
  const markdown = table ? boundedText(markdownTable(table)).text : null;
  return { ...NOTHING_READ, text, markdown, tables: tables.tables, isCut: isCut || tables.isCut };
}

function csvRowsOf(text: string, isCut: boolean): string[][] {
  const whole = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  checkFirstRow(isCut && whole === '' ? text : whole);
  const rows: string[][] = [];
  try {
    parse(whole, {
      delimiter: delimiterOf(whole),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS_MAX,
      // One more than is kept, so that a cut is noticed.
      to: TABLE_ROWS_MAX + 1,
      on_record: (row: string[]) => void rows.push(row),
    });
  } catch (cause) {
    const { code } = cause as CsvError;
    if (code === 'CSV_MAX_RECORD_SIZE') {
      throw endless(cause);
    }
    // Where the text was cut within a cell, the rows before it are whole.
    if (isCut && code === 'CSV_QUOTE_NOT_CLOSED' && rows.length > 0) {
      return rows;
    }
    throw new UnreadableFile('The table cannot be read: a quote in it is never closed.', { cause });
  }
  return rows;
}

function checkFirstRow(text: string): void {
  if (text.length > ROW_CHARACTERS_MAX && !text.slice(0, ROW_CHARACTERS_MAX).includes('\n')) {
    throw endless(null);
  }
}

function endless(cause: unknown): FileTooComplex {
  return new FileTooComplex(`A row of the table is longer than ${ROW_CHARACTERS_MAX} characters.`, { cause });
}

function delimiterOf(text: string): string {
  const lines = unquoted(text.slice(0, SAMPLED_CHARACTERS))
    .split('\n', SAMPLED_LINES)
    .filter((line) => line.trim() !== '');
  const rated = DELIMITERS.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const first = counts[0] ?? 0;
    const alike = counts.filter((count) => count === first).length;
    return { delimiter, rating: first === 0 ? 0 : (alike / counts.length) * 1_000 + Math.min(first, 100) };
  });
  return rated.reduce((best, each) => (each.rating > best.rating ? each : best)).delimiter;
}

function unquoted(text: string): string {
  return text
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('');
}

/** A longer text of JSON would overflow the stack, and is cut anyway. */
const TOKEN = /"(?:[^"\\]|\\.){0,2000000}"?|[[\]{},:]|[^\s"[\]{},:]+/gs;

/** Measured before parsing: a recursive parser overflows. */
function depthOfJson(source: string): number {
  let depth = 0;
  let deepest = 0;
  for (let index = 0; index < source.length; index += 1) {
    const character = source[index];
    if (character === '"') {
      index = endOfString(source, index) - 1;
    } else if (character === '[' || character === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === ']' || character === '}') {
      depth -= 1;
    }
  }
  return deepest;
}

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

/** The JSON text is kept as written, so that no number loses digits. */
export function readJson(bytes: Buffer): ReadFile {
  const source = decodeText(bytes);
  if (depthOfJson(source) > NESTING_MAX) {
    throw new FileTooComplex(`The JSON is nested more than ${NESTING_MAX} levels deep.`);
  }
  const value = parsed(source);
  const tables = new BoundedTables();
  tables.add(rowsOf(value));
  const { text, isCut } = boundedText(indentedJson(source));
  return { ...NOTHING_READ, text, tables: tables.tables, isCut: isCut || tables.isCut };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch (cause) {
    throw new UnreadableFile('The file is not valid JSON.', { cause });
  }
}

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
  // One more than is kept, so that a cut is noticed.
  const kept = objects.slice(0, TABLE_CELLS_MAX / header.length + 1);
  return [header, ...kept.map((object) => header.map((name) => String(object[name] ?? '')))];
}

function isFlatObject(value: unknown): value is Record<string, string | number | boolean | null> {
  return isObject(value) && Object.values(value).every((each) => each === null || typeof each !== 'object');
}

export function readMarkdown(bytes: Buffer): ReadFile {
  const { text, isCut } = boundedText(decodeText(bytes));
  const tokens = marked.lexer(text);
  const headings = tokens.filter((token): token is Tokens.Heading => token.type === 'heading');
  const first = headings.find(({ depth }) => depth === 1) ?? headings[0];
  const title = first ? boundedTitle(plainOf(first.tokens)) : null;
  const tables = new BoundedTables();
  for (const token of tokens) {
    if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      tables.add([header, ...rows].map((row) => row.map((cell) => plainOf(cell.tokens))));
    }
  }
  const isAnyCut = isCut || tables.isCut;
  return { ...NOTHING_READ, text, markdown: text, title, tables: tables.tables, isCut: isAnyCut };
}

function plainOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) => ('tokens' in token && token.tokens ? plainOf(token.tokens) : textOf(token)))
    .join('')
    .trim();
}

function textOf(token: Token): string {
  if (token.type === 'br') {
    return ' ';
  }
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}

/** Normalises line ends, and drops NUL and lone surrogates; at most 2,000,000 UTF-16 units. */
export function boundedText(text: string): { text: string; isCut: boolean } {
  const isCut = text.length > TEXT_CHARACTERS_MAX;
  const cut = isCut ? text.slice(0, TEXT_CHARACTERS_MAX) : text;
  return { text: cut.replaceAll(/\r\n?/g, '\n').replaceAll('\0', '').toWellFormed(), isCut };
}

/** One line of at most 300 characters; null where nothing is left. */
export function boundedTitle(title: string | null | undefined): string | null {
  const line = (title ?? '').slice(0, 2_000).replaceAll('\0', '').replaceAll(/\s+/g, ' ').trim();
  return line === '' ? null : line.slice(0, 300).toWellFormed();
}

const FALLBACK = 'windows-1252';
/** Windows-1252 from 0x80 to 0x9f (WHATWG Encoding). */
const FROM_0X80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Shift-JIS lead bytes of all kana but ー; in windows-1252 a low quote and a currency sign. */
const KANA_RUN = /(?:\x81\x5b|\x82[\x9f-\xf1]|\x83[\x40-\x96]){2,}/g;
const KANA_BYTES_MIN = 6;
const KANA_SHARE_MIN = 0.1;
/** In windows-1252 a run of four non-ASCII letters is no word; in windows-1251 many are а, е, и, о. */
const CYRILLIC_RUN = /(?!(.)\1{3})[\xa8\xb8\xc0-\xff]{4,}/g;
const CYRILLIC_VOWEL = /[\xc0\xc5\xc8\xce\xe0\xe5\xe8\xee]/g;
const CYRILLIC_VOWELS_SHARE_MIN = 0.25;
const LETTERS_MIN = 8;
const LETTERS_ALONE_MIN = 6;

function likelyEncodingOf(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.subarray(0, SAMPLED_CHARACTERS));
  const read = sample.toString('latin1');
  const count = (text: string, letter: RegExp) => text.match(letter)?.length ?? 0;
  const kana = read.match(KANA_RUN)?.join('').length ?? 0;
  const isKana = kana >= KANA_BYTES_MIN && kana > KANA_SHARE_MIN * count(read, /[\x80-\xff]/g);
  if (isKana && !new TextDecoder('shift_jis').decode(sample, { stream: true }).includes('\ufffd')) {
    return 'shift_jis';
  }
  const inRuns = read.match(CYRILLIC_RUN)?.join('') ?? '';
  const isCyrillic =
    inRuns.length >= (/[a-z]/i.test(read) ? LETTERS_MIN : LETTERS_ALONE_MIN) &&
    inRuns.length > count(read, /[\xc0-\xff]/g) / 2 &&
    count(inRuns, CYRILLIC_VOWEL) > CYRILLIC_VOWELS_SHARE_MIN * inRuns.length;
  return isCyrillic ? 'windows-1251' : FALLBACK;
}

/** By mark, UTF-8, the named charset, or the likeliest of three. @throws UnsupportedFile for bytes with NUL */
export function decodeText(bytes: Uint8Array, named: string | null = null): string {
  const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : knownEncoding(named, bytes));
  const text = encoding === FALLBACK ? ofWindows1252(bytes) : new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) {
    throw new UnsupportedFile('The file is called a text, but its bytes are none.');
  }
  return text;
}

function knownEncoding(named: string | null, bytes: Uint8Array): string {
  const likely = likelyEncodingOf(bytes);
  try {
    return new TextDecoder(named ?? likely).encoding;
  } catch {
    return likely;
  }
}

/** Node 20 decodes windows-1252 as latin1, without its quotes, dashes and the euro. */
function ofWindows1252(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .toString('latin1')
    .replaceAll(/[\x80-\x9f]/g, (control) => FROM_0X80[control.charCodeAt(0) - 0x80] ?? control);
}

export function readText(bytes: Buffer): ReadFile {
  return { ...NOTHING_READ, ...boundedText(decodeText(bytes)) };
}

export class BoundedTables {
  readonly tables: ReadTable[] = [];
  isCut = false;
  private rows = 0;
  private cells = 0;
  private characters = 0;

  add([header, ...rows]: readonly (readonly string[])[]): void {
    if (header === undefined) {
      return;
    }
    const first = this.tables.length < TABLES_MAX ? this.row(header) : null;
    if (first === null) {
      this.isCut = true;
      return;
    }
    const table: ReadTable = { header: first, rows: [] };
    this.tables.push(table);
    for (const row of rows) {
      const isFull = this.rows >= TABLE_ROWS_MAX || this.cells >= TABLE_CELLS_MAX;
      const kept = isFull ? null : this.row(row);
      if (kept === null) {
        this.isCut = true;
        return;
      }
      table.rows.push(kept);
    }
  }

  private row(cells: readonly string[]): string[] | null {
    const kept = cells
      .slice(0, TABLE_COLUMNS_MAX)
      .map((cell) => cell.slice(0, CELL_CHARACTERS_MAX).toWellFormed());
    this.isCut ||=
      cells.length > TABLE_COLUMNS_MAX || cells.some((cell) => cell.length > CELL_CHARACTERS_MAX);
    const characters = kept.reduce((sum, cell) => sum + cell.length, 0);
    if (this.characters + characters > TABLES_CHARACTERS_MAX) {
      return null;
    }
    this.characters += characters;
    this.rows += 1;
    this.cells += kept.length;
    return kept;
  }
}

export function markdownTable({ header, rows }: ReadTable): string {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const lines = [lineOf(header, columns), `|${' --- |'.repeat(columns)}`];
  let length = 0;
  for (const row of rows) {
    const line = lineOf(row, columns);
    length += line.length + 1;
    if (length > TEXT_CHARACTERS_MAX) {
      break;
    }
    lines.push(line);
  }
  return lines.join('\n');
}

function lineOf(cells: readonly string[], columns: number): string {
  const padded = Array.from({ length: columns }, (_, column) => escaped(cells[column] ?? ''));
  return `| ${padded.join(' | ')} |`;
}

function escaped(cell: string): string {
  return cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();
}

import { parse, type CsvError } from 'csv-parse/sync';
import { FileTooComplex, UnreadableFile } from '../file-errors';
import type { ReadFile } from '../file-jobs';
import { TABLE_ROWS_MAX } from '../file-limits';
import { boundedText, decodeText } from './read-text';
import { BoundedTables, markdownTable } from './tables';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SAMPLED_LINES = 50;
const SAMPLED_CHARACTERS = 64 * 1024;
const ROW_CHARACTERS_MAX = 200_000;

/** The first row is the header. Rows may be of any length. */
export function readCsv(bytes: Buffer): ReadFile {
  const source = decodeText(bytes);
  const { text, isCut } = boundedText(source);
  const rows = rowsOf(text, isCut);
  const tables = new BoundedTables();
  tables.add(rows);
  const [table] = tables.tables;
  return {
    text,
    markdown: table ? boundedText(markdownTable(table)).text : null,
    pages: null,
    title: null,
    tables: tables.tables,
    isCut: isCut || tables.isCut,
  };
}

/** @throws FileTooComplex for an endless row, UnreadableFile for quotes that are never closed */
function rowsOf(text: string, isCut: boolean): string[][] {
  const whole = isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  checkFirstRow(isCut && whole === '' ? text : whole);
  try {
    return parse(whole, {
      delimiter: delimiterOf(whole),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: ROW_CHARACTERS_MAX,
      // One more than is kept, so that a cut is noticed.
      to: TABLE_ROWS_MAX + 1,
    });
  } catch (cause) {
    const { code } = cause as CsvError;
    if (code === 'CSV_MAX_RECORD_SIZE') {
      throw endless(cause);
    }
    throw new UnreadableFile('The table cannot be read: a quote in it is never closed.', { cause });
  }
}

/** An endless line is refused without a parser. */
function checkFirstRow(text: string): void {
  if (text.length > ROW_CHARACTERS_MAX && !text.slice(0, ROW_CHARACTERS_MAX).includes('\n')) {
    throw endless(null);
  }
}

function endless(cause: unknown): FileTooComplex {
  return new FileTooComplex(`A row of the table is longer than ${ROW_CHARACTERS_MAX} characters.`, { cause });
}

/** The delimiter that most lines have equally often outside of quotes, by default a comma. */
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

import { delimitedTable } from './delimited-rows';
import { linesIn, type Line } from './lines';

export interface FoundTable {
  /** From the first character of its header to the end of its last row, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  readonly header: string[];
  /** Each row has as many cells as the header. */
  readonly rows: string[][];
}

const ROWS_MAX = 10_000;
const CELLS_MAX = 200;
const LINE_LENGTH_MAX = 5_000;
const DELIMITER_ROW =
  /^\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}(?:\|[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}){0,200}\|?$/u;
/** Columns that are aligned with spaces have at least two between them. */
const ALIGNED_GAP = / {2,}/u;
const ALIGNED_LINES_MIN = 3;

/**
 * The tables of a text, in order: pipe tables of Markdown, and lines that follow each other with equally many columns
 * between tabs, commas, semicolons, or two and more spaces. The first line is the header.
 */
export function tablesIn(text: string): FoundTable[] {
  const lines = linesIn(text);
  const tables: FoundTable[] = [];
  for (let index = 0; index < lines.length;) {
    const found = pipeTable(lines, index) ?? delimitedTable(lines, index) ?? alignedTable(lines, index);
    if (found) {
      tables.push(tableOf(lines, index, found));
    }
    index += found?.lines ?? 1;
  }
  return tables;
}

/** Rows of cells, the header first, and how many lines of the text they take. */
export interface TableCells {
  readonly cells: string[][];
  readonly lines: number;
}

function tableOf(lines: readonly Line[], index: number, { cells, lines: count }: TableCells): FoundTable {
  const [header = [], ...rows] = cells;
  const last = lines[index + count - 1];
  return {
    start: lines[index]?.start ?? 0,
    end: last?.end ?? 0,
    header,
    rows: rows.map((row) => header.map((_, column) => row[column] ?? '')),
  };
}

function pipeTable(lines: readonly Line[], index: number): TableCells | null {
  const [header, marks] = [lines[index]?.text ?? '', lines[index + 1]?.text ?? ''];
  if (
    !header.includes('|') ||
    !marks.includes('-') ||
    !marks.includes('|') ||
    marks.length > LINE_LENGTH_MAX
  ) {
    return null;
  }
  if (!DELIMITER_ROW.test(marks) || pipeCells(marks).length !== pipeCells(header).length) {
    return null;
  }
  const cells = [pipeCells(header)];
  let count = 2;
  for (; count < ROWS_MAX && lines[index + count]?.text.includes('|') === true; count += 1) {
    cells.push(pipeCells(lines[index + count]?.text ?? ''));
  }
  return { cells, lines: count };
}

function pipeCells(line: string): string[] {
  const inner = line.slice(line.startsWith('|') ? 1 : 0, /(?<!\\)\|$/u.test(line) ? -1 : undefined);
  return inner
    .split(/(?<!\\)\|/u)
    .slice(0, CELLS_MAX)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

function alignedTable(lines: readonly Line[], index: number): TableCells | null {
  const header = alignedCells(lines[index]);
  if (header.length < 2) {
    return null;
  }
  const cells = [header];
  let count = 1;
  for (; count < ROWS_MAX; count += 1) {
    const row = alignedCells(lines[index + count]);
    if (isRule(lines[index + count]?.text ?? '')) {
      continue;
    }
    if (row.length !== header.length) {
      break;
    }
    cells.push(row);
  }
  return cells.length >= ALIGNED_LINES_MIN ? { cells, lines: count } : null;
}

function alignedCells(line: Line | undefined): string[] {
  return line === undefined || line.text.length > LINE_LENGTH_MAX
    ? []
    : line.text.split(ALIGNED_GAP).slice(0, CELLS_MAX);
}

/** A line of dashes beneath a header. */
function isRule(line: string): boolean {
  return line.length >= 3 && line.length <= LINE_LENGTH_MAX && /^[-=+ ]+$/u.test(line);
}

import { DelimitedTables } from './delimited-rows';
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
/** Short rows below a wide header get empty cells, so that a few bytes of a text become hundreds of cells. */
const CELLS_OF_TEXT_MAX = 500_000;
const LINE_LENGTH_MAX = 5_000;
const DELIMITER_ROW =
  /^\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}(?:\|[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}){0,200}\|?$/u;
/** Columns that are aligned with spaces have at least two between them. */
const ALIGNED_GAP = / {2,}/u;
const ALIGNED_LINES_MIN = 3;

/**
 * The tables of a text, in order: pipe tables of Markdown, and lines that follow each other with equally many columns
 * between tabs, commas, semicolons, or two and more spaces. The first line is the header. Takes linear time.
 */
export function tablesIn(text: string): FoundTable[] {
  const lines = linesIn(text);
  const delimited = new DelimitedTables(lines);
  const aligned = new AlignedTables(lines);
  const tables: FoundTable[] = [];
  let cellsLeft = CELLS_OF_TEXT_MAX;
  for (let index = 0; index < lines.length;) {
    const found = pipeTable(lines, index) ?? delimited.at(index) ?? aligned.at(index);
    if (found) {
      const table = tableOf(lines, index, found, cellsLeft);
      cellsLeft -= table.rows.length * table.header.length;
      tables.push(table);
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

function tableOf(
  lines: readonly Line[],
  index: number,
  { cells, lines: count }: TableCells,
  cellsMax: number,
): FoundTable {
  const [header = [], ...rows] = cells;
  const last = lines[index + count - 1];
  return {
    start: lines[index]?.start ?? 0,
    end: last?.end ?? 0,
    header,
    rows: rows
      .slice(0, Math.floor(cellsMax / header.length))
      .map((row) => header.map((_, column) => row[column] ?? '')),
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
  return inner.split(/(?<!\\)\|/u, CELLS_MAX).map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
}

/** Finds the tables whose columns are aligned with spaces. Each line is read once before the first table is asked for. */
class AlignedTables {
  private readonly columns: Uint8Array;
  /** The first line from this one on that is not the rule beneath a header. */
  private readonly nextRow: Uint32Array;

  constructor(private readonly lines: readonly Line[]) {
    this.columns = Uint8Array.from(lines, (line) => alignedCells(line).length);
    this.nextRow = new Uint32Array(lines.length + 1).fill(lines.length);
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      const isRow = !isRule(lines[index]?.text ?? '');
      this.nextRow[index] = isRow ? index : (this.nextRow[index + 1] ?? lines.length);
    }
  }

  /** The rows of a table that begins with the line of that index; null where none does. */
  at(index: number): TableCells | null {
    const columns = this.columns[index] ?? 0;
    if (columns < 2) {
      return null;
    }
    const linesEnd = index + ROWS_MAX;
    const places = [index];
    let end = this.rowFrom(index + 1);
    while (end < linesEnd && this.columns[end] === columns) {
      places.push(end);
      end = this.rowFrom(end + 1);
    }
    const cells = places.map((place) => alignedCells(this.lines[place]));
    return cells.length < ALIGNED_LINES_MIN ? null : { cells, lines: Math.min(end, linesEnd) - index };
  }

  private rowFrom(index: number): number {
    return this.nextRow[index] ?? this.lines.length;
  }
}

function alignedCells(line: Line | undefined): string[] {
  return line === undefined || line.text.length > LINE_LENGTH_MAX
    ? []
    : line.text.split(ALIGNED_GAP, CELLS_MAX);
}

/** A line of dashes beneath a header. */
function isRule(line: string): boolean {
  return line.length >= 3 && line.length <= LINE_LENGTH_MAX && /^[-=+ ]+$/u.test(line);
}

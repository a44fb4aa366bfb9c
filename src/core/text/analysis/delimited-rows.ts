import type { Line } from './lines';
import type { TableCells } from './tables';

const ROWS_MAX = 10_000;
const LINE_LENGTH_MAX = 5_000;
const CELL_LENGTH_MAX = 200;
/** Two lines of prose often have equally many commas; three with short parts hardly ever. */
const LINES_MIN: Readonly<Record<string, number>> = { '\t': 2, ';': 3, ',': 3 };

/** The rows of a table whose cells stand between tabs, semicolons or commas, in lines from `index`; null where there is none. */
export function delimitedTable(lines: readonly Line[], index: number): TableCells | null {
  for (const [delimiter, linesMin] of Object.entries(LINES_MIN)) {
    const cells = rowsFrom(lines, index, delimiter);
    if (cells.length >= linesMin && isTabular(cells, delimiter)) {
      return { cells, lines: cells.length };
    }
  }
  return null;
}

function rowsFrom(lines: readonly Line[], index: number, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row = cellsOf(lines[index]?.text ?? '', delimiter);
  const columns = row.length;
  while (columns > 1 && row.length === columns && rows.length < ROWS_MAX) {
    rows.push(row);
    row = cellsOf(lines[index + rows.length]?.text ?? '', delimiter);
  }
  return rows;
}

/** The cells of a line; a delimiter between double quotes belongs to its cell, and two quotes there are one. */
function cellsOf(line: string, delimiter: string): string[] {
  if (line.length > LINE_LENGTH_MAX || !line.includes(delimiter)) {
    return [];
  }
  const cells: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let index = 0; index <= line.length; index += 1) {
    const character = line[index] ?? delimiter;
    isQuoted = character === '"' ? !isQuoted : isQuoted;
    if (index === line.length || (character === delimiter && !isQuoted)) {
      cells.push(unquoted(line.slice(from, index).trim()));
      from = index + 1;
    }
  }
  return cells;
}

function unquoted(cell: string): string {
  return /^".*"$/u.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

/** Prose has long parts, and a space after each of its commas and semicolons. */
function isTabular(rows: readonly (readonly string[])[], delimiter: string): boolean {
  const cells = rows.flat();
  const isShort = cells.every((cell) => cell.length <= CELL_LENGTH_MAX);
  const header = rows[0] ?? [];
  const isNamed = header.every((cell) => cell !== '' && cell.length <= 60);
  const endsSentences =
    rows.filter((row) => /[a-z]{2}[.!?]$/u.test(row.at(-1) ?? '')).length > rows.length / 2;
  return isShort && (delimiter === '\t' || (isNamed && !endsSentences));
}

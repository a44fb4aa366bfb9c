import type { Line } from './lines';
import type { TableCells } from './tables';

const ROWS_MAX = 10_000;
const LINE_LENGTH_MAX = 5_000;
const CELL_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 60;
/** Two lines of prose often have equally many commas; three with short parts hardly ever. */
const LINES_MIN: Readonly<Record<string, number>> = { '\t': 2, ';': 3, ',': 3 };

/**
 * Finds the tables whose cells stand between tabs, semicolons or commas. Each line is read once for each delimiter before
 * the first table is asked for: where no table begins, the next line is asked for, and so on to the end of the text.
 */
export class DelimitedTables {
  private readonly readings: readonly DelimitedLines[];

  constructor(private readonly lines: readonly Line[]) {
    this.readings = Object.entries(LINES_MIN).map(
      ([delimiter, linesMin]) => new DelimitedLines(lines, delimiter, linesMin),
    );
  }

  /** The rows of a table that begins with the line of that index; null where none does. */
  at(index: number): TableCells | null {
    for (const reading of this.readings) {
      const count = reading.rowsAt(index);
      if (count > 0) {
        const rows = this.lines.slice(index, index + count);
        return { cells: rows.map(({ text }) => cellsOf(text, reading.delimiter)), lines: count };
      }
    }
    return null;
  }
}

/** What of the lines' cells tells where a table begins and how far it goes, by the index of a line. */
class DelimitedLines {
  private readonly columns: Uint16Array;
  /** Where the lines end that have as many columns as this one. */
  private readonly runEnd: Uint32Array;
  /** The first line from this one on that has a cell too long for a table. */
  private readonly nextLong: Uint32Array;
  /** How many of the lines before this one end a sentence. */
  private readonly sentencesBefore: Uint32Array;
  private readonly isNamed: Uint8Array;

  constructor(
    lines: readonly Line[],
    readonly delimiter: string,
    private readonly linesMin: number,
  ) {
    const count = lines.length;
    this.columns = new Uint16Array(count);
    this.runEnd = new Uint32Array(count).fill(count);
    this.nextLong = new Uint32Array(count + 1).fill(count);
    this.sentencesBefore = new Uint32Array(count + 1);
    this.isNamed = new Uint8Array(count);
    const isLong = lines.map(({ text }, index) => this.read(cellsOf(text, delimiter), index));
    for (let index = count - 1; index >= 0; index -= 1) {
      this.nextLong[index] = isLong[index] === true ? index : (this.nextLong[index + 1] ?? count);
      const isLast = index === count - 1 || this.columns[index] !== this.columns[index + 1];
      this.runEnd[index] = isLast ? index + 1 : (this.runEnd[index + 1] ?? count);
    }
  }

  /** How many lines a table has that begins with this one; 0 where none does. */
  rowsAt(index: number): number {
    const end = Math.min(this.runEnd[index] ?? 0, index + ROWS_MAX);
    const count = (this.columns[index] ?? 0) > 1 ? end - index : 0;
    return count >= this.linesMin && this.isTabular(index, end) ? count : 0;
  }

  /** Prose has long parts, and a space after each of its commas and semicolons. */
  private isTabular(start: number, end: number): boolean {
    const isShort = (this.nextLong[start] ?? 0) >= end;
    const sentences = (this.sentencesBefore[end] ?? 0) - (this.sentencesBefore[start] ?? 0);
    const isProse = this.isNamed[start] !== 1 || sentences > (end - start) / 2;
    return isShort && (this.delimiter === '\t' || !isProse);
  }

  /** @returns whether one of the cells is too long for a table */
  private read(cells: readonly string[], index: number): boolean {
    const endsSentence = /[a-z]{2}[.!?]$/u.test(cells.at(-1) ?? '');
    this.columns[index] = cells.length;
    this.sentencesBefore[index + 1] = (this.sentencesBefore[index] ?? 0) + Number(endsSentence);
    this.isNamed[index] = Number(cells.every((cell) => cell !== '' && cell.length <= NAME_LENGTH_MAX));
    return cells.some((cell) => cell.length > CELL_LENGTH_MAX);
  }
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

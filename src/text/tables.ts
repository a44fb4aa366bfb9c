import { type TextLine, linesIn } from './places';

const LINE_LENGTH_MAX = 5_000;
const ROWS_MAX = 10_000;
/** Commas only between digits, as in "Nettobetrag: 3.483,00 €", are decimal marks. */
const DECIMAL_COMMAS = /^(?=[^,]*,)(?=.*\p{L})(?:[^,]|(?<=\d),(?=\d))+$/u;
const NO_HEADER = /\p{N}|^,|,,|, |,$/u;

/** Commas between cells become line ends, so that "EUR 99,3 rue" is an amount and an address; places stay. */
export function cellsApart(text: string): string {
  if (!/,\S/u.test(text)) {
    return text;
  }
  const rows = linesIn(text).map(({ text: line, start }) => ({ line, commas: commasIn(line, start) }));
  let isTable = false;
  const delimiters = rows.flatMap(({ line, commas }, index) => {
    if (commas.length !== rows[index - 1]?.commas.length) {
      isTable = commas.length === rows[index + 1]?.commas.length && !NO_HEADER.test(line);
    }
    return isTable ? commas : [];
  });
  return partsAt(text, delimiters).join('\n');
}

function delimitersIn(line: string, delimiter: string): number[] {
  const found: number[] = [];
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    isQuoted = line[index] === '"' ? !isQuoted : isQuoted;
    if (line[index] === delimiter && !isQuoted) {
      found.push(index);
    }
  }
  return found;
}

function commasIn(line: string, start: number): number[] {
  const commas = line.length > LINE_LENGTH_MAX ? [] : delimitersIn(line, ',');
  return commas.filter((index) => line[index + 1] !== ' ').map((index) => start + index);
}

function partsAt(text: string, places: readonly number[]): string[] {
  const ends = [...places, text.length];
  return ends.map((end, index) => text.slice((ends[index - 1] ?? -1) + 1, end));
}

const CELL_LENGTH_MAX = 200;
const NAME_LENGTH_MAX = 60;
/** Two lines of prose often have equally many commas; three hardly ever. */
const LINES_MIN: Readonly<Record<string, number>> = { '\t': 2, ';': 3, ',': 3 };

/** Each line is read once: where no table begins, the next is asked for. */
function delimitedTable(
  lines: readonly TextLine[],
  index: number,
  readings: readonly DelimitedLines[],
): TableCells | null {
  const reading = readings.find((each) => each.rowsAt(index) > 0);
  if (!reading) {
    return null;
  }
  const rows = lines.slice(index, index + reading.rowsAt(index));
  return { cells: rows.map(({ text }) => cellsOf(text, reading.delimiter)), lines: rows.length };
}

class DelimitedLines {
  private readonly columns: Uint16Array;
  private readonly runEnd: Uint32Array;
  private readonly nextLong: Uint32Array;
  private readonly sentencesBefore: Uint32Array;
  private readonly isNamed: Uint8Array;

  constructor(
    lines: readonly TextLine[],
    readonly delimiter: string,
    private readonly linesMin: number,
  ) {
    const count = lines.length;
    this.columns = new Uint16Array(count);
    this.runEnd = new Uint32Array(count).fill(count);
    this.nextLong = new Uint32Array(count + 1).fill(count);
    this.sentencesBefore = new Uint32Array(count + 1);
    this.isNamed = new Uint8Array(count);
    const isLong = lines.map(({ text }, index) => this.read(text, index));
    for (let index = count - 1; index >= 0; index -= 1) {
      this.nextLong[index] = isLong[index] === true ? index : (this.nextLong[index + 1] ?? count);
      const isLast = index === count - 1 || this.columns[index] !== this.columns[index + 1];
      this.runEnd[index] = isLast ? index + 1 : (this.runEnd[index + 1] ?? count);
    }
  }

  rowsAt(index: number): number {
    const end = Math.min(this.runEnd[index] ?? 0, index + ROWS_MAX);
    const count = (this.columns[index] ?? 0) > 1 ? end - index : 0;
    return count >= this.linesMin && this.isTabular(index, end) ? count : 0;
  }

  /** Prose has long parts, and a space after its commas. */
  private isTabular(start: number, end: number): boolean {
    const isShort = (this.nextLong[start] ?? 0) >= end;
    const sentences = (this.sentencesBefore[end] ?? 0) - (this.sentencesBefore[start] ?? 0);
    const isProse = this.isNamed[start] !== 1 || sentences > (end - start) / 2;
    return isShort && (this.delimiter === '\t' || !isProse);
  }

  private read(line: string, index: number): boolean {
    const cells = cellsOf(line, this.delimiter);
    const isSum = cells.length > 1 && this.delimiter === ',' && DECIMAL_COMMAS.test(line);
    const endsSentence = /[a-z]{2}[.!?]$/u.test(cells.at(-1) ?? '');
    this.columns[index] = cells.length;
    this.sentencesBefore[index + 1] = (this.sentencesBefore[index] ?? 0) + Number(endsSentence);
    this.isNamed[index] = Number(
      !isSum && cells.every((cell) => cell !== '' && cell.length <= NAME_LENGTH_MAX),
    );
    return cells.some((cell) => cell.length > CELL_LENGTH_MAX);
  }
}

function cellsOf(line: string, delimiter: string): string[] {
  if (line.length > LINE_LENGTH_MAX || !line.includes(delimiter)) {
    return [];
  }
  return partsAt(line, delimitersIn(line, delimiter)).map((cell) => unquoted(cell.trim()));
}

function unquoted(cell: string): string {
  return /^".*"$/u.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
}

interface FoundTable {
  readonly start: number;
  readonly end: number;
  readonly header: string[];
  readonly rows: string[][];
}

const CELLS_MAX = 200;
/** Short rows below a wide header get empty cells, so that a few bytes become hundreds of cells. */
const CELLS_OF_TEXT_MAX = 500_000;
const DELIMITER_ROW =
  /^\|?[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}(?:\|[ \t]{0,20}:?-{1,200}:?[ \t]{0,20}){0,200}\|?$/u;
const ALIGNED_GAP = / {2,}/u;
const ALIGNED_LINES_MIN = 3;

/** Pipe tables of Markdown, and lines with equally many columns; the first line is the header. Linear time. */
export function tablesIn(text: string): FoundTable[] {
  const lines = linesIn(text);
  const readings = Object.entries(LINES_MIN).map((linesMin) => new DelimitedLines(lines, ...linesMin));
  const aligned = new AlignedTables(lines);
  const tables: FoundTable[] = [];
  let cellsLeft = CELLS_OF_TEXT_MAX;
  for (let index = 0; index < lines.length;) {
    const found = pipeTable(lines, index) ?? delimitedTable(lines, index, readings) ?? aligned.at(index);
    if (found) {
      const table = tableOf(lines, index, found, cellsLeft);
      cellsLeft -= table.rows.length * table.header.length;
      tables.push(table);
    }
    index += found?.lines ?? 1;
  }
  return tables;
}

interface TableCells {
  readonly cells: string[][];
  readonly lines: number;
}

function tableOf(
  lines: readonly TextLine[],
  index: number,
  { cells, lines: count }: TableCells,
  cellsMax: number,
): FoundTable {
  const [header = [], ...rows] = cells;
  return {
    start: lines[index]?.start ?? 0,
    end: lines[index + count - 1]?.end ?? 0,
    header,
    rows: rows
      .slice(0, Math.floor(cellsMax / header.length))
      .map((row) => header.map((_, column) => row[column] ?? '')),
  };
}

function pipeTable(lines: readonly TextLine[], index: number): TableCells | null {
  const [header, marks] = [lines[index]?.text ?? '', lines[index + 1]?.text ?? ''];
  const mayBegin = header.includes('|') && marks.includes('|') && marks.length <= LINE_LENGTH_MAX;
  if (!mayBegin || !DELIMITER_ROW.test(marks) || pipeCells(marks).length !== pipeCells(header).length) {
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

class AlignedTables {
  private readonly columns: Uint8Array;
  private readonly nextRow: Uint32Array;

  constructor(private readonly lines: readonly TextLine[]) {
    this.columns = Uint8Array.from(lines, (line) => alignedCells(line).length);
    this.nextRow = new Uint32Array(lines.length + 1).fill(lines.length);
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      const isRow = !isRule(lines[index]?.text ?? '');
      this.nextRow[index] = isRow ? index : (this.nextRow[index + 1] ?? lines.length);
    }
  }

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

function alignedCells(line: TextLine | undefined): string[] {
  return line === undefined || line.text.length > LINE_LENGTH_MAX
    ? []
    : line.text.split(ALIGNED_GAP, CELLS_MAX);
}

function isRule(line: string): boolean {
  return line.length >= 3 && line.length <= LINE_LENGTH_MAX && /^[-=+ ]+$/u.test(line);
}

const PAIR_LINE_LENGTH_MAX = 1_200;
const KEY_WORDS_MAX = 6;
const PAIR =
  /^(?:[-*+•>#|][ \t]{0,4}){0,3}(?:\*\*|__)?([\p{L}\p{N}][\p{L}\p{M}\p{N} /()&.'’#%\-]{0,58}?)(?:\*\*|__)?[ \t]{0,4}(?::(?:\*\*|__)?[ \t]{1,40}|：(?!.*[。！？][”」』’]?$)(?:\*\*|__)?[ \t]{0,40})(\S.*)$/u;

const SUM =
  /^([\p{L}][\p{L}\p{M} ]{0,38}\p{L})[ \t]{2,80}((?:[A-Z]{3}|[$€£¥₹])[ ]?\d[\d.,'’ ]{0,20}|\d[\d.,'’ ]{0,20}(?:[A-Z]{3}|[$€£¥₹]))$/u;

const PAIR_GAP = /(?<=[^:：*_ ])(?: {2,80}|\t)(?=\p{Lu}[\p{L}\p{M} .]{0,38}[:：][ \t])/u;

/** A name has at most six words and begins with a capital or a digit. */
export function keyValuesIn(text: string) {
  return linesIn(text).flatMap((line) => {
    let end = 0;
    const pairs = line.text.length > PAIR_LINE_LENGTH_MAX ? [] : line.text.split(PAIR_GAP);
    return pairs.flatMap((pair) => {
      const from = line.text.indexOf(pair, end);
      end = from + pair.length;
      const match = PAIR.exec(pair) ?? SUM.exec(pair);
      const [, key = '', value = ''] = match ?? [];
      if (!match || !isName(key)) {
        return [];
      }
      const place = { start: line.start + from + pair.indexOf(key), end: line.start + end };
      return [{ key: key.trim(), value: value.trim(), ...place }];
    });
  });
}

function isName(key: string): boolean {
  return (
    /^[\p{Lu}\p{Lo}\p{N}]/u.test(key) && /\p{L}/u.test(key) && key.trim().split(' ').length <= KEY_WORDS_MAX
  );
}

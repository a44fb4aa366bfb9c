import {
  areColumnsOfProse,
  areSideBySide,
  isMostlyRightToLeft,
  isPlacedTable,
  joinedLines,
  median,
  type PlacedRun,
  type TextRun,
  textOfRuns,
  trackingOf,
  withoutEchoes,
} from './pdf-text';

export type PageBlock = { readonly text: string } | { readonly rows: string[][] };

/** In heights of the letters: a wider gap begins a cell, and a gutter between columns is at least this wide. */
const CELL_GAP = 0.75;
const GUTTER_WIDTH_MIN = 0.5;
const GAPS_DIFFER_MAX = 0.1;
/** A greater distance of baselines separates paragraphs, or bands of columns. */
const PARAGRAPH_GAP = 1.9;
const BAND_GAP = 3.2;
const SINGLE_LINES_MAX = 2;
const BAND_LINES_MAX = 400;
/** The share of lines that may cross a gutter, and the share with several cells in a table. */
const GUTTER_CROSSED_MAX = 0.12;
const TABLE_LINES_MIN = 0.6;
const DEPTH_MAX = 3;
const OPEN_LINES_MAX = 6;
const PAGE_WIDTH_MAX = 6_000;

interface LaidCell {
  readonly runs: PlacedRun[];
  readonly left: number;
  right: number;
}
interface OpenLine {
  baseline: number;
  height: number;
  readonly runs: PlacedRun[];
}
interface LaidLine extends OpenLine {
  readonly cells: LaidCell[];
  readonly isRightToLeft: boolean;
  readonly tracking: number;
}

export function pageBlocks(runs: readonly PlacedRun[], depth = 0): PageBlock[] {
  const lines = linesOf(runs);
  const blocks: PageBlock[] = [];
  let paragraph: LaidLine[] = [];
  const endParagraph = () => {
    blocks.push(...paragraphs(paragraph));
    paragraph = [];
  };
  for (let start = 0; start < lines.length;) {
    const end = bandEnd(lines, start);
    const band = end - start > 1 ? bandBlocks(lines, start, end, depth) : null;
    if (band !== null) {
      paragraph.length = Math.max(paragraph.length - (start - band.start), 0);
    }
    if (band !== null || distance(lines, start) > PARAGRAPH_GAP) {
      endParagraph();
    }
    if (band !== null) {
      blocks.push(...band.blocks);
      start = band.end;
    } else {
      paragraph.push(...lines.slice(start, start + 1));
      start += 1;
    }
  }
  endParagraph();
  return blocks;
}

export function mayHoldTable(runs: readonly PlacedRun[]): boolean {
  return linesOf(runs).filter(({ cells }) => cells.length > 1).length > 1;
}

function linesOf(runs: readonly PlacedRun[]): LaidLine[] {
  const lines: OpenLine[] = [];
  for (const run of [...runs].sort((one, other) => one.baseline - other.baseline || one.left - other.left)) {
    const line = lines
      .slice(-OPEN_LINES_MAX)
      .reverse()
      .find((each) => isOnLine(run, each));
    if (line === undefined) {
      lines.push({ baseline: run.baseline, height: run.height, runs: [run] });
      continue;
    }
    line.runs.push(run);
    if (run.height > line.height) {
      line.height = run.height;
      line.baseline = run.baseline;
    }
  }
  return lines.map(laidOut).sort((one, other) => one.baseline - other.baseline);
}

function laidOut(line: OpenLine): LaidLine {
  const runs = withoutEchoes(line.runs.sort((one, other) => one.left - other.left));
  const tracking = trackingOf(runs);
  const isRightToLeft = isMostlyRightToLeft(runs);
  const cells = cellsOf(runs, tracking);
  return { ...line, runs, cells: isRightToLeft ? cells.reverse() : cells, isRightToLeft, tracking };
}

const SAME_SIZE = 0.8;
/** How far, in heights of the larger letters, superscripts stand above and subscripts below a line. */
const RAISED_MAX = 0.6;
const LOWERED_MAX = 0.35;

function isOnLine(run: PlacedRun, line: OpenLine): boolean {
  const [small, large] = run.height < line.height ? [run, line] : [line, run];
  if (small.height > large.height * SAME_SIZE) {
    return Math.abs(run.baseline - line.baseline) <= small.height / 2;
  }
  const raised = (large.baseline - small.baseline) / large.height;
  return raised >= 0 ? raised <= RAISED_MAX : -raised <= LOWERED_MAX;
}

function cellsOf(runs: readonly PlacedRun[], tracking: number): LaidCell[] {
  const cells: LaidCell[] = [];
  for (const run of runs) {
    const cell = cells.at(-1);
    const gap = cell ? run.left - cell.right - tracking : 0;
    if (cell && (gap < run.height * CELL_GAP || isValueOf(run, cell))) {
      cell.runs.push(run);
      cell.right = Math.max(cell.right, run.right);
    } else {
      cells.push({ runs: [run], left: run.left, right: run.right });
    }
  }
  return cells;
}

function isValueOf(run: PlacedRun, cell: LaidCell): boolean {
  return run.field !== undefined && cell.runs.every(({ field }) => field === undefined);
}

function distance(lines: readonly LaidLine[], index: number): number {
  const [before, line] = [lines[index - 1], lines[index]];
  return before && line ? (line.baseline - before.baseline) / Math.max(line.height, 1) : Infinity;
}

function hasSeveral(lines: readonly LaidLine[], index: number): boolean {
  const line = lines[index];
  if (!line || line.cells.length !== 1) {
    return line !== undefined;
  }
  return [lines[index - 1], lines[index + 1]].some(
    (other) => other !== undefined && standsBeside(line, other),
  );
}

function standsBeside(line: LaidLine, other: LaidLine): boolean {
  const isNear = Math.abs(line.baseline - other.baseline) < Math.min(line.height, other.height) * SAME_SIZE;
  const [{ left, right }, { left: otherLeft, right: otherRight }] = [extentOf(line), extentOf(other)];
  return isNear && (right < otherLeft || otherRight < left);
}

function extentOf({ runs }: LaidLine): { left: number; right: number } {
  return {
    left: runs[0]?.left ?? 0,
    right: runs.reduce((right, run) => Math.max(right, run.right), -Infinity),
  };
}

function bandEnd(lines: readonly LaidLine[], start: number): number {
  let end = start;
  let singles = 0;
  const last = Math.min(lines.length, start + BAND_LINES_MAX);
  for (let index = start; index < last && singles <= SINGLE_LINES_MAX; index += 1) {
    if (index > start && distance(lines, index) > BAND_GAP) {
      break;
    }
    if (hasSeveral(lines, index)) {
      end = index + 1;
      singles = 0;
    } else if (index === start) {
      break;
    } else {
      singles += 1;
    }
  }
  return end;
}

function bandBlocks(
  lines: readonly LaidLine[],
  start: number,
  end: number,
  depth: number,
): { blocks: PageBlock[]; start: number; end: number } | null {
  const band = lines.slice(start, end);
  const gutters = guttersOf(band);
  if (gutters.length === 0) {
    return null;
  }
  const isRightToLeft = isMostlyRightToLeft(band.flatMap((line) => line.runs));
  const rows = band.map((line) => rowOf(line, gutters, isRightToLeft));
  const reach = sideColumnEnd(lines, start, end, gutters);
  if (depth < DEPTH_MAX && (reach > 0 || areColumnsOfProse(rows))) {
    // The first line of a column may stand a little above the other column.
    const isLed = distance(lines, start) <= PARAGRAPH_GAP && isOfOneColumn(lines[start - 1], gutters);
    const first = isLed ? start - 1 : start;
    let last = Math.max(end, reach);
    while (distance(lines, last) <= PARAGRAPH_GAP && isOfOneColumn(lines[last], gutters)) {
      last += 1;
    }
    const runs = lines.slice(first, last).flatMap((line) => line.runs);
    const columns = inColumns(runs, gutters, (run) => run.left + 0.5);
    const ordered = isRightToLeft ? columns.reverse() : columns;
    return { blocks: ordered.flatMap((column) => pageBlocks(column, depth + 1)), start: first, end: last };
  }
  if (!isTable(band, rows)) {
    return null;
  }
  const columns = tableGutters(band, gutters);
  let last = end;
  while (distance(lines, last) <= PARAGRAPH_GAP && !isRightToLeft && goesOn(lines[last], columns)) {
    last += 1;
  }
  const all = lines.slice(start, last).map((line) => rowOf(line, columns, isRightToLeft));
  return { blocks: [{ rows: all }], start, end: last };
}

function goesOn(line: LaidLine | undefined, gutters: readonly number[]): boolean {
  return (
    line !== undefined && isOfOneColumn(line, gutters) && columnAt(extentOf(line).left + 0.5, gutters) > 0
  );
}

const FULL_LINES_MIN = 3;

function tableGutters(band: readonly LaidLine[], gutters: readonly number[]): readonly number[] {
  const most = band.reduce((count, { cells }) => Math.max(count, cells.length), 0);
  const full = band.filter(({ cells }) => cells.length > 2 && cells.length >= most - 1);
  const parting = partingGutters(band, gutters);
  const found = full.length < FULL_LINES_MIN ? parting : partingGutters(full, guttersOf(full));
  return found.length > parting.length ? found : parting;
}

function partingGutters(band: readonly LaidLine[], gutters: readonly number[]): number[] {
  const rows = band.map((line) => rowOf(line, gutters, false));
  return gutters.filter((gutter, index) => {
    const isOver = ({ left, right }: PlacedRun) => left < gutter && gutter < right;
    const isCrossed = band.some(({ runs }) => runs.some(isOver));
    return !isCrossed || rows.some((row) => row[index] !== '' && row[index + 1] !== '');
  });
}

function guttersOf(band: readonly LaidLine[]): number[] {
  const extents = band.map(extentOf);
  const left = extents.reduce((least, extent) => Math.min(least, extent.left), Infinity);
  const right = extents.reduce((most, extent) => Math.max(most, extent.right), -Infinity);
  const width = Math.ceil(right - left) + 1;
  if (!(width <= PAGE_WIDTH_MAX)) {
    return [];
  }
  const more = new Int32Array(width + 1);
  for (const run of band.flatMap((line) => line.runs)) {
    const [from, to] = [Math.floor(run.left - left), Math.ceil(run.right - left)];
    more[from] = (more[from] ?? 0) + 1;
    more[to] = (more[to] ?? 0) - 1;
  }
  const crossedMax = Math.floor(band.length * GUTTER_CROSSED_MAX);
  const widthMin = median(band.map((line) => line.height)) * GUTTER_WIDTH_MIN;
  const gutters: number[] = [];
  let free = 0;
  let covered = 0;
  for (let x = 0; x < width; x += 1) {
    covered += more[x] ?? 0;
    if (covered <= crossedMax) {
      free += 1;
      continue;
    }
    if (free >= widthMin && free < x) {
      gutters.push(left + x - free / 2);
    }
    free = 0;
  }
  return gutters;
}

function columnAt(x: number, gutters: readonly number[]): number {
  return gutters.filter((gutter) => gutter <= x).length;
}

function inColumns(
  runs: readonly PlacedRun[],
  gutters: readonly number[],
  insideOf: (run: PlacedRun) => number,
): PlacedRun[][] {
  const columns: PlacedRun[][] = Array.from({ length: gutters.length + 1 }, () => []);
  runs.forEach((run) => columns[columnAt(insideOf(run), gutters)]?.push(run));
  return columns;
}

function rowOf(line: LaidLine, gutters: readonly number[], isRightToLeft: boolean): string[] {
  const insideOf = (run: PlacedRun) => run.left + 0.3 * Math.min(line.height, run.right - run.left);
  const row = inColumns(line.runs, gutters, insideOf).map((runs) => textOf(runs, line));
  return isRightToLeft ? row.reverse() : row;
}

/** The end of a column beside another whose lines are not its rows, as in a CV; 0 for a table. */
function sideColumnEnd(
  lines: readonly LaidLine[],
  start: number,
  end: number,
  [gutter = 0, ...others]: readonly number[],
): number {
  if (others.length > 0) {
    return 0;
  }
  const isWithin = (line: LaidLine | undefined) =>
    line?.runs.every(({ left, right }) => gutter <= left || right <= gutter) ?? false;
  const lastMax = start + BAND_LINES_MAX;
  let last = end;
  while (last < lastMax && isWithin(lines[last]) && distance(lines, last) <= BAND_GAP) {
    last += 1;
  }
  return areSideBySide(lines.slice(start, last).map((line) => rowOf(line, [gutter], false))) ? last : 0;
}

function isOfOneColumn(line: LaidLine | undefined, gutters: readonly number[]): boolean {
  if (line?.cells.length !== 1) {
    return false;
  }
  const { left, right } = extentOf(line);
  return !gutters.some((gutter) => left < gutter && gutter < right);
}

/** Two lines of two cells each are rather the head of a letter. */
function isTable(band: readonly LaidLine[], rows: readonly string[][]): boolean {
  const several = rows.filter((row) => row.filter(Boolean).length > 1).length;
  const isSmall = rows.length === 2 && (rows[0]?.length ?? 0) === 2;
  const holdsTable = band.some(({ runs }) => runs.some(isPlacedTable));
  return !isSmall && !holdsTable && several >= rows.length * TABLE_LINES_MIN;
}

function paragraphs(lines: readonly LaidLine[]): PageBlock[] {
  const blocks: PageBlock[] = [];
  let texts: string[] = [];
  const end = () => {
    if (texts.length > 0) {
      blocks.push({ text: joinedLines(texts, '\n') });
    }
    texts = [];
  };
  for (const line of lines) {
    const text = line.cells
      .map((cell) => textOf(cell.runs, line))
      .filter(Boolean)
      .join(isJustified(line) ? ' ' : '  ');
    if (text !== '') {
      texts.push(' '.repeat(line.runs[0]?.indentation ?? 0) + text);
    }
    for (const table of line.runs.filter(isPlacedTable)) {
      end();
      blocks.push({ rows: table.rows });
    }
  }
  end();
  return blocks;
}

/** Justified words have equal wide gaps, and are no cells. */
function isJustified({ cells, height }: LaidLine): boolean {
  const gaps = cells
    .slice(1)
    .map((cell, index) =>
      Math.max(cell.left - (cells[index]?.right ?? 0), (cells[index]?.left ?? 0) - cell.right),
    );
  return gaps.length > 1 && gaps.every((gap) => Math.abs(gap - (gaps[0] ?? 0)) <= GAPS_DIFFER_MAX * height);
}

function textOf(runs: readonly PlacedRun[], line: LaidLine): string {
  const texts = runs.filter((run): run is TextRun => !isPlacedTable(run));
  return textOfRuns(texts, line.isRightToLeft, line.tracking);
}

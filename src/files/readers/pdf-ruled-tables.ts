import { addTo } from '../../runtime/collections';
import {
  isMostlyRightToLeft,
  joinedLines,
  median,
  type PlacedRun,
  type PlacedTable,
  type TextRun,
  textOfRuns,
} from './pdf-text';

export interface RuledLine {
  readonly isVertical: boolean;
  /** A filled area may lie behind a cell or behind the text alone. */
  readonly isEdge: boolean;
  at: number;
  from: number;
  to: number;
}

/** In points: rules this near are one, or meet. */
const NEAR = 3;
const MEET = 4;
/** A page with more rules is a drawing. */
const RULES_MAX = 3_000;
const CELLS_MAX = 20_000;
const TEXTS_MIN = 4;
const TORN_MAX = 0.15;
const TORN_GAP = 1.5;
const UNDIVIDED_FILLED_MIN = 0.75;
const UNDIVIDED_LINES_MIN = 3;

/** Puts tables in place of the runs within them. Where lines make no table, the edges of filled areas may. */
export function withRuledTables(runs: readonly TextRun[], rules: readonly RuledLine[]): PlacedRun[] {
  const drawn = withTablesOf(
    runs,
    rules.filter((rule) => !rule.isEdge),
  );
  return drawn.length < runs.length ? drawn : withTablesOf(runs, rules);
}

function withTablesOf(runs: readonly TextRun[], rules: readonly RuledLine[]): PlacedRun[] {
  const merged = [...mergedRules(rules, true), ...mergedRules(rules, false)];
  if (merged.length > RULES_MAX) {
    return [...runs];
  }
  let rest = [...runs];
  const tables: PlacedTable[] = [];
  for (const grid of gridsOf(merged)) {
    const inside = rest.filter((run) => isInside(run, grid));
    const rows = rowsOf(inside, grid);
    if (rows.length > 1 && (rows[0]?.length ?? 0) > 1) {
      const [left, right] = [grid.xs[0] ?? 0, grid.xs.at(-1) ?? 0];
      const height = median(inside.map((run) => run.height));
      tables.push({ rows, left, right, baseline: (grid.ys[0] ?? 0) + height, height });
      const taken = new Set(inside);
      rest = rest.filter((run) => !taken.has(run));
    }
  }
  return [...rest, ...tables];
}

function mergedRules(rules: readonly RuledLine[], isVertical: boolean): RuledLine[] {
  const sorted = rules
    .filter((rule) => rule.isVertical === isVertical)
    .sort((one, other) => one.at - other.at || one.from - other.from);
  const merged: RuledLine[] = [];
  let lane: RuledLine[] = [];
  let at = -Infinity;
  const end = () => {
    for (const rule of lane.sort((one, other) => one.from - other.from)) {
      const last = merged.at(-1);
      if (last?.at === at && rule.from <= last.to + NEAR) {
        last.to = Math.max(last.to, rule.to);
      } else {
        merged.push({ ...rule, at });
      }
    }
  };
  for (const rule of sorted) {
    if (rule.at - at > NEAR) {
      end();
      lane = [];
      at = rule.at;
    }
    lane.push(rule);
  }
  end();
  return merged;
}

interface Grid {
  readonly xs: number[];
  readonly ys: number[];
  readonly rules: RuledLine[];
}

function gridsOf(rules: readonly RuledLine[]): Grid[] {
  const group = rules.map((_, index) => index);
  const root = (index: number): number => {
    let at = index;
    while (group[at] !== at) {
      at = group[at] = group[group[at] ?? at] ?? at;
    }
    return at;
  };
  const horizontal = rules.findIndex((rule) => !rule.isVertical);
  for (let index = 0; index < horizontal; index += 1) {
    for (let other = horizontal; other < rules.length; other += 1) {
      const [vertical, level] = [rules[index], rules[other]];
      if (vertical && level && reaches(vertical, level.at) && reaches(level, vertical.at)) {
        group[root(index)] = root(other);
      }
    }
  }
  const groups = new Map<number, RuledLine[]>();
  rules.forEach((rule, index) => addTo(groups, root(index), rule));
  return [...groups.values()]
    .map((members) => ({ xs: placesOf(members, true), ys: placesOf(members, false), rules: members }))
    .filter(({ xs, ys }) => xs.length > 2 && ys.length > 2 && xs.length * ys.length <= CELLS_MAX);
}

function reaches({ from, to }: RuledLine, at: number): boolean {
  return from - MEET <= at && at <= to + MEET;
}

function placesOf(rules: readonly RuledLine[], isVertical: boolean): number[] {
  const places = new Set(rules.filter((rule) => rule.isVertical === isVertical).map(({ at }) => at));
  return [...places].sort((one, other) => one - other);
}

function isInside(run: TextRun, { xs, ys }: Grid): boolean {
  const [x, y] = centreOf(run);
  return (xs[0] ?? 0) <= x && x <= (xs.at(-1) ?? 0) && (ys[0] ?? 0) <= y && y <= (ys.at(-1) ?? 0);
}

function centreOf({ left, right, baseline, height }: TextRun): [number, number] {
  return [(left + right) / 2, baseline - height * 0.35];
}

function rowsOf(runs: readonly TextRun[], grid: Grid): string[][] {
  const columns = grid.xs.length - 1;
  const cells = cellsOf(runs, grid);
  if (cells.size < TEXTS_MIN || !areSingle([...cells.values()])) {
    return [];
  }
  const rows = grid.ys.slice(1).flatMap((_, row) => {
    const places = Array.from({ length: columns }, (__, column) => cells.get(row * columns + column) ?? []);
    return undividedRows(places) ?? [places.map((place) => joinedLines(linesOf(place).map(textOf), ' '))];
  });
  const used = Array.from({ length: columns }, (_, column) => rows.some((row) => row[column] !== ''));
  const isRightToLeft = isMostlyRightToLeft(runs);
  return rows
    .filter((row) => row.some(Boolean))
    .map((row) => row.filter((_, column) => used[column]))
    .map((row) => (isRightToLeft ? row.reverse() : row));
}

function cellsOf(runs: readonly TextRun[], grid: Grid): Map<number, TextRun[]> {
  const { xs, ys } = grid;
  const columns = xs.length - 1;
  const first = firstCells(grid);
  const cells = new Map<number, TextRun[]>();
  const rowAt = (run: TextRun) => slot(ys, centreOf(run)[1]);
  for (const run of runs.flatMap((each) => dividedAt(each, grid, first))) {
    addTo(cells, first[rowAt(run) * columns + slot(xs, centreOf(run)[0])] ?? 0, run);
  }
  for (const [place, members] of [...cells]) {
    const lines = linesOf(members);
    const rows = new Set(members.map(rowAt));
    if (lines.length >= UNDIVIDED_LINES_MIN && rows.size === lines.length) {
      cells.set(place, []);
      members.forEach((run) => addTo(cells, rowAt(run) * columns + (place % columns), run));
    }
  }
  return cells;
}

/** Texts far apart on a line mean that rules are missing between them. */
function areSingle(cells: readonly TextRun[][]): boolean {
  const torn = cells.flatMap(linesOf).flatMap((line) =>
    line.filter((run, index) => {
      const before = line[index - 1];
      return before !== undefined && run.left - before.right > run.height * TORN_GAP;
    }),
  );
  return torn.length <= cells.length * TORN_MAX;
}

function slot(places: readonly number[], at: number): number {
  const next = places.findIndex((place) => place > at);
  return next < 0 ? places.length - 2 : Math.max(next - 1, 0);
}

function firstCells({ xs, ys, rules }: Grid): number[] {
  const columns = xs.length - 1;
  const first: number[] = [];
  for (let row = 0; row < ys.length - 1; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      const [x, y] = [middleOf(xs, column), middleOf(ys, row)];
      const isLeftOpen = column > 0 && !isDivided(rules, true, xs[column], y);
      const isTopOpen = row > 0 && !isDivided(rules, false, ys[row], x);
      first[place] =
        (isTopOpen ? first[place - columns] : isLeftOpen ? first[place - 1] : undefined) ?? place;
    }
  }
  return first;
}

function middleOf(places: readonly number[], index: number): number {
  return ((places[index] ?? 0) + (places[index + 1] ?? 0)) / 2;
}

function isDivided(
  rules: readonly RuledLine[],
  isVertical: boolean,
  at: number | undefined,
  along: number,
): boolean {
  return rules.some(
    (rule) => rule.isVertical === isVertical && rule.at === at && rule.from <= along && along <= rule.to,
  );
}

/** Some producers draw the texts of several cells as one; it is split at the spaces nearest to the rules. */
function dividedAt(run: TextRun, grid: Grid, first: readonly number[]): TextRun[] {
  const { xs, ys } = grid;
  const row = slot(ys, centreOf(run)[1]) * (xs.length - 1);
  const crossed = xs.find(
    (x, column) =>
      column > 0 &&
      run.left + run.height < x &&
      x < run.right - run.height / 2 &&
      first[row + column] !== first[row + column - 1],
  );
  if (crossed === undefined) {
    return [run];
  }
  const share = (crossed - run.left) / (run.right - run.left);
  const at = nearestSpace(run.text, Math.round(run.text.length * share));
  if (at < 0) {
    return [run];
  }
  const before = { ...run, text: run.text.slice(0, at), right: crossed - 1 };
  const behind = { ...run, text: run.text.slice(at + 1), left: crossed + 1 };
  return [before, ...dividedAt(behind, grid, first)];
}

const SPACE_WITHIN = 4;

function nearestSpace(text: string, index: number): number {
  for (let step = 0; step <= SPACE_WITHIN; step += 1) {
    const found = [index - step, index + step].find((at) => text[at] === ' ');
    if (found !== undefined) {
      return found;
    }
  }
  return -1;
}

function linesOf(runs: readonly TextRun[]): TextRun[][] {
  const lines: TextRun[][] = [];
  for (const run of [...runs].sort((one, other) => one.baseline - other.baseline)) {
    const line = lines.at(-1);
    const [before] = line ?? [];
    if (line && before && run.baseline - before.baseline <= Math.max(run.height, before.height) / 2) {
      line.push(run);
    } else {
      lines.push([run]);
    }
  }
  return lines.map((line) => line.sort((one, other) => one.left - other.left));
}

function textOf(line: readonly TextRun[]): string {
  return textOfRuns(line, isMostlyRightToLeft(line));
}

function undividedRows(places: readonly TextRun[][]): string[][] | null {
  const filled = places.filter((place) => place.length > 0);
  const lines = linesOf(filled.flat());
  if (filled.length < 2 || lines.length < UNDIVIDED_LINES_MIN) {
    return null;
  }
  const sets = places.map((place) => new Set(place));
  const rows = lines.map((line) => sets.map((set) => textOf(line.filter((run) => set.has(run)))));
  const texts = rows.flat().filter(Boolean).length;
  return texts >= lines.length * filled.length * UNDIVIDED_FILLED_MIN ? rows : null;
}

/** Coordinates of the page turned upright: y grows downwards. */
interface Placed {
  readonly left: number;
  readonly right: number;
  readonly baseline: number;
  readonly height: number;
}

export interface TextRun extends Placed {
  readonly text: string;
  readonly isRightToLeft: boolean;
  readonly field?: string;
  readonly indentation?: number;
}

export interface PlacedTable extends Placed {
  readonly rows: string[][];
  readonly field?: undefined;
  readonly indentation?: undefined;
}

export type PlacedRun = TextRun | PlacedTable;

export function isPlacedTable(run: PlacedRun): run is PlacedTable {
  return 'rows' in run;
}

/** In heights of the letters: a wider gap is a space. */
const SPACE_GAP = 0.13;

/** From left to right; `tracking` is the gap between letters of spaced-out words. */
export function textOfRuns(runs: readonly TextRun[], isRightToLeft: boolean, tracking = 0): string {
  const parts: string[] = [];
  let before: TextRun | null = null;
  for (const run of isRightToLeft ? readFromRight(runs) : runs) {
    if (run.field !== undefined) {
      parts.push(valueBehind(parts.splice(0).join(''), run.field, run.text));
    } else {
      const gap = before && Math.max(before.left, run.left) - Math.min(before.right, run.right);
      const isApart = gap !== null && gap - tracking > run.height * SPACE_GAP;
      parts.push(isApart ? ' ' : '', run.text);
    }
    before = run;
  }
  return withoutTracking(parts.join('').trim());
}

function valueBehind(text: string, field: string, value: string): string {
  const label = text.trimEnd() === '' ? field : text.trimEnd();
  return `${label}${/[:：?]$/u.test(label) ? '' : ':'} ${value}`;
}

const BRACKETS = '()[]{}«»';

/** In right-to-left text a bracket is drawn mirrored, and a PDF has what is drawn. */
function mirrored(run: TextRun): TextRun {
  const mirror = (bracket: string) => BRACKETS.charAt(BRACKETS.indexOf(bracket) ^ 1);
  return { ...run, text: run.text.replaceAll(/[()[\]{}«»]/g, mirror) };
}

function readFromRight(runs: readonly TextRun[]): TextRun[] {
  const ordered: TextRun[] = [];
  let together: TextRun[] = [];
  for (const run of [...runs].reverse()) {
    if (run.isRightToLeft || !/[\p{L}\p{N}]/u.test(run.text)) {
      ordered.push(...together, mirrored(run));
      together = [];
    } else {
      together.unshift(run);
    }
  }
  return [...ordered, ...together];
}

/** "R E P O R T" is one spaced-out word. Several spaces divide such words. */
function withoutTracking(text: string): string {
  return text
    .split(/\s{2,}/)
    .map((words) => (/^\p{Lu}(?: \p{Lu}){3,}$/u.test(words) ? words.replaceAll(' ', '') : words))
    .join(' ');
}

export function isMostlyRightToLeft(runs: readonly PlacedRun[]): boolean {
  let balance = 0;
  for (const run of runs) {
    if (!isPlacedTable(run) && /\p{L}/u.test(run.text)) {
      balance += run.isRightToLeft ? run.text.length : -run.text.length;
    }
  }
  return balance > 0;
}

const ECHO_SHIFT_MAX = 0.2;

/** Some producers draw bold letters twice, a little apart. */
export function withoutEchoes(runs: readonly PlacedRun[]): PlacedRun[] {
  return runs.filter((run, index) => {
    const before = runs[index - 1];
    const isSame = before && !isPlacedTable(run) && !isPlacedTable(before) && run.text === before.text;
    return !isSame || run.left - before.left > run.height * ECHO_SHIFT_MAX;
  });
}

const TRACKED_LETTERS_MIN = 4;
const TRACKED_SHARE_MIN = 0.6;

/** As in spaced-out headings; 0 for others. */
export function trackingOf(runs: readonly PlacedRun[]): number {
  const letters = runs.filter((run) => !isPlacedTable(run) && /^\p{L}$/u.test(run.text));
  if (letters.length < TRACKED_LETTERS_MIN || letters.length < runs.length * TRACKED_SHARE_MIN) {
    return 0;
  }
  const gaps = runs.slice(1).map((run, index) => run.left - (runs[index]?.right ?? run.left));
  return Math.max(median(gaps), 0);
}

/** Joins a word hyphenated at the end of a line; before a capital the hyphen is the word's own. */
export function joinedLines(lines: readonly string[], between: string): string {
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1) ?? '';
    if (/\p{Ll}[-\u00ad\u2010]$/u.test(last.slice(-2)) && /^\p{Ll}/u.test(line)) {
      parts.push((parts.pop() ?? '').slice(0, -1), line);
    } else {
      const isOwn = /\p{L}[-\u2010]$/u.test(last.slice(-2)) && /^\p{Lu}/u.test(line);
      parts.push(last === '' || isOwn ? '' : between, line);
    }
  }
  return parts.join('');
}

export function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
}

const COLUMNS_MAX = 3;
const PROSE_LINES_MIN = 3;
const PROSE_WORDS_MIN = 3;

export function areColumnsOfProse(rows: readonly string[][]): boolean {
  const columns = columnsOf(rows);
  return columns.length <= COLUMNS_MAX && rows.length >= PROSE_LINES_MIN && columns.every(isProse);
}

function columnsOf(rows: readonly string[][]): string[][] {
  return rows[0]?.map((_, column) => rows.map((row) => row[column] ?? '').filter(Boolean)) ?? [];
}

function isProse(cells: readonly string[]): boolean {
  return median(cells.map((cell) => cell.split(/\s+/).length)) >= PROSE_WORDS_MIN;
}

const SIDE_LINES_MIN = 5;
const ALIGNED_SHARE_MAX = 0.5;
const FULL_SHARE_MIN = 0.9;

/** Two columns, one of them prose, with few lines side by side or with sentences that continue beside others. */
export function areSideBySide(rows: readonly string[][]): boolean {
  const columns = columnsOf(rows);
  const linesMin = Math.min(...columns.map((cells) => cells.length));
  const isBeside = (row: readonly string[]) => row.every(Boolean);
  const beside = rows.filter(isBeside).length;
  const lengths = columns.map((cells) => Math.max(...cells.map((cell) => cell.length)));
  const goesOn = (row: readonly string[], index: number) =>
    isBeside(row) &&
    row.some((cell, column) => {
      const before = rows[index - 1]?.[column] ?? '';
      const [word = ''] = /^\p{Ll}\S*/u.exec(cell) ?? [];
      const isFull = before.length + word.length >= FULL_SHARE_MIN * (lengths[column] ?? 0);
      return word !== '' && isFull && /[^.:;!?]$/u.test(before);
    });
  const goingOn = rows.filter(goesOn).length;
  return (
    columns.some(isProse) &&
    linesMin >= SIDE_LINES_MIN &&
    (beside < ALIGNED_SHARE_MAX * linesMin || (goingOn > 1 && goingOn < ALIGNED_SHARE_MAX * beside))
  );
}

/** A number that stands apart or after such a word; the "3" of "Chapter 3" belongs to its title. */
const PAGE_NUMBER =
  /(?<=^\W{0,9}| {2}|\b(?:page|seite|página|pagina|стр\.) ?|[|–—•·] ?)\d{1,4}(?=\W{0,9}$| {2}| ?[|–—•·]| ?(?:\/|of|von|de|sur|di|из) ?\d)/imu;
const EDGES_MAX = 2;
const EDGE_LINES_MAX = 3;
const EDGE_LENGTH_MAX = 400;
const EDGE_PAGES_MIN = 0.45;
const SENTENCE_PAGES_MIN = 4;

interface PageParts {
  readonly before: readonly string[];
  readonly parts: readonly string[];
  readonly after: readonly string[];
}

/** Headers and footers stay on their first page. Copies of a page do not count as repetition. */
function withoutRepeatedEdges(pages: readonly string[][]): PageParts[] {
  let left: PageParts[] = pages.map((parts) => ({ before: [], parts, after: [] }));
  const written = pages.map((parts, page) =>
    parts.map((part) => edgeOf(part, page, pages.length) ?? part).join('\n\n'),
  );
  const different = new Set(new Map(written.map((text, page) => [text, page])).values());
  for (const at of Array.from({ length: EDGES_MAX }, () => [0, -1]).flat()) {
    const edges = left.map(({ parts }, page) => edgeOf(parts.at(at) ?? '', page, pages.length));
    const counts = new Map<string | null, number>();
    different.forEach((page) => counts.set(edges[page] ?? null, (counts.get(edges[page] ?? null) ?? 0) + 1));
    const seen = new Set<string>();
    left = left.map(({ before, parts, after }, page) => {
      const edge = edges[page] ?? null;
      if (edge === null || (counts.get(edge) ?? 0) < Math.max(2, EDGE_PAGES_MIN * different.size)) {
        return { before, parts, after };
      }
      const kept = seen.has(edge) ? [] : parts.slice(at).slice(0, 1);
      seen.add(edge);
      return at === 0
        ? { before: [...before, ...kept], parts: parts.slice(1), after }
        : { before, parts: parts.slice(0, -1), after: [...kept, ...after] };
    });
  }
  return left;
}

function edgeOf(part: string, page: number, pages: number): string | null {
  const isLong = part.length > EDGE_LENGTH_MAX || part.split('\n').length > EDGE_LINES_MAX;
  return isLong || (pages < SENTENCE_PAGES_MIN && /\p{Ll}\.$/u.test(part))
    ? null
    : part.replace(PAGE_NUMBER, (number) => (Number(number) === page + 1 ? '#' : number));
}

/** @param pages the paragraphs of each; one that the end of a page divides is joined */
export function textOfPages(pages: readonly string[][]): string {
  const paragraphs: string[][] = [];
  let last: string[] = [];
  for (const { before, parts, after } of withoutRepeatedEdges(pages)) {
    const isDivided = goesOn(last.at(-1) ?? '', parts[0] ?? '');
    last.push(...parts.slice(0, isDivided ? 1 : 0));
    const own = parts.slice(isDivided ? 1 : 0).map((part) => [part]);
    last = own.at(-1) ?? last;
    for (const paragraph of [...before.map((part) => [part]), ...own, ...after.map((part) => [part])]) {
      paragraphs.push(paragraph);
    }
  }
  return paragraphs.map((parts) => joinedLines(parts, '\n')).join('\n\n');
}

const FULL_LINE_LENGTH_MIN = 30;
const FULL_LINE_SHARE_MIN = 0.7;

function goesOn(part: string, next: string): boolean {
  const lengths = part.split('\n').map((line) => line.length);
  const full = lengths.reduce(
    (most, length) => Math.max(most, FULL_LINE_SHARE_MIN * length),
    FULL_LINE_LENGTH_MIN,
  );
  return (
    (lengths.at(-1) ?? 0) >= full &&
    /[\p{L}\p{N},;-]$/u.test(part.slice(-2)) &&
    /^\p{Ll}(?!\p{Ll}{0,2}[.):])/u.test(next) &&
    !part.includes('\t') &&
    !next.includes('\t')
  );
}

import { wordList } from './word-list';

/** `centralSentences` ranks fewer than 128. */
export const SUMMARY_SENTENCES_MAX = 100;
export const FINDINGS_MAX = 10_000;

/** `text === source.slice(start, end)`, in UTF-16 units. */
export interface Place {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export type TextLine = Place;

export function linesIn(source: string): TextLine[] {
  let from = 0;
  return source.split('\n').map((raw) => {
    const text = raw.trim();
    const start = from + raw.indexOf(text);
    from += raw.length + 1;
    return { text, start, end: start + text.length };
  });
}

export function linesWithoutRepeatedBlanks(source: string): TextLine[] {
  return linesIn(source).filter(({ text }, index, all) => text !== '' || all[index - 1]?.text !== '');
}

export function oneLine(text: string): string {
  return text.split(/\s+/u).join(' ');
}

export function countsOf<Item>(items: Iterable<Item>): Map<Item, number> {
  const counts = new Map<Item, number>();
  for (const item of items) {
    counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}

/** For a regular expression, which takes the first alternative that fits. */
export function longestFirst(names: Iterable<string>): string {
  const sorted = [...names].sort((one, other) => other.length - one.length);
  return sorted.map((name) => name.replaceAll(/[$.]/g, String.raw`\$&`)).join('|');
}

export function placeOf(match: RegExpMatchArray): Place {
  const start = match.index ?? 0;
  return { text: match[0], start, end: start + match[0].length };
}

/** Several matches may make one finding. Unbounded, they would fill a thread's memory. */
const MATCHES_MAX = 4 * FINDINGS_MAX;

export function matchesIn(text: string, pattern: RegExp): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    if (found.push(match) === MATCHES_MAX) {
      break;
    }
  }
  return found;
}

/** The order of the list is the precedence among places that overlap. */
export function withoutOverlaps<Found extends { readonly start: number; readonly end: number }>(
  found: readonly Found[],
): Found[] {
  const order = new Map(found.map((each, index) => [each, index]));
  const sorted = [...found].sort((one, other) => one.start - other.start);
  const kept: Found[] = [];
  for (const each of sorted) {
    const last = kept.at(-1);
    if (!last || last.end <= each.start) {
      kept.push(each);
    } else if ((order.get(each) ?? 0) < (order.get(last) ?? 0)) {
      kept[kept.length - 1] = each;
    }
  }
  return kept;
}

/** Spans in any order. A check takes logarithmic time. */
export function withinAny(
  spans: readonly { readonly start: number; readonly end: number }[],
): (place: number) => boolean {
  const apart: { start: number; end: number }[] = [];
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    const last = apart.at(-1);
    if (last !== undefined && start <= last.end) {
      last.end = Math.max(last.end, end);
    } else {
      apart.push({ start, end });
    }
  }
  return (place) => {
    const next = firstNot(apart, ({ start }) => start <= place);
    return place < (apart[next - 1]?.end ?? -1);
  };
}

/** The index of the first item that is not so, by binary search: all that are so come first. The length for none. */
export function firstNot<Item>(list: readonly Item[], isSo: (item: Item) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    [low, high] = isSo(list[middle] as Item) ? [middle + 1, high] : [low, middle];
  }
  return low;
}

export const ENTITY_TYPES = wordList(
  'person organization location date time duration money percentage email url phone identifier',
);
export type EntityType = (typeof ENTITY_TYPES)[number];

export interface Entity extends Place {
  readonly type: EntityType;
  /** ISO 8601 for dates, times and durations (P30D), "USD 1250.00", "12.5" for percentages; null where unknown. */
  readonly value: string | null;
}

const LINE_MARKS = /^[ \t]{0,8}(?:#{1,6}(?=[ \t])|>{1,4}(?=[ \t])|[*+•-](?=[ \t]))/gmu;
const WORD_MARKS = /\*{1,3}|`{1,3}|~~|(?<![\p{L}\p{N}])_{1,3}(?=\S)|(?<=\S)_{1,3}(?![\p{L}\p{N}])/gu;
const TABLE_RULE =
  /^[ \t]{0,8}\|?(?:[ \t]{0,8}:?-{2,200}:?[ \t]{0,8}\|){1,50}(?:[ \t]{0,8}:?-{2,200}:?)?[ \t]{0,8}$/gmu;
/** Table cells end as lines do. A tab after a number or a colon is only spacing. */
const CELL_END = /\||(?<=[^\s.):\d])\t(?=\S)/gu;
const FIXED_SPACE = /[\u00a0\u202f\u2007]/gu;
const TAG = /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,300})?>/giu;

/** Marks of Markdown and HTML become white space of the same length, so that all places stay. */
export function unmarkedText(text: string): string {
  const blank = (mark: string) => ' '.repeat(mark.length);
  return text
    .replace(TABLE_RULE, blank)
    .replace(TAG, blank)
    .replace(LINE_MARKS, blank)
    .replace(WORD_MARKS, blank)
    .replace(FIXED_SPACE, ' ');
}

export function unmarkedLines(text: string): string {
  return unmarkedText(text).replace(CELL_END, '\n');
}

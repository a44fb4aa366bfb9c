import { diffArrays } from 'diff';
import type { LegalChange } from '../../../generated/types';
import { firstNot } from '../../text/places';
import { commonWords, type ComparedSentence, comparedSentences, likeness } from '../../text/split-sentences';

interface AlignedPair {
  readonly before: number | null;
  readonly after: number | null;
}

interface Lists {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** More edits are not worth their time, which is quadratic in them. */
const EDITS_MAX = 200;
/** For all windows together. What is left then is aligned by looking ahead. */
const TIME_MS_MAX = 2_000;
const ALIGNMENT_LOOK_AHEAD = 32;

/**
 * Sentences that both lists have once are fixed points; between them the shortest difference is found (Myers, "An O(ND) difference
 * algorithm", 1986), and where that is too large, one that a bounded look ahead finds.
 */
function alignedSentences(before: readonly number[], after: readonly number[]): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  const deadlineMs = Date.now() + TIME_MS_MAX;
  let [fromBefore, fromAfter] = [0, 0];
  for (const [toBefore, toAfter] of [...fixedPoints(before, after), [before.length, after.length] as const]) {
    const window = { before: before.slice(fromBefore, toBefore), after: after.slice(fromAfter, toAfter) };
    for (const pair of alignedWindow(window, deadlineMs - Date.now())) {
      pairs.push({ before: shifted(pair.before, fromBefore), after: shifted(pair.after, fromAfter) });
    }
    if (toBefore < before.length && toAfter < after.length) {
      pairs.push({ before: toBefore, after: toAfter });
    }
    [fromBefore, fromAfter] = [toBefore + 1, toAfter + 1];
  }
  return pairs;
}

function shifted(index: number | null, by: number): number | null {
  return index === null ? null : index + by;
}

function fixedPoints(before: readonly number[], after: readonly number[]): (readonly [number, number])[] {
  const [placesBefore, placesAfter] = [uniquePlaces(before), uniquePlaces(after)];
  const points = [...placesBefore].flatMap(([sentence, place]) => {
    const other = placesAfter.get(sentence);
    return other === undefined ? [] : [[place, other] as const];
  });
  return longestRising(points.sort((one, other) => one[0] - other[0]));
}

function uniquePlaces(sentences: readonly number[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const sentence of sentences) {
    counts.set(sentence, (counts.get(sentence) ?? 0) + 1);
  }
  return new Map(
    sentences.flatMap((sentence, place) => (counts.get(sentence) === 1 ? [[sentence, place] as const] : [])),
  );
}

/** The longest subsequence whose second numbers rise, by patience sorting. */
function longestRising(points: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const ends: number[] = [];
  const previous = new Int32Array(points.length).fill(-1);
  for (const [index, [, place]] of points.entries()) {
    const low = firstNot(ends, (end) => (points[end]?.[1] ?? 0) < place);
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  }
  const rising: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    rising.push(points[index] ?? [0, 0]);
  }
  return rising.reverse();
}

function alignedWindow(window: Lists, timeMs: number): AlignedPair[] {
  if (window.before.length === 0 || window.after.length === 0) {
    return [
      ...window.before.map((_, index) => removed(index)),
      ...window.after.map((_, index) => added(index)),
    ];
  }
  return (timeMs > 0 ? shortest(window, timeMs) : null) ?? lookingAhead(window);
}

function shortest({ before, after }: Lists, timeMs: number): AlignedPair[] | null {
  const options = { maxEditLength: EDITS_MAX, timeout: timeMs };
  const parts = diffArrays([...before], [...after], options);
  if (!parts) {
    return null;
  }
  let [old, young] = [0, 0];
  return parts.flatMap(({ count, added: isAdded, removed: isRemoved }) =>
    Array.from({ length: count }, () => {
      const pair = { before: isAdded ? null : old, after: isRemoved ? null : young };
      old += isAdded ? 0 : 1;
      young += isRemoved ? 0 : 1;
      return pair;
    }),
  );
}

function lookingAhead({ before, after }: Lists): AlignedPair[] {
  const pairs: AlignedPair[] = [];
  let [old, young] = [0, 0];
  while (old < before.length && young < after.length) {
    const skip = nearestMatch(before, after, old, young);
    const [skipOld, skipYoung] = skip ?? [1, 1];
    for (let each = 0; each < skipOld; each += 1) {
      pairs.push(removed(old + each));
    }
    for (let each = 0; each < skipYoung; each += 1) {
      pairs.push(added(young + each));
    }
    [old, young] = [old + skipOld, young + skipYoung];
    if (skip) {
      pairs.push({ before: old, after: young });
      [old, young] = [old + 1, young + 1];
    }
  }
  for (; old < before.length; old += 1) {
    pairs.push(removed(old));
  }
  for (; young < after.length; young += 1) {
    pairs.push(added(young));
  }
  return pairs;
}

/** How many sentences of each list stand before the next one that both have; null where none is near. */
function nearestMatch(
  before: readonly number[],
  after: readonly number[],
  old: number,
  young: number,
): [number, number] | null {
  for (let ahead = 0; ahead < ALIGNMENT_LOOK_AHEAD; ahead += 1) {
    if (old + ahead < before.length && before[old + ahead] === after[young]) {
      return [ahead, 0];
    }
    if (young + ahead < after.length && before[old] === after[young + ahead]) {
      return [0, ahead];
    }
  }
  return null;
}

function removed(index: number): AlignedPair {
  return { before: index, after: null };
}

function added(index: number): AlignedPair {
  return { before: null, after: index };
}

export interface TextChanges {
  /** 0 to 1: the share of the words of both texts that stand in sentences, or parts of them, that both have. */
  readonly similarity: number;
  readonly changes: LegalChange[];
}

/** Two sentences less alike are not one that was changed, but one that was removed and one that was added. */
const LIKENESS_MIN = 0.4;
/** In pairs of sentences. Blocks of more are paired by looking a few sentences ahead. */
const EXACT_PAIRS_MAX = 4_096;
const LOOK_AHEAD = 4;
const NUMBER = /^[\p{N}.()a-z§]{1,12}[.)] (?=\p{L})/u;

/** White space doesn't count. A sentence that moved is removed in one place and added in another. */
export function textChanges(before: string, after: string): TextChanges {
  const [old, young] = [comparedSentences(before), comparedSentences(after)];
  const ids = new Map<string, number>();
  // Behind a clause that was inserted all numbers differ, and the sentences are the same.
  const idOf = ({ key }: ComparedSentence) => {
    const bare = key.replace(NUMBER, '');
    return ids.get(bare) ?? ids.set(bare, ids.size).size - 1;
  };
  const tally = new Counter(old, young);
  let block: Block = { removed: [], added: [] };
  for (const pair of alignedSentences(old.map(idOf), young.map(idOf))) {
    const [was, is] = [old[pair.before ?? -1], young[pair.after ?? -1]];
    if (was && is) {
      tally.addBlock(block);
      tally.addPair(was, is);
      block = { removed: [], added: [] };
    } else if (was) {
      block.removed.push(was);
    } else if (is) {
      block.added.push(is);
    }
  }
  tally.addBlock(block);
  return tally.result();
}

interface Block {
  readonly removed: ComparedSentence[];
  readonly added: ComparedSentence[];
}

type Pair = readonly [was: ComparedSentence | null, is: ComparedSentence | null];

class Counter {
  private readonly changes: LegalChange[] = [];
  private readonly wordsOfBoth: number;
  private wordsInCommon = 0;
  private beforeEnd = 0;
  private afterEnd = 0;

  constructor(old: readonly ComparedSentence[], young: readonly ComparedSentence[]) {
    this.wordsOfBoth = [...old, ...young].reduce((sum, { wordCount }) => sum + wordCount, 0);
  }

  private addSame(was: ComparedSentence, is: ComparedSentence): void {
    this.wordsInCommon += was.wordCount;
    [this.beforeEnd, this.afterEnd] = [was.end, is.end];
  }

  addBlock(block: Block): void {
    for (const [was, is] of pairsOf(block)) {
      this.addPair(was, is);
    }
  }

  addPair(was: ComparedSentence | null, is: ComparedSentence | null): void {
    if (was && is && was.key === is.key) {
      this.addSame(was, is);
      return;
    }
    this.wordsInCommon += was && is ? commonWords(was, is) : 0;
    this.changes.push({
      kind: was === null ? 'added' : is === null ? 'removed' : 'changed',
      before: was?.text ?? null,
      after: is?.text ?? null,
      before_start: was?.start ?? this.beforeEnd,
      before_end: was?.end ?? this.beforeEnd,
      after_start: is?.start ?? this.afterEnd,
      after_end: is?.end ?? this.afterEnd,
    });
    [this.beforeEnd, this.afterEnd] = [was?.end ?? this.beforeEnd, is?.end ?? this.afterEnd];
  }

  result(): TextChanges {
    const { changes, wordsOfBoth } = this;
    if (changes.length === 0) {
      return { similarity: 1, changes };
    }
    // Cut, and never 1: texts that differ in a mark only have all words in common.
    const share = wordsOfBoth === 0 ? 0 : (2 * this.wordsInCommon) / wordsOfBoth;
    return { similarity: Math.min(0.9999, Math.floor(share * 10_000) / 10_000), changes };
  }
}

function pairsOf({ removed, added }: Block): Pair[] {
  const isSmall = removed.length * added.length <= EXACT_PAIRS_MAX;
  return isSmall ? bestPairs(removed, added) : nearPairs(removed, added);
}

function bestPairs(removed: readonly ComparedSentence[], added: readonly ComparedSentence[]): Pair[] {
  const width = added.length + 1;
  const best = new Float64Array((removed.length + 1) * width);
  const alike = new Float64Array(best.length);
  for (let row = removed.length - 1; row >= 0; row -= 1) {
    for (let column = added.length - 1; column >= 0; column -= 1) {
      const at = row * width + column;
      const score = likeness(removed[row] as ComparedSentence, added[column] as ComparedSentence);
      alike[at] = score >= LIKENESS_MIN ? score : 0;
      const paired = alike[at] > 0 ? alike[at] + (best[at + width + 1] ?? 0) : 0;
      best[at] = Math.max(paired, best[at + width] ?? 0, best[at + 1] ?? 0);
    }
  }
  const pairs: Pair[] = [];
  let [row, column] = [0, 0];
  while (row < removed.length || column < added.length) {
    const at = row * width + column;
    const [was, is] = [removed[row] ?? null, added[column] ?? null];
    if (was && is && alike[at] && best[at] === alike[at] + (best[at + width + 1] ?? 0)) {
      pairs.push([was, is]);
      [row, column] = [row + 1, column + 1];
    } else if (was && (!is || best[at] === best[at + width])) {
      pairs.push([was, null]);
      row += 1;
    } else {
      pairs.push([null, is]);
      column += 1;
    }
  }
  return pairs;
}

function nearPairs(removed: readonly ComparedSentence[], added: readonly ComparedSentence[]): Pair[] {
  const pairs: Pair[] = [];
  let next = 0;
  for (const was of removed) {
    const near = added.slice(next, next + LOOK_AHEAD);
    const at = near.findIndex((is) => likeness(was, is) >= LIKENESS_MIN);
    pairs.push(...near.slice(0, Math.max(0, at)).map((is): Pair => [null, is]));
    pairs.push([was, near[at] ?? null]);
    next += at + 1;
  }
  for (const is of added.slice(next)) {
    pairs.push([null, is]);
  }
  return pairs;
}

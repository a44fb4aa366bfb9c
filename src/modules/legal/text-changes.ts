import { diffArrays } from 'diff';
import type { LegalChange } from '../../../generated/types';
import { countsOf, firstNot } from '../../text/places';
import { commonWords, type ComparedSentence, comparedSentences, likeness } from '../../text/split-sentences';

type Match = readonly [before: number, after: number];

/** More edits are not worth their quadratic time. */
const EDITS_MAX = 200;
const TIME_MS_MAX = 2_000;
const ALIGNMENT_LOOK_AHEAD = 32;

/**
 * Sentences that both lists have once are fixed points; between them the shortest difference is found (Myers, "An O(ND)
 * difference algorithm", 1986), or one by a bounded look ahead. The last match is the end of both lists.
 */
function matchedSentences(before: readonly number[], after: readonly number[]): Match[] {
  const matches: Match[] = [];
  const deadlineMs = Date.now() + TIME_MS_MAX;
  let [fromBefore, fromAfter] = [0, 0];
  for (const [toBefore, toAfter] of [...fixedPoints(before, after), [before.length, after.length] as const]) {
    const window = [before.slice(fromBefore, toBefore), after.slice(fromAfter, toAfter)] as const;
    const timeMs = deadlineMs - Date.now();
    for (const [old, young] of (timeMs > 0 ? shortest(...window, timeMs) : null) ?? lookingAhead(...window)) {
      matches.push([fromBefore + old, fromAfter + young]);
    }
    matches.push([toBefore, toAfter]);
    [fromBefore, fromAfter] = [toBefore + 1, toAfter + 1];
  }
  return matches;
}

function fixedPoints(before: readonly number[], after: readonly number[]): Match[] {
  const [placesBefore, placesAfter] = [uniquePlaces(before), uniquePlaces(after)];
  const points = [...placesBefore].flatMap(([sentence, place]): Match[] => {
    const other = placesAfter.get(sentence);
    return other === undefined ? [] : [[place, other]];
  });
  return longestIncreasing(points.sort((one, other) => one[0] - other[0]));
}

function uniquePlaces(sentences: readonly number[]): Map<number, number> {
  const counts = countsOf(sentences);
  return new Map(
    sentences.flatMap((sentence, place) => (counts.get(sentence) === 1 ? [[sentence, place] as const] : [])),
  );
}

function longestIncreasing(points: readonly Match[]): Match[] {
  const ends: number[] = [];
  const previous = new Int32Array(points.length).fill(-1);
  for (const [index, [, place]] of points.entries()) {
    const low = firstNot(ends, (end) => (points[end]?.[1] ?? 0) < place);
    previous[index] = low > 0 ? (ends[low - 1] ?? -1) : -1;
    ends[low] = index;
  }
  const increasing: Match[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    increasing.push(points[index] ?? [0, 0]);
  }
  return increasing.reverse();
}

function shortest(before: readonly number[], after: readonly number[], timeMs: number): Match[] | null {
  const parts = diffArrays([...before], [...after], { maxEditLength: EDITS_MAX, timeout: timeMs });
  if (!parts) {
    return null;
  }
  let [old, young] = [0, 0];
  return parts.flatMap(({ count, added, removed }) => {
    const [fromOld, fromYoung] = [old, young];
    old += added ? 0 : count;
    young += removed ? 0 : count;
    return added || removed
      ? []
      : Array.from({ length: count }, (_, at): Match => [fromOld + at, fromYoung + at]);
  });
}

function lookingAhead(before: readonly number[], after: readonly number[]): Match[] {
  const matches: Match[] = [];
  let [old, young] = [0, 0];
  while (old < before.length && young < after.length) {
    const skipped = nearestMatch(before, after, old, young);
    const [skippedOld, skippedYoung] = skipped ?? [1, 1];
    [old, young] = [old + skippedOld, young + skippedYoung];
    if (skipped) {
      matches.push([old, young]);
      [old, young] = [old + 1, young + 1];
    }
  }
  return matches;
}

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

export interface TextChanges {
  /** 0 to 1: the share of words in sentences, or parts of them, that both texts have. */
  readonly similarity: number;
  readonly changes: LegalChange[];
}

/** Below this, a pair is a removal and an addition, not a change. */
const LIKENESS_MIN = 0.4;
const EXACT_PAIRS_MAX = 4_096;
const LOOK_AHEAD = 4;
const NUMBER = /^[\p{N}.()a-z§]{1,12}[.)] (?=\p{L})/u;

type Pair = readonly [was: ComparedSentence | null, is: ComparedSentence | null];

/** White space is ignored. A sentence that moved is removed in one place and added in another. */
export function textChanges(before: string, after: string): TextChanges {
  const [old, young] = [comparedSentences(before), comparedSentences(after)];
  const ids = new Map<string, number>();
  // An inserted clause renumbers the later ones, whose sentences stay the same.
  const idOf = ({ key }: ComparedSentence) => {
    const bare = key.replace(NUMBER, '');
    return ids.get(bare) ?? ids.set(bare, ids.size).size - 1;
  };
  let [fromOld, fromYoung] = [0, 0];
  const pairs = matchedSentences(old.map(idOf), young.map(idOf)).flatMap(([toOld, toYoung]) => {
    const between = pairsOf(old.slice(fromOld, toOld), young.slice(fromYoung, toYoung));
    [fromOld, fromYoung] = [toOld + 1, toYoung + 1];
    return [...between, [old[toOld] ?? null, young[toYoung] ?? null] as const];
  });
  const words = [...old, ...young].reduce((sum, { wordCount }) => sum + wordCount, 0);
  return changesOf(pairs, words);
}

function changesOf(pairs: readonly Pair[], wordsOfBoth: number): TextChanges {
  const changes: LegalChange[] = [];
  let wordsInCommon = 0;
  let [beforeEnd, afterEnd] = [0, 0];
  for (const [was, is] of pairs) {
    const isSame = was?.key === is?.key;
    if (was && is) {
      wordsInCommon += isSame ? was.wordCount : commonWords(was, is);
    }
    if (!isSame) {
      changes.push({
        kind: was === null ? 'added' : is === null ? 'removed' : 'changed',
        before: was?.text ?? null,
        after: is?.text ?? null,
        before_start: was?.start ?? beforeEnd,
        before_end: was?.end ?? beforeEnd,
        after_start: is?.start ?? afterEnd,
        after_end: is?.end ?? afterEnd,
      });
    }
    [beforeEnd, afterEnd] = [was?.end ?? beforeEnd, is?.end ?? afterEnd];
  }
  if (changes.length === 0) {
    return { similarity: 1, changes };
  }
  // Rounded down and never 1: texts that differ only in a mark share all words.
  const share = wordsOfBoth === 0 ? 0 : (2 * wordsInCommon) / wordsOfBoth;
  return { similarity: Math.min(0.9999, Math.floor(share * 10_000) / 10_000), changes };
}

function pairsOf(removed: readonly ComparedSentence[], added: readonly ComparedSentence[]): Pair[] {
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

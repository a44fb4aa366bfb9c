import { diffArrays } from 'diff';

/** A sentence of both texts, or of one: the indices of it there. */
export interface AlignedPair {
  readonly before: number | null;
  readonly after: number | null;
}

/** Two lists of numbers, of which equal ones are the same sentence, or parts of such lists. */
interface Lists {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** More edits are not worth their time, which is quadratic in them. */
const EDITS_MAX = 200;
/** For all windows together. What is left then is aligned by looking ahead. */
const TIME_MS_MAX = 2_000;
/** How far a sentence is looked for where the difference is too large to be found exactly. */
const LOOK_AHEAD = 32;

/**
 * Aligns two lists of sentences, each sentence a number. Sentences that both lists have once are fixed points; between them
 * the shortest difference is found (Myers, "An O(ND) difference algorithm", 1986), and where that is too large, one that a
 * bounded look ahead finds. Time is linear in the lists but for the sorting of the fixed points.
 */
export function alignedSentences(before: readonly number[], after: readonly number[]): AlignedPair[] {
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

/** The places of sentences that both lists have exactly once, as many as keep their order in both. */
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
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const isLess = (points[ends[middle] ?? 0]?.[1] ?? 0) < place;
      [low, high] = isLess ? [middle + 1, high] : [low, middle];
    }
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
  for (let ahead = 0; ahead < LOOK_AHEAD; ahead += 1) {
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

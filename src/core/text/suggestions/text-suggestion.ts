/** A place of a text that could be better, in UTF-16 units: `before === text.slice(start, end)`. */
export interface TextSuggestion {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  /** What could stand there, empty where it may go; null where only the author can decide. */
  readonly after: string | null;
  /** A sentence for the author. */
  readonly reason: string;
}

/** The suggestions that are given, and how many more there are. */
export interface ChosenSuggestions {
  readonly suggestions: TextSuggestion[];
  readonly more: number;
}

/**
 * The first suggestions of a text, in its order. Those that say what could stand there do not overlap each other, so that
 * all of them can be applied; of two that do, the later one is left out.
 */
export function chooseSuggestions(found: readonly TextSuggestion[], countMax: number): ChosenSuggestions {
  const sorted = [...found].sort((one, other) => one.start - other.start || one.end - other.end);
  let changedTo = 0;
  const kept = sorted.filter(({ start, end, after }) => {
    if (after === null) {
      return true;
    }
    const isFree = start >= changedTo;
    changedTo = isFree ? Math.max(end, start + 1) : changedTo;
    return isFree;
  });
  return { suggestions: kept.slice(0, countMax), more: Math.max(0, kept.length - countMax) };
}

import { styleIssues } from './style-issues';

/** In UTF-16 units: `before === text.slice(start, end)`. */
export interface TextSuggestion {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  /** The replacement, empty to remove it; null where only the author can decide. */
  readonly after: string | null;
  readonly reason: string;
}

export interface ChosenSuggestions {
  readonly suggestions: TextSuggestion[];
  readonly more: number;
}

/** The first ones, in order. Replacements do not overlap, so that all can be applied; the later one is left out. */
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

interface Span {
  readonly start: number;
  readonly end: number;
}

/** @param untouched parts that are no prose, such as code, in order and not overlapping */
export function styleSuggestions(
  text: string,
  countMax: number,
  untouched: readonly Span[] = [],
): ChosenSuggestions {
  let next = 0;
  const found = styleIssues(text).filter(({ start, end }) => {
    // The faults are in order, so what ended before this one is behind all that follow.
    while (next < untouched.length && (untouched[next]?.end ?? 0) <= start) {
      next += 1;
    }
    return (untouched[next]?.start ?? Infinity) >= end;
  });
  const suggestions = found.map(({ start, end, before, after, reason }) => ({
    ...{ start, end, before, after, reason },
  }));
  return chooseSuggestions(suggestions, countMax);
}

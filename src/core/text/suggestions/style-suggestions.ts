import { styleIssues } from '../analysis/style-issues';
import { chooseSuggestions, type ChosenSuggestions } from './text-suggestion';

/** A part of a text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Suggestions by the rules of style.
 * @param untouched parts that are no prose, such as code, in order and not overlapping; what reaches into one is left out
 */
export function styleSuggestions(
  text: string,
  countMax: number,
  untouched: readonly Span[] = [],
): ChosenSuggestions {
  let next = 0;
  const found = styleIssues(text).filter(({ start, end }) => {
    // Faults are in order of place, so that what ended before this one is behind all that follow.
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

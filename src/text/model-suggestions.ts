import { quoteFaults, quotePlaces } from './quotes';
import type { TextSuggestion } from './suggestions';

/** A suggestion as a model tells it: the place is a quote. */
export interface ModelSuggestion {
  readonly quote: string;
  readonly replacement: string | null;
  readonly reason: string;
}

const SUGGESTIONS_MAX = 200;

export const MODEL_SUGGESTIONS = {
  type: 'array',
  maxItems: SUGGESTIONS_MAX,
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['quote', 'replacement', 'reason'],
    properties: {
      quote: { type: 'string', minLength: 1 },
      replacement: { type: ['string', 'null'] },
      reason: { type: 'string', pattern: '\\S' },
    },
  },
};

/** The faults of a model's suggestions: quotes that are not in the text, and changes that change nothing. */
export function modelSuggestionFaults(told: readonly ModelSuggestion[], text: string): string[] {
  const idle = told
    .filter(({ quote, replacement }) => replacement === quote)
    .map(({ quote }) => `The replacement is the quote itself: ${quote.slice(0, 120)}`);
  return [
    ...quoteFaults(
      told.map(({ quote }) => quote),
      text,
    ),
    ...idle,
  ];
}

/** The suggestions with the place of the first occurrence of their quotes. */
export function placedSuggestions(told: readonly ModelSuggestion[], text: string): TextSuggestion[] {
  const places = quotePlaces(
    told.map(({ quote }) => quote),
    text,
  );
  return told.flatMap(({ replacement: after, reason }, index) => {
    const place = places[index];
    return place ? [{ start: place.start, end: place.end, before: place.text, after, reason }] : [];
  });
}

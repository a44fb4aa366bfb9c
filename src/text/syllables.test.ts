import { syllablesOf } from './text-statistics';

describe('syllablesOf', () => {
  it.each([
    ['cat', 1],
    ['cake', 1],
    ['jumped', 1],
    ['wanted', 2],
    ['table', 2],
    ['houses', 2],
    ['makes', 1],
    ['radio', 3],
    ['create', 2],
    ['science', 2],
    ['agreement', 3],
    ['readability', 5],
    ['nation', 2],
    ['the', 1],
    ['2026', 1],
  ])('counts those of %s: %i', (word, syllables) => {
    expect(syllablesOf(word)).toBe(syllables);
  });
});

import { placedSuggestions, modelSuggestionFaults } from './model-suggestions';
import { chooseSuggestions, styleSuggestions } from './suggestions';

const TEXT = 'She went to the the window in order to see “the sea”. It was very late.';
const change = (start: number, end: number, after: string | null) => ({
  ...{ start, end, after },
  before: TEXT.slice(start, end),
  reason: 'Because.',
});

describe('suggestions', () => {
  it('can all be applied: what changes the same words twice is kept once, what changes nothing always', () => {
    const found = [
      change(20, 30, 'b'),
      change(0, 71, null),
      change(4, 8, 'ran'),
      change(6, 25, 'c'),
      change(9, 11, ''),
    ];
    const { suggestions, more } = chooseSuggestions(found, 10);
    expect(suggestions.map(({ start, end }) => [start, end])).toEqual([
      [0, 71],
      [4, 8],
      [9, 11],
      [20, 30],
    ]);
    expect(more).toBe(0);
    expect(chooseSuggestions(found, 1)).toMatchObject({ suggestions: [{ start: 0 }], more: 3 });
  });

  it('come from the rules of style, with the words that stand there', () => {
    const { suggestions } = styleSuggestions(TEXT, 50);
    expect(suggestions.filter(({ after }) => after !== null)).toMatchObject([
      { before: 'the the', after: 'the' },
      { before: 'in order to', after: 'to' },
    ]);
    expect(suggestions.every(({ start, end, before }) => TEXT.slice(start, end) === before)).toBe(true);
  });

  it('leave alone what is no prose', () => {
    const { suggestions } = styleSuggestions(TEXT, 50, [{ start: 12, end: 40 }]);
    expect(suggestions.filter(({ start, end }) => start < 40 && end > 12)).toEqual([]);
    const all = styleSuggestions(TEXT, 50);
    expect(styleSuggestions(TEXT, 50, [{ start: 10, end: 12 }]).suggestions).toEqual(
      all.suggestions.filter(({ start, end }) => start >= 12 || end <= 10),
    );
  });

  it('find what a model quotes, with marks as the text has them', () => {
    const told = [
      { quote: 'see "the sea"', replacement: 'watch the sea', reason: 'Truer.' },
      { quote: 'It was', replacement: null, reason: 'Who was?' },
    ];
    expect(modelSuggestionFaults(told, TEXT)).toEqual([]);
    expect(placedSuggestions(told, TEXT)).toEqual([
      { start: 39, end: 52, before: 'see “the sea”', after: 'watch the sea', reason: 'Truer.' },
      { start: 54, end: 60, before: 'It was', after: null, reason: 'Who was?' },
    ]);
  });

  it('of a model are faulty where the quote is not there, or nothing changes', () => {
    const reason = 'Better.';
    expect(modelSuggestionFaults([{ quote: 'She flew', replacement: 'x', reason }], TEXT)).toEqual([
      'This does not stand in the text word for word: She flew',
    ]);
    expect(modelSuggestionFaults([{ quote: 'She', replacement: 'She', reason }], TEXT)).toHaveLength(1);
  });
});

import { changedBy, changeFaults, placedSuggestions, suggestionFaults } from './quoted-output';

const TEXT = 'She went to the the window in order to see “the sea”. It was very late.';

describe('suggestions', () => {
  it('find what a model quotes, with marks as the text has them', () => {
    const suggestions = [
      { quote: 'see "the sea"', replacement: 'watch the sea', reason: 'Truer.' },
      { quote: 'It was', replacement: null, reason: 'Who was?' },
    ];
    expect(suggestionFaults(suggestions, TEXT)).toEqual([]);
    expect(placedSuggestions(suggestions, TEXT)).toEqual([
      { start: 39, end: 52, before: 'see “the sea”', after: 'watch the sea', reason: 'Truer.' },
      { start: 54, end: 60, before: 'It was', after: null, reason: 'Who was?' },
    ]);
  });

  it('of a model are faulty where the quote is not there, or nothing changes', () => {
    const reason = 'Better.';
    expect(suggestionFaults([{ quote: 'She flew', replacement: 'x', reason }], TEXT)).toEqual([
      'This does not stand in the text word for word: She flew',
    ]);
    expect(suggestionFaults([{ quote: 'She', replacement: 'She', reason }], TEXT)).toHaveLength(1);
  });
});

describe('changes', () => {
  const change = (before: string, after: string) => ({ before, after, reason: 'Better.' });

  it('are made at their places, whatever their order, without those that change nothing', () => {
    const changes = [change('very late', 'late'), change('She', 'She'), change('the the', 'the')];
    expect(changeFaults(changes, TEXT)).toEqual([]);
    expect(changedBy(changes, TEXT)).toEqual({
      text: 'She went to the window in order to see “the sea”. It was late.',
      changes: [
        { start: 12, end: 19, before: 'the the', after: 'the', reason: 'Better.' },
        { start: 61, end: 70, before: 'very late', after: 'late', reason: 'Better.' },
      ],
    });
  });

  it('are faulty where the text does not have their words, or two replace the same ones', () => {
    expect(changeFaults([change('She flew', 'x')], TEXT)).toEqual([
      'This does not stand in the text word for word: She flew',
    ]);
    expect(changeFaults([change('to the the', 'to'), change('the window', 'it')], TEXT)).toEqual([
      'This change overlaps another one: the window',
    ]);
  });
});

import { changedBy, keptQuotes, placedSuggestions } from './quoted-output';
import { FaultTally } from './output-schema';

const TEXT = 'She went to the the window in order to see “the sea”. It was very late.';

describe('suggestions', () => {
  it('find what a model quotes, with marks as the text has them', () => {
    const suggestions = [
      { quote: 'see "the sea"', replacement: 'watch the sea', reason: 'Truer.' },
      { quote: 'It was', replacement: null, reason: 'Who was?' },
    ];
    const tally = new FaultTally();
    expect(placedSuggestions(suggestions, TEXT, tally)).toEqual([
      { start: 39, end: 52, before: 'see “the sea”', after: 'watch the sea', reason: 'Truer.' },
      { start: 54, end: 60, before: 'It was', after: null, reason: 'Who was?' },
    ]);
    expect(tally).toMatchObject({ kept: 2, dropped: 0 });
  });

  it('are left out and counted where the quote is not there, or nothing changes', () => {
    const tally = new FaultTally();
    const suggestions = [
      { quote: 'She flew', replacement: 'x', reason: 'Better.' },
      { quote: 'She', replacement: 'She', reason: 'Better.' },
    ];
    expect(placedSuggestions(suggestions, TEXT, tally)).toEqual([]);
    expect(tally).toMatchObject({ kept: 0, dropped: 2 });
    expect(tally.faultsOfAll).toEqual([
      'The replacement is the quote itself: She',
      'This does not stand in the text word for word: She flew',
    ]);
  });
});

describe('changes', () => {
  const change = (before: string, after: string) => ({ before, after, reason: 'Better.' });

  it('are made at their places, whatever their order, without those that change nothing', () => {
    const changes = [change('very late', 'late'), change('She', 'She'), change('the the', 'the')];
    expect(changedBy(changes, TEXT, new FaultTally())).toEqual({
      text: 'She went to the window in order to see “the sea”. It was late.',
      changes: [
        { start: 12, end: 19, before: 'the the', after: 'the', reason: 'Better.' },
        { start: 61, end: 70, before: 'very late', after: 'late', reason: 'Better.' },
      ],
    });
  });

  it('are left out and counted where the text does not have their words, or two replace the same ones', () => {
    const tally = new FaultTally();
    const changes = [change('She flew', 'x'), change('to the the', 'to'), change('the window', 'it')];
    const { changes: made } = changedBy(changes, TEXT, tally);
    expect(made.map(({ before }) => before)).toEqual(['to the the']);
    expect(tally.dropped).toBe(2);
    expect(tally.faultsOfAll).toEqual([]);
  });
});

describe('quotes', () => {
  it('have the order of the text, each place once, without what is not there', () => {
    const tally = new FaultTally();
    const quotes = keptQuotes(['It was very late.', 'He slept.', 'She went', 'She  went'], TEXT, tally);
    expect(quotes.map(({ text }) => text)).toEqual(['She went', 'It was very late.']);
    expect(tally.dropped).toBe(1);
  });
});

import fc from 'fast-check';
import { changedText, tightenedText } from './tightened-text';

const ALL = ['wordy_phrase', 'repeated_word', 'duplicate_sentence', 'spacing'] as const;

describe('tightenedText', () => {
  it.each([
    ['In order to win, we we utilize it.', 'To win, we use it.'],
    ['We left, needless to say. It is  late , now.', 'We left. It is late, now.'],
    [
      'The rent is due now. He sang. The rent is due now. She sang.',
      'The rent is due now. He sang. She sang.',
    ],
    ['The rent is due now.\nThe rent is due now.\nNext.', 'The rent is due now.\n\nNext.'],
  ])('makes %j into %j', (before, after) => {
    expect(tightenedText(before, ALL).text).toBe(after);
  });

  it('changes only what was asked for, and nothing that a writer has to decide', () => {
    const text = 'The the door was opened in order to win  it very quickly.';
    expect(tightenedText(text, ['spacing']).text).toBe(
      'The the door was opened in order to win it very quickly.',
    );
    expect(tightenedText('The door was very quickly opened.', ALL).changes).toEqual([]);
  });

  it('tells changes that give the new text, whatever the text is', () => {
    const word = fc.constantFrom(
      'in',
      'order',
      'to',
      'to',
      'The',
      'end',
      'result',
      ' ',
      '  ',
      '\n',
      '. ',
      ',',
      'needless',
      'say',
      'x',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const before = words.join(' ');
        const { text, changes } = tightenedText(before, ALL);
        expect(changes.every((each) => before.slice(each.start, each.end) === each.before)).toBe(true);
        expect(changedText(before, changes)).toBe(text);
        expect(text.length).toBeLessThanOrEqual(before.length);
      }),
    );
  });
});

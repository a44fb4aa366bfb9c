import fc from 'fast-check';
import { processorMsOf } from '../../../test/support/processor-time';
import { splitSentences } from './split-sentences';

describe('splitSentences', () => {
  const texts = (source: string) => splitSentences(source).map(({ text }) => text);

  it.each([
    ['ends at full stops, question and exclamation marks', 'One. Two? Three!', ['One.', 'Two?', 'Three!']],
    ['keeps closing quotes with their sentence', '"Go." He went.', ['"Go."', 'He went.']],
    [
      'keeps titles and initials',
      'Dr. J. Smith met Mr. Lee. They left.',
      ['Dr. J. Smith met Mr. Lee.', 'They left.'],
    ],
    [
      'keeps numbers and labels',
      'See No. 5 at 3.5 km. No. That is far.',
      ['See No. 5 at 3.5 km.', 'No.', 'That is far.'],
    ],
    [
      'keeps abbreviations before lower case',
      'Use e.g. a pen etc. and ink. Done.',
      ['Use e.g. a pen etc. and ink.', 'Done.'],
    ],
    ['needs no space after full-width stops', '今日は晴れ。明日は雨。', ['今日は晴れ。', '明日は雨。']],
    ['splits headings and list items', 'Rules\n- Be kind\n- Be fair', ['Rules', '- Be kind', '- Be fair']],
    [
      'joins a wrapped line',
      'The rent is due on\nthe third day. Pay it.',
      ['The rent is due on\nthe third day.', 'Pay it.'],
    ],
    ['finds nothing in white space', ' \n\t ', []],
  ])('%s', (_, source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  it('quotes verbatim, in order, leaving out only white space, at most 1,000 characters each', () => {
    const character = fc.constantFrom(
      'a',
      'B',
      '.',
      '!',
      '?',
      '。',
      ' ',
      '\n',
      '"',
      '-',
      '7',
      '😀',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 3_000, size: 'max' }), (characters) => {
        const source = characters.join('');
        let end = 0;
        // One `expect` for all sentences, because a call of it takes longer than checking a sentence.
        const wrong = splitSentences(source).filter((sentence) => {
          const isVerbatim = source.slice(sentence.start, sentence.end) === sentence.text;
          const isNext = source.slice(end, sentence.start).trim() === '';
          end = sentence.end;
          return !isVerbatim || !isNext || sentence.text.length > 1_000;
        });
        expect([wrong, source.slice(end).trim()]).toEqual([[], '']);
      }),
    );
  });

  it.each(['a', '.', ' ', '\n', '. ', '!"', 'A.', '.\u200b'])(
    'stays linear on a megabyte of %j',
    async (unit) => {
      const neededMs = (length: number) => {
        const source = unit.repeat(length / unit.length);
        return processorMsOf(() => splitSentences(source));
      };
      await neededMs(65_536);
      // 16 times the text: quadratic work would be 256 times as much.
      expect(await neededMs(1_048_576)).toBeLessThan(100 * Math.max(1, await neededMs(65_536)));
    },
  );
});

import fc from 'fast-check';
import { AnswerReader, NOT_FOUND } from './rag';

function read(answer: string, pieceLength = answer.length): { text: string; isFound: boolean } {
  const reader = new AnswerReader();
  let text = '';
  for (let start = 0; start < answer.length; start += pieceLength) {
    text += reader.push(answer.slice(start, start + pieceLength));
  }
  return { text: text + reader.end(), isFound: reader.isFound };
}

describe('AnswerReader', () => {
  it.each([
    'NOT_IN_SOURCES',
    ' NOT_IN_SOURCES.\n',
    '**NOT_IN_SOURCES**',
    '"NOT_IN_SOURCES" because nobody says it.',
  ])('takes %j for no answer, however it comes', (answer) => {
    for (const pieceLength of [1, 5, 1000]) {
      expect(read(answer, pieceLength)).toEqual({ text: NOT_FOUND, isFound: false });
    }
  });

  it.each([
    'NOT_IN',
    'NOT_IN_SOURCE',
    'Not in the sources.',
    'It is NOT_IN_SOURCES.',
    'N',
    '',
    `${' '.repeat(30)}NOT`,
  ])('gives %j as it is', (answer) => {
    expect(read(answer, 1)).toEqual({ text: answer, isFound: true });
  });

  it('gives every answer the same however it comes', () => {
    const answers = fc.array(fc.constantFrom('NOT_IN', '_SOURCES', ' ', '"', 'It opens [1].'), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(answers, fc.integer({ min: 1, max: 7 }), (parts, pieceLength) => {
        expect(read(parts.join(''), pieceLength)).toEqual(read(parts.join('')));
      }),
    );
  });
});

import { processorMsBelow } from '../../test/support/processor-time';
import { namedQuotes } from './quoted-answer';

const SOURCES = [
  'The library opens at nine. On Sundays it stays closed.',
  'A card is free. Lost cards cost two euros.',
  '',
];

describe('namedQuotes', () => {
  const quotes = (answer: string, sources = SOURCES) =>
    namedQuotes(answer, sources).map(({ source, start, end }) => [
      source + 1,
      sources[source]?.slice(start, end),
    ]);

  it.each([
    ['It opens at nine [1].', [[1, 'The library opens at nine.']]],
    ['It is closed on Sundays. [1]', [[1, 'On Sundays it stays closed.']]],
    [
      'A lost card costs two euros.[2] It opens at nine.[1]',
      [
        [1, 'The library opens at nine.'],
        [2, 'Lost cards cost two euros.'],
      ],
    ],
    [
      'It opens at nine [1, 2].',
      [
        [1, 'The library opens at nine.'],
        [2, 'A card is free.'],
      ],
    ],
    ['Two euros [2][2], they say [2].', [[2, 'Lost cards cost two euros.']]],
    ['[2] Lost cards cost something.', [[2, 'Lost cards cost two euros.']]],
    ['Nothing alike [1].', [[1, 'The library opens at nine.']]],
    ['Nothing at all [3].', [[3, '']]],
    ['Beyond the sources [4], [0], [99] and items[12], [x], [1234].', []],
    ['No marker.', []],
    ['', []],
  ])('reads %j', (answer, expected) => {
    expect(quotes(answer)).toEqual(expected);
  });

  it.each([
    ['hardly anything but numbers', '[1] '],
    ['a number in every short sentence', 'It opens [1]. '],
    ['a number beside every word', '[1] opens [1] at [1] nine [1] '],
  ])('takes no more than linear time for an answer of %s', async (_, repeated) => {
    const answer = repeated.repeat(130_000 / repeated.length);
    expect(await processorMsBelow(2_000, () => namedQuotes(answer, SOURCES))).toBeLessThan(2_000);
  });
});

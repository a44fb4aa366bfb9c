import fc from 'fast-check';
import { correctedQuery, readSearchQuery } from './search-query';

const pieces = fc.oneof(
  fc.constantFrom(
    '"',
    '“',
    '”',
    '-',
    '--',
    ' ',
    '\t',
    '&',
    '|',
    '!',
    '<->',
    ':*',
    "'",
    '\\',
    '(',
    ')',
    '\u0000',
    '½',
  ),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 3 }),
);
const queries = fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(''));

describe('readSearchQuery', () => {
  it.each([
    ['green tea', 'green tea', [], []],
    ['"Green  Tea" pot', 'green tea pot', ['green tea'], []],
    ['tea -matcha -"iced tea"', 'tea', [], ['matcha', 'iced tea']],
    ['„grüner Tee“ «зелёный чай»', 'gruner tee зеленыи чаи', ['gruner tee', 'зеленыи чаи'], []],
    ['"open and', 'open and', [], []],
    ['-"open and', 'and', [], ['open']],
    ['5" by 7"', '5 by 7', [], []],
    ['"" "-" -"" - -- ---', '', [], []],
    ['--verbose - e-mail', 'verbose e mail', [], []],
    ['-e-mail', '', [], ['e mail']],
    ['-only', '', [], ['only']],
    ['"a b"c-"d"', 'a b c d', ['a b'], []],
    ['東京 -"高い"', '東 京', [], ['高 い']],
    ['アイ -㋐', 'ア イ', [], ['ア']],
    ["' & ! <-> :* (\\ )", '', [], []],
  ])('reads %j', (query, wanted, phrases, excluded) => {
    expect(readSearchQuery(query)).toMatchObject({ wanted, phrases, excluded });
  });

  it('counts the first 64 words, those to be left out too', () => {
    const query = `-x ${'w '.repeat(62)}"last beyond" -y`;
    const read = readSearchQuery(query);
    expect([read.wanted.split(' ').length, read.phrases, read.excluded]).toEqual([63, ['last'], ['x']]);
  });

  it('makes nothing but words of any query, each at its place', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const { wanted, phrases, excluded, places } = readSearchQuery(query);
        for (const text of [...phrases, ...excluded, ...(wanted === '' ? [] : [wanted])]) {
          expect(text).toMatch(/^[\p{L}\p{M}\p{N}]+(?: [\p{L}\p{M}\p{N}]+)*$/u);
        }
        let end = 0;
        for (const place of places) {
          expect(place.start).toBeGreaterThanOrEqual(end);
          end = place.end;
        }
        expect(end).toBeLessThanOrEqual(query.length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('correctedQuery', () => {
  const corrections = new Map([
    ['gren', 'green'],
    ['tee', 'tea'],
  ]);

  it.each([
    ['Gren tee', 'green tea'],
    ['"gren  TEE" -gren (tee)', '"green  tea" -gren (tea)'],
    ['-"gren tee" green', '-"gren tee" green'],
    ['-⺀gren gren', '-⺀gren green'],
  ])('makes of %j the query %j', (query, corrected) => {
    expect(correctedQuery(query, corrections)).toBe(corrected);
  });

  it('keeps phrases and what is left out, whatever the query', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const before = readSearchQuery(query);
        expect(before.places.map(({ folded }) => folded)).not.toContain('');
        const all = new Map(before.places.map(({ folded }) => [folded, 'word']));
        const after = readSearchQuery(correctedQuery(query, all));
        expect(after.excluded).toEqual(before.excluded);
        expect(after.phrases.length).toBe(before.phrases.length);
      }),
      { numRuns: 1_000, examples: [['-⺀½'], ['-㋐']] },
    );
  });
});

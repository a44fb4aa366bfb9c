import fc from 'fast-check';
import { processorMsBelow } from '../../test/support/processor-time';
import { foldedRun, wordRuns } from './searchable-text';
import { SNIPPET_LENGTH_MAX, textSnippet } from './text-snippet';

const filler = 'Lorem ipsum dolor sit amet, consetetur sadipscing elitr. '.repeat(20);

describe('textSnippet', () => {
  it('marks the words in all their forms', () => {
    const snippet = textSnippet('A mild green tea: TEAS of Uji, picked in May.', ['tea', 'pick'], true);
    expect(marked(snippet)).toEqual(['tea', 'TEAS', 'picked']);
  });

  it('takes no form for another where the language is not English', () => {
    expect(marked(textSnippet('Tees und Tee', ['tee'], false))).toEqual(['Tee']);
  });

  it('shows where most of the words stand together', () => {
    const snippet = textSnippet(
      `tea ${filler}a cup of green tea for May ${filler}tea`,
      ['green', 'tea', 'may'],
      true,
    );
    expect(snippet.text).toContain('a cup of green tea for May');
    expect(snippet.text.length).toBeLessThanOrEqual(SNIPPET_LENGTH_MAX);
    expect(marked(snippet)).toEqual(['green', 'tea', 'May']);
  });

  it('shows the beginning of a text without the words, cut between words', () => {
    const { text, highlights } = textSnippet(filler, ['tea'], true);
    expect([filler.startsWith(`${text} `), text.length > 280, highlights]).toEqual([true, true, []]);
  });

  it.each([
    ['accents', 'Ein Café in Köln', ['cafe', 'koln'], ['Café', 'Köln']],
    ['Cyrillic', 'Зелёный чай', ['зеленыи'], ['Зелёный']],
    ['scripts without spaces', '東京タワー', ['京', '東', 'ワ'], ['東京', 'ワ']],
    ['characters that stand for several words', 'about ½ cup', ['2'], ['½']],
  ])('finds words with %s', (_, text, wanted, words) => {
    expect(marked(textSnippet(text, wanted, false))).toEqual(words);
  });

  it('cuts a word that is longer than a snippet, but no pair of surrogates', () => {
    expect(textSnippet('x'.repeat(1_000), ['y'], true).text).toBe('x'.repeat(300));
    expect(textSnippet(`a${'\u{20000}'.repeat(400)}`, [], false).text.isWellFormed()).toBe(true);
    expect(textSnippet(`a${'🙂'.repeat(400)}`, [], false).text.isWellFormed()).toBe(true);
  });

  it('shows another word where one is too long to be shown', () => {
    const { text, highlights } = textSnippet(`${'x'.repeat(310)}½ tea`, ['2', 'tea'], false);
    expect(highlights.map(({ start, end }) => text.slice(start, end))).toEqual(['tea']);
  });

  it('is a part of the text that has the words where it says, whatever the text', () => {
    const units = fc.oneof(
      fc.constantFrom(
        'tea',
        'Green',
        'GREEN',
        ' ',
        ' ',
        ', ',
        '\n',
        '茶',
        '-',
        '🙂',
        'é',
        '½',
        'x'.repeat(310),
      ),
      fc.string({ unit: 'grapheme', maxLength: 9 }),
    );
    const texts = fc.array(units, { maxLength: 200 }).map((parts) => parts.join(''));
    const wanted = ['green', 'tea', '茶', '2'];
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isStemmed) => {
        const snippet = textSnippet(text, wanted, isStemmed);
        expect(text).toContain(snippet.text);
        expect(snippet.text.length).toBeLessThanOrEqual(SNIPPET_LENGTH_MAX);
        expect(snippet.text).toBe(snippet.text.trim());
        let end = -1;
        for (const highlight of snippet.highlights) {
          expect(highlight.start).toBeGreaterThan(end);
          expect(highlight.end).toBeGreaterThan(highlight.start);
          end = highlight.end;
        }
        expect(end).toBeLessThanOrEqual(snippet.text.length);
        const isIn = [...wordRuns(text)].some(({ written }) => wanted.includes(foldedRun(written)));
        expect(snippet.highlights.length > 0 || !isIn).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['one letter', 'a'.repeat(100_000)],
    ['the same word', 'tea '.repeat(25_000)],
    ['accents', '\u0315\u0300'.repeat(50_000)],
    ['an unspaced script', '茶'.repeat(100_000)],
    ['distinct words', Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join(' ')],
  ])('takes a text of %s in one go', async (_, text) => {
    expect(await processorMsBelow(3_000, () => textSnippet(text, ['tea', '茶'], true))).toBeLessThan(3_000);
  });
});

function marked({ text, highlights }: ReturnType<typeof textSnippet>): string[] {
  return highlights.map(({ start, end }) => text.slice(start, end));
}

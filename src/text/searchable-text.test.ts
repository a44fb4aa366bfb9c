import fc from 'fast-check';
import { processorMsBelow } from '../../test/support/processor-time';
import { searchableKey, searchableText } from './searchable-text';

describe('searchableText', () => {
  it.each([
    ['anna@example.com, v1.2.3 and /etc/hosts', 'anna example com v1 2 3 and etc hosts'],
    ['“Smart” — the project’s…', 'smart the project s'],
    ['Café CAFE\u0301 ÅNGSTRÖM', 'cafe cafe angstrom'],
    ['ＦＵＬＬ　ｗｉｄｔｈ ﬁne', 'full width fine'],
    ['Straße STRASSE STRAẞE', 'strasse strasse strasse'],
    ['東京タワー、高い', '東 京 タ ワ ー 高 い'],
    ['한국 x', '한 국 x'],
    ['Μαΐου й', 'μαιου и'],
    ['हिन्दी', 'हिन्दी'],
    ['don\'t & "stop" | (now):*', 'don t stop now'],
    ['🙂 \u0301', ''],
    ['half \ud800 a pair', 'half a pair'],
    ['weather-\nvane, well-\nKnown, a - b', 'weathervane well known a b'],
    ['Wasser\u00adversorgung', 'wasserversorgung'],
  ])('makes of %j the words %j', (text, words) => {
    expect(searchableText(text).split(/\s+/).join(' ')).toBe(words);
  });

  it('changes its own words no more', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (text) => {
        const words = searchableText(text);
        expect(searchableText(words).split(/\s+/)).toEqual(words.split(/\s+/));
      }),
    );
  });

  it.each([
    ['accents', '\u0315\u0300'],
    ['vowel points', '\u05b0\u064b'],
    ['characters that stand for eighteen', '\ufdfa'],
    ['half pairs', '\udc00'],
  ])('takes an endless run of %s in one go', async (_, run) => {
    const text = `a${run.repeat(200_000)}`;
    expect(await processorMsBelow(1_000, () => searchableText(text))).toBeLessThan(1_000);
  });
});

describe('searchableKey', () => {
  it.each([
    ['preferred-language', 'preferred language'],
    ['preferredLanguage', 'preferredlanguage preferred language'],
    ['user:1/apiKey2Name', 'user 1 apikey2name user 1 api key2 name'],
    ['URL', 'url'],
  ])('makes of %s the words %s', (key, words) => {
    expect(searchableKey(key)).toBe(words);
  });
});

import { processorMsOf } from '../../test/support/processor-time';
import { SeededRandom } from '../../test/support/seeded-random';
import { firstPlaces } from './string-search';

function placesOf(words: readonly string[], text: string): number[] {
  return [...firstPlaces(words.map(unitsOf), unitsOf(text))];
}

function unitsOf(text: string): Uint16Array {
  return Uint16Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
}

describe('firstPlaces', () => {
  it('finds words that overlap, contain and repeat one another, each where it stands first', () => {
    expect(placesOf(['she', 'he', 'hers', 'us', 'she', 'xx', ''], 'ushers')).toEqual([1, 2, 2, 0, 1, -1, -1]);
    expect(placesOf(['aa', 'a', 'aaaa'], 'baaa')).toEqual([1, 1, -1]);
    expect(placesOf(['ä🙂', '🙂'], 'x🙂ä🙂')).toEqual([3, 1]);
    expect(placesOf([], 'text')).toEqual([]);
    expect(placesOf(['text'], '')).toEqual([-1]);
  });

  it('agrees with a search for one after the other', () => {
    const random = new SeededRandom(20_261_123);
    const wordOf = (lengthMax: number) =>
      Array.from({ length: random.between(1, lengthMax) }, () => random.pick([...'abc'])).join('');
    for (let round = 0; round < 300; round += 1) {
      const text = wordOf(60);
      const words = Array.from({ length: random.between(1, 12) }, () => wordOf(8));
      expect(placesOf(words, text)).toEqual(words.map((word) => text.indexOf(word)));
    }
  });

  it('takes little more time for words that nearly match everywhere than for those that do not', async () => {
    const words = Array.from(
      { length: 20 },
      (_, index) => `${'a'.repeat(2_500 + index)}b${'a'.repeat(2_500)}`,
    );
    const msOf = (text: string) => processorMsOf(() => expect(placesOf(words, text)).toHaveLength(20));
    await msOf('');
    const easyMs = await msOf('x'.repeat(400_000));
    expect(await msOf('a'.repeat(400_000))).toBeLessThan(20 * easyMs + 500);
  });
});

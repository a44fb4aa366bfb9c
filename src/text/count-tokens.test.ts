import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { countTokens as libraryCount } from 'gpt-tokenizer/encoding/o200k_base';
import { processorMsBelow, processorMsOf } from '../../test/support/processor-time';
import { countTokens, truncateToTokens } from './count-tokens';

const paragraph =
  'The rental agreement starts on 1 March 2024; the rent is 950 EUR. Les loyers sont payables d’avance — 毎月払い。 ';

describe('countTokens', () => {
  it('counts as o200k does, also across its windows', () => {
    const text = paragraph.repeat(50);
    expect(countTokens('')).toBe(0);
    expect(countTokens('Hello, world!')).toBe(4);
    expect(countTokens(text)).toBe(libraryCount(text));
  });

  it('counts as o200k does, whatever letters words are made of', () => {
    const letters = fc.constantFrom('binary' as const, 'grapheme' as const);
    const words = letters.chain((unit) => fc.string({ unit, maxLength: 100 }));
    fc.assert(
      fc.property(words, (text) => {
        expect(countTokens(text)).toBe(libraryCount(text, { disallowedSpecial: new Set() }));
      }),
    );
  });

  it('takes control tokens for ordinary text', () => {
    expect(countTokens('<|endoftext|>')).toBeGreaterThan(1);
  });

  it('accepts any string, and counts at most one token per UTF-8 byte', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2_000 }), (text) => {
        expect(countTokens(text)).toBeLessThanOrEqual(Buffer.byteLength(text));
      }),
    );
    expect(countTokens('\ud800'.repeat(1_000))).toBeLessThanOrEqual(3_000);
  });

  it.each(['a', 'A', ' ', '\n', '😀', '\ud800', 'ก'])(
    'takes a megabyte of %j like a megabyte of prose',
    async (unit) => {
      const prose = paragraph.repeat(1_048_576 / paragraph.length);
      const limitMs = 10 * (await processorMsOf(() => countTokens(prose)));
      const text = unit.repeat(1_048_576 / unit.length);
      // Merging by itself is quadratic: a tenth of this text would keep it busy for ten seconds and more.
      expect(await processorMsBelow(limitMs, () => countTokens(text))).toBeLessThan(limitMs);
    },
  );

  it('takes two megabytes of random Thai letters, which share hardly any merges, like prose', async () => {
    const random = createHash('shake128', { outputLength: 760_000 }).update('the same in every run').digest();
    const text = Array.from(random, (byte) => String.fromCharCode(0x0e01 + (byte % 46))).join('');
    const prose = paragraph.repeat(1_048_576 / paragraph.length);
    const limitMs = 16 * (await processorMsOf(() => countTokens(prose)));
    expect(await processorMsBelow(limitMs, () => countTokens(text))).toBeLessThan(limitMs);
  });
});

describe('truncateToTokens', () => {
  it('gives the longest prefix that fits', () => {
    const text = paragraph.repeat(20);
    expect(truncateToTokens(text, 10_000)).toBe(text);
    expect(truncateToTokens(text, 0)).toBe('');
    for (const tokensMax of [1, 7, 100, 300]) {
      const cut = truncateToTokens(text, tokensMax);
      expect(text.startsWith(cut)).toBe(true);
      expect(countTokens(cut)).toBeLessThanOrEqual(tokensMax);
      expect(countTokens(cut)).toBeGreaterThanOrEqual(tokensMax - 1);
    }
  });

  it('never passes the bound nor parts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat({ max: 20 }), (text, tokensMax) => {
        const cut = truncateToTokens(text, tokensMax);
        expect(text.startsWith(cut)).toBe(true);
        expect(countTokens(cut)).toBeLessThanOrEqual(tokensMax);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});

import { isCorrectable, knownWords, wordShape } from './search-query';

describe('knownWords', () => {
  it('takes words once, in lower case and with their accents', () => {
    const text = 'Grüner Tee, grüner TEE; зелёный чай 2024 a1b 東京タワー of it';
    expect(knownWords(text)).toEqual(['grüner', 'tee', 'зелёный', 'чай', 'a1b']);
  });

  it('takes no more than 300, and none that are too long', () => {
    const text = Array.from({ length: 600 }, (_, index) => `word${index}`).join(' ');
    expect(knownWords(`${'x'.repeat(33)} ${text}`)).toHaveLength(300);
    expect(isCorrectable('ab')).toBe(false);
  });
});

describe('wordShape', () => {
  it('keeps ASCII, and the letters of an alphabet apart', () => {
    expect(wordShape('tea42')).toBe('tea42');
    const cyrillic = Array.from({ length: 32 }, (_, index) => String.fromCodePoint(0x430 + index)).join('');
    expect(new Set(wordShape(cyrillic)).size).toBe(32);
    expect(wordShape(cyrillic)).toMatch(/^[a-z0-9]{32}$/);
  });
});

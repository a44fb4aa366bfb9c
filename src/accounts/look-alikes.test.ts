import { hasInvisible, mixesScripts } from './email-address';

describe('hasInvisible', () => {
  it.each([
    ['a zero-width space', 'a\u200Bb'],
    ['a zero-width joiner', 'a\u200Db'],
    ['a soft hyphen', 'a\u00ADb'],
    ['a bidirectional override', 'a\u202Eb'],
    ['a variation selector', 'a\uFE0Fb'],
    ['a Hangul filler, which is a letter', 'a\u3164b'],
    ['a control character', 'a\u0007b'],
    ['a space without a width of its own', 'a\u2009b'],
    ['a private character', 'a\uE000b'],
  ])('finds %s', (_, text) => {
    expect(hasInvisible(text)).toBe(true);
  });

  it.each(['ada@example.com', 'é', 'e\u0301', '山田', 'नमस्ते', 'علي٧'])('finds nothing in %s', (text) => {
    expect(hasInvisible(text)).toBe(false);
  });
});

describe('mixesScripts', () => {
  it.each([
    '\u0430dmin',
    'adm\u0456n',
    'p\u0430ypal.com',
    '\u03BFscar',
    'Ꭺda',
    'x@ex\u0430mple.com',
    'かГ',
    'ב' + 'a',
  ])('finds letters of two scripts in %s', (text) => {
    expect(mixesScripts(text)).toBe(true);
  });

  it.each([
    'admin',
    'Søren',
    'Иван_smith',
    'иван@example.com',
    'Ελένη.2',
    '山田太郎abc',
    'カタカナとひらがな',
    '김철수kim',
    'नमस्ते',
    'علي٧',
    'ᏣᎳᎩ',
    'e\u0301',
    '',
  ])('takes %s', (text) => {
    expect(mixesScripts(text)).toBe(false);
  });
});

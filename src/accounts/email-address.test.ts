import fc from 'fast-check';
import { isNormalEmail, normalEmail } from './email-address';

describe('normalEmail', () => {
  it.each([
    ['Ada@Example.COM', 'ada@example.com'],
    ['ａｄａ@example.com', 'ada@example.com'],
    ['ﬁ@example.com', 'fi@example.com'],
    ['\u212A@example.com', 'k@example.com'],
    ['É@example.com', 'é@example.com'],
    ['e\u0301@example.com', 'é@example.com'],
    ['\u0130\u0323@example.com', 'ị\u0307@example.com'],
  ])('makes %s %s', (text, form) => {
    expect(normalEmail(text)).toBe(form);
  });

  it('keeps letters apart that are only alike', () => {
    const forms = ['i', 'ı', 'İ', 'í', 'ｌ', '1'].map((letter) => normalEmail(`${letter}@example.com`));
    expect(new Set(forms).size).toBe(forms.length);
  });

  it('changes no normal form', () => {
    const letter = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('İ', '\u0323', '\u0307', 'Σ', 'ẞ'),
    );
    fc.assert(
      fc.property(fc.array(letter, { maxLength: 8 }), (letters) => {
        const form = normalEmail(letters.join(''));
        return normalEmail(form) === form;
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('isNormalEmail', () => {
  it.each(['ada@example.com', 'é@example.com', 'i\u0307@example.com'])('takes %s', (form) => {
    expect(isNormalEmail(form)).toBe(true);
  });

  it.each(['ada@x@example.com', 'a b@example.com', `${'a'.repeat(250)}@example.com`, '\uD800@example.com'])(
    'refuses %j',
    (form) => {
      expect(isNormalEmail(form)).toBe(false);
    },
  );
});

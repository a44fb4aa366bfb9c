import fc from 'fast-check';
import { readPrice } from './price-sources';

describe('readPrice refuses', () => {
  it.each([
    ['zero', 0],
    ['zero as text', '0.00'],
    ['what is zero once it is cut', '0.0000000009'],
    ['a negative', -67_000],
    ['a negative as text', '-67000.1'],
    ['negative zero', -0],
    ['NaN', NaN],
    ['NaN as text', 'NaN'],
    ['infinity, as which 1e400 is parsed', Infinity],
    ['an exponent beyond reason', '1e400'],
    ['an exponent that alone is too large', '1e99'],
    ['an exponent of many digits', '1e0000000001'],
    ['more than a billion USD', 1_000_000_000.01],
    ['more than a billion USD as text', '1000000000.000000001'],
    ['a very long text', '6'.repeat(10_000)],
    ['a text of nothing', ''],
    ['a blank', ' '],
    ['blanks around', ' 67000 '],
    ['a line break behind', '67000\n'],
    ['thousands apart', '67,000.12'],
    ['a comma', '67000,12'],
    ['a sign', '+67000'],
    ['hexadecimal', '0x10'],
    ['digits of another script', '٦٧٠٠٠'],
    ['no digit before the point', '.5'],
    ['no digit after the point', '5.'],
    ['a currency', '$67000'],
    ['null', null],
    ['true', true],
    ['a list', ['67000']],
    ['an object', { amount: '67000' }],
    ['nothing', undefined],
  ])('%s', (_, value) => {
    expect(readPrice(value)).toBeNull();
  });
});

describe('readPrice', () => {
  it.each<[string | number, bigint]>([
    ['67012.30000', 67_012_300_000_000n],
    [67012.3, 67_012_300_000_000n],
    ['67012', 67_012_000_000_000n],
    [3999.99, 3_999_990_000_000n],
    ['0.1234567899', 123_456_789n],
    ['0.000000001', 1n],
    [1e-9, 1n],
    [1.5e-8, 15n],
    ['6.70123E4', 67_012_300_000_000n],
    ['6.7e+4', 67_000_000_000_000n],
    [1_000_000_000, 1_000_000_000_000_000_000n],
    ['000067.5', 67_500_000_000n],
  ])('reads %j', (value, nanoUsd) => {
    expect(readPrice(value)).toBe(nanoUsd);
  });

  it('reads every amount exactly, and cuts what is finer', () => {
    const amounts = fc.bigInt({ min: 1n, max: 1_000_000_000_000_000_000n - 1n });
    fc.assert(
      fc.property(amounts, fc.stringMatching(/^[0-9]{0,12}$/), (nanoUsd, finer) => {
        const digits = nanoUsd.toString().padStart(10, '0');
        expect(readPrice(`${digits.slice(0, -9)}.${digits.slice(-9)}${finer}`)).toBe(nanoUsd);
      }),
    );
  });
});

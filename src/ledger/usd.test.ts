import fc from 'fast-check';
import { formatUsd, nanoToUsd, parseUsd, usdToNano } from './money';

describe('USD amounts', () => {
  it.each(['', '1.', '.5', '1e3', '+1', '1,5', '0.0000000001', '10000000000', 'NaN', ' 1'])(
    'refuses %j as a decimal string',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError);
    },
  );

  it.each([NaN, Infinity, -Infinity, 1e12])('refuses the number %d', (usd) => {
    expect(() => usdToNano(usd)).toThrow(RangeError);
  });

  it.each([
    ['0.0020', 2_000_000n],
    ['0.00001', 10_000n],
    ['-1.5', -1_500_000_000n],
    ['0.000000001', 1n],
    ['999999999.999999999', 999_999_999_999_999_999n],
  ])('reads %s exactly', (text, nano) => {
    expect(parseUsd(text)).toBe(nano);
  });

  it('writes every amount so that it reads back as the same', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 18n) + 1n, max: 10n ** 18n - 1n }), (nano) => {
        expect(parseUsd(formatUsd(nano))).toBe(nano);
      }),
    );
  });

  const places = fc.bigInt({ min: 0n, max: 18n });
  const ofAnySize = fc
    .tuple(fc.bigInt({ min: -999n, max: 999n }), places, fc.bigInt({ min: -2n, max: 2n }))
    .map(([digits, zeros, beside]) => digits * 10n ** zeros + beside);

  it('writes plain decimals without needless zeros, whatever the size', () => {
    fc.assert(
      fc.property(ofAnySize, (nano) => {
        const text = formatUsd(nano);
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d{0,8}[1-9])?$/);
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(whole + fraction.padEnd(9, '0'))).toBe(nano);
        expect(nanoToUsd(nano)).toBe(Number(text));
      }),
    );
  });

  it('keeps every nano-dollar of a JSON number up to a million dollars', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (nano) => {
        expect(usdToNano(nanoToUsd(nano))).toBe(nano);
      }),
    );
  });
});

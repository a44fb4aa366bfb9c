import fc from 'fast-check';
import { formatUsd, nanoToUsd, parseUsd, usdToNano } from './usd';

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

  it('keeps every nano-dollar of a JSON number up to a million dollars', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }), (nano) => {
        expect(usdToNano(nanoToUsd(nano))).toBe(nano);
      }),
    );
  });
});

import fc from 'fast-check';
import { CURRENCIES } from './payment-chain';
import {
  baseToDecimal,
  baseToNumber,
  ceilDiv,
  COIN_DECIMALS,
  expectedBase,
  QUANTUM_BASE,
} from './payment-policy';

const amounts = fc.bigInt({ min: 1n, max: 10n ** 15n });
const rates = fc.bigInt({ min: 1n, max: 10n ** 17n });

describe('amounts of coins', () => {
  it('asks for at least the worth of the amount, and for at most one quantum more', () => {
    fc.assert(
      fc.property(amounts, rates, fc.constantFrom(...CURRENCIES), (amountNano, rateNano, currency) => {
        const scale = 10n ** BigInt(COIN_DECIMALS[currency]);
        const asked = expectedBase(amountNano, rateNano, currency);
        expect(asked % QUANTUM_BASE[currency]).toBe(0n);
        expect(asked * rateNano >= amountNano * scale).toBe(true);
        expect((asked - QUANTUM_BASE[currency]) * rateNano < amountNano * scale).toBe(true);
      }),
    );
  });

  it.each([
    ['BTC', 25_000_000_000n, 100_000_000_000_000n, 25_000n],
    ['BTC', 1n, 100_000_000_000_000n, 1n],
    ['ETH', 10_000_000_000n, 3_000_000_000_000n, 3_333_340_000_000_000n],
    ['SOL', 10_000_000_000n, 150_000_000_000n, 66_666_667n],
  ] as const)('asks for the right amount of %s', (currency, amountNano, rateNano, expected) => {
    expect(expectedBase(amountNano, rateNano, currency)).toBe(expected);
  });

  it.each([
    [0n, 1n],
    [-1n, 1n],
    [1n, 0n],
    [1n, -1n],
  ])('has no price for the amount %d at the rate %d', (amountNano, rateNano) => {
    expect(() => expectedBase(amountNano, rateNano, 'BTC')).toThrow(RangeError);
  });

  it('divides rounding up', () => {
    expect([ceilDiv(0n, 3n), ceilDiv(1n, 3n), ceilDiv(3n, 3n), ceilDiv(4n, 3n)]).toEqual([0n, 1n, 1n, 2n]);
  });

  it.each([
    [0n, 8, '0'],
    [1n, 18, '0.000000000000000001'],
    [100n, 8, '0.000001'],
    [100_000_000n, 8, '1'],
    [123_456_789_012_345_678_901n, 18, '123.456789012345678901'],
    [-150_000_000n, 8, '-1.5'],
    [-1n, 9, '-0.000000001'],
    [70n, 0, '70'],
  ])('writes %d with %d decimals as %s', (amountBase, decimals, text) => {
    expect(baseToDecimal(amountBase, decimals)).toBe(text);
  });

  it('loses no digit as text, and is as near as a double can be as a number', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 27n }), fc.constantFrom(8, 9, 18), (base, decimals) => {
        const text = baseToDecimal(base, decimals);
        expect(text).toMatch(/^(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/);
        const [whole = '', fraction = ''] = text.split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(base);
        const number = baseToNumber(base, decimals);
        expect(number).toBe(Number(`${base}e-${decimals}`));
      }),
    );
  });
});

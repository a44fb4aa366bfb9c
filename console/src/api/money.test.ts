import fc from 'fast-check';
import { decimalOf, partsOf, readUsd, sumOf, toJson, toNano, usd } from './money';

/** Up to a billion dollars in nano-dollars, of which JSON numbers hold fifteen digits. */
const micro = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });

describe('amounts of money', () => {
  it.each([
    [0.00235, 2_350_000n],
    [1e-7, 100n],
    [-4.99765, -4_997_650_000n],
    [1e21, 10n ** 30n],
    [0, 0n],
  ])('reads the JSON number %d as it was written', (amount, nano) => {
    expect(toNano(amount)).toBe(nano);
  });

  it('keeps every micro-dollar through JSON, both ways', () => {
    fc.assert(
      fc.property(micro, (dollars) => {
        const nano = dollars * 1_000n;
        const sent = JSON.stringify({ amount: toJson(nano) });
        expect(toNano((JSON.parse(sent) as { amount: number }).amount)).toBe(nano);
        expect(readUsd(decimalOf(nano))).toBe(nano);
      }),
    );
  });

  it('adds up where floats would not', () => {
    expect(usd(sumOf([0.1, 0.2, -0.3].map(toNano)))).toBe('$0.00');
    expect(usd(sumOf(Array.from({ length: 10 }, () => toNano(0.00001))))).toBe('$0.0001');
  });

  it.each(['', 'ten', '1.2345678', '-1', '1e3', '1.2.3', '1234567890', 'NaN', '$', '1,000', '$ 12,500'])(
    'refuses %j as an amount that somebody typed',
    (text) => {
      expect(readUsd(text)).toBeUndefined();
    },
  );

  it.each([
    ['10', 10_000_000_000n],
    ['$ 0,25', 250_000_000n],
    ['0,125', 125_000_000n],
    ['1000', 1_000_000_000_000n],
    [' 3.000001 ', 3_000_001_000n],
  ])('reads %j', (text, nano) => {
    expect(readUsd(text)).toBe(nano);
  });

  it('shows all digits, grouped, with what is finer than a cent apart', () => {
    expect(usd(-1_204_002_351_000n)).toBe('−$1,204.002351');
    expect(partsOf(1_234_567_890_000_000n)).toEqual({ sign: '', whole: '1,234,567', cents: '89', rest: '' });
    expect(partsOf(5_000_000n)).toEqual({ sign: '', whole: '0', cents: '00', rest: '5' });
  });
});

import fc from 'fast-check';
import { agreedPrice } from './price-sources';

const TAKEN_AT = new Date('2026-01-15T12:00:00.000Z');

function pricesOf(rates: readonly (bigint | number)[]) {
  return rates.map((rate, index) => ({
    name: `source-${index}`,
    rateNanoUsd: BigInt(rate),
    takenAt: TAKEN_AT,
  }));
}

function agreed(...rates: number[]) {
  const price = agreedPrice(pricesOf(rates));
  return (
    price && {
      rate: Number(price.rateNanoUsd),
      near: price.near.map(({ rateNanoUsd }) => Number(rateNanoUsd)),
      far: price.far.map(({ rateNanoUsd }) => Number(rateNanoUsd)),
    }
  );
}

describe('agreedPrice refuses', () => {
  it.each<[title: string, rates: number[]]>([
    ['no price', []],
    ['one price', [10_000]],
    ['two that differ by more than 2 %', [10_000, 10_203]],
    ['two that are far apart', [10_000, 20_000]],
    ['three of which each is alone', [9_000, 10_000, 11_000]],
    ['four of which the middle two are too far apart', [5_000, 9_850, 10_150, 20_000]],
    ['two pairs that contradict each other', [10_000, 10_001, 20_000, 20_001]],
  ])('%s', (_, rates) => {
    expect(agreed(...rates)).toBeNull();
  });
});

describe('agreedPrice', () => {
  it('takes the mean of two, rounded down', () => {
    expect(agreed(10_101, 10_000)).toEqual({ rate: 10_050, near: [10_000, 10_101], far: [] });
  });

  it('takes two that differ by 2 %', () => {
    expect(agreed(9_900, 10_100)).toMatchObject({ rate: 10_000 });
    expect(agreed(9_900, 10_101)).toBeNull();
  });

  it('takes the middle one of three, and leaves out the one that is off', () => {
    expect(agreed(10_050, 99_999, 10_000)).toEqual({ rate: 10_050, near: [10_000, 10_050], far: [99_999] });
    expect(agreed(10_050, 1, 10_000)).toEqual({ rate: 10_000, near: [10_000, 10_050], far: [1] });
  });

  it('takes the mean of the middle two of four', () => {
    expect(agreed(10_001, 10_100, 10_004, 1)).toEqual({
      rate: 10_002,
      near: [10_001, 10_004, 10_100],
      far: [1],
    });
  });

  it('takes prices of the smallest unit', () => {
    expect(agreed(1, 1)).toEqual({ rate: 1, near: [1, 1], far: [] });
    expect(agreed(1, 2)).toBeNull();
  });

  it('never quotes what fewer than two sources are within 2 % of', () => {
    const about = fc.bigInt({ min: 95_000n, max: 105_000n });
    const rate = fc.oneof(about, fc.bigInt({ min: 1n, max: 1_000_000_000_000_000_000n }));
    let quoted = 0;
    fc.assert(
      fc.property(fc.array(rate, { maxLength: 16 }), (rates) => {
        const price = agreedPrice(pricesOf(rates));
        if (!price) {
          return;
        }
        quoted += 1;
        const { rateNanoUsd } = price;
        const bearing = rates.filter(
          (own) => own * 100n >= rateNanoUsd * 98n && own * 100n <= rateNanoUsd * 102n,
        );
        expect(bearing.length).toBeGreaterThanOrEqual(2);
        expect(price.near).toHaveLength(bearing.length);
        expect(price.near.length + price.far.length).toBe(rates.length);
      }),
      { numRuns: 2_000 },
    );
    expect(quoted).toBeGreaterThan(100);
  });

  it('is moved by one false source no farther than the true ones reach', () => {
    const truth = fc.bigInt({ min: 99_500n, max: 100_500n });
    fc.assert(
      fc.property(
        fc.array(truth, { minLength: 2, maxLength: 5 }),
        fc.bigInt({ min: 1n, max: 1_000_000_000_000_000_000n }),
        (truths, lie) => {
          const price = agreedPrice(pricesOf([lie, ...truths]));
          const reach = [...truths].sort((one, other) => Number(one - other));
          expect(price?.rateNanoUsd).toBeGreaterThanOrEqual(reach[0] ?? 0n);
          expect(price?.rateNanoUsd).toBeLessThanOrEqual(reach.at(-1) ?? 0n);
        },
      ),
    );
  });

  it('does not depend on the order of the sources', () => {
    const rates = fc.array(fc.bigInt({ min: 98_000n, max: 102_000n }), { minLength: 2, maxLength: 7 });
    fc.assert(
      fc.property(rates, (some) => {
        expect(agreedPrice(pricesOf(some.toReversed()))?.rateNanoUsd).toBe(
          agreedPrice(pricesOf(some))?.rateNanoUsd,
        );
      }),
    );
  });
});

import fc from 'fast-check';
import {
  DEFAULT_RATE_TIERS,
  RATE_MULTIPLIERS,
  type RateClass,
  type RateTier,
  type RateTierName,
  type RateWindow,
  rateWindows,
} from './rate-limiter';

const NO_RATES: RateTier = DEFAULT_RATE_TIERS.enterprise;
const SPAN_SECONDS = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

/** A window as text: `5 / 2 s` is five calls per two seconds. */
function textOf({ limit, lengthMs }: RateWindow): string {
  return `${limit} / ${lengthMs / 1_000} s`;
}

describe('rateWindows of every tier and class', () => {
  const table: [RateTierName, RateClass, ...string[]][] = [
    ['free', 'health'],
    ['free', 'read', '1 / 1 s', '10 / 60 s', '100 / 3600 s', '1000 / 86400 s'],
    ['free', 'write', '1 / 2 s', '5 / 60 s', '50 / 3600 s', '500 / 86400 s'],
    ['free', 'llm', '1 / 5 s', '2 / 60 s', '20 / 3600 s', '200 / 86400 s'],
    ['free', 'heavy', '1 / 10 s', '1 / 60 s', '10 / 3600 s', '100 / 86400 s'],
    ['basic', 'health'],
    ['basic', 'read', '5 / 1 s', '100 / 60 s', '1000 / 3600 s', '10000 / 86400 s'],
    ['basic', 'write', '5 / 2 s', '50 / 60 s', '500 / 3600 s', '5000 / 86400 s'],
    ['basic', 'llm', '1 / 1 s', '20 / 60 s', '200 / 3600 s', '2000 / 86400 s'],
    ['basic', 'heavy', '1 / 2 s', '10 / 60 s', '100 / 3600 s', '1000 / 86400 s'],
    ['pro', 'health'],
    ['pro', 'read', '20 / 1 s', '1000 / 60 s', '10000 / 3600 s', '100000 / 86400 s'],
    ['pro', 'write', '10 / 1 s', '500 / 60 s', '5000 / 3600 s', '50000 / 86400 s'],
    ['pro', 'llm', '4 / 1 s', '200 / 60 s', '2000 / 3600 s', '20000 / 86400 s'],
    ['pro', 'heavy', '2 / 1 s', '100 / 60 s', '1000 / 3600 s', '10000 / 86400 s'],
    ['enterprise', 'health'],
    ['enterprise', 'read'],
    ['enterprise', 'write'],
    ['enterprise', 'llm'],
    ['enterprise', 'heavy'],
    ['anonymous', 'health'],
    ['anonymous', 'read', '20 / 60 s'],
    ['anonymous', 'write', '10 / 60 s'],
    ['anonymous', 'llm', '4 / 60 s'],
    ['anonymous', 'heavy', '2 / 60 s'],
  ];
  it.each(table)('%s, %s', (tier, rateClass, ...windows) => {
    expect(rateWindows(DEFAULT_RATE_TIERS[tier], RATE_MULTIPLIERS[rateClass]).map(textOf)).toEqual(windows);
  });
});

describe('rateWindows', () => {
  it('names each window by the span of its rate, also where its length is a multiple of that', () => {
    const names = rateWindows(DEFAULT_RATE_TIERS.free, 0.2).map(({ name }) => name);
    expect(names).toEqual(['second', 'minute', 'hour', 'day']);
  });

  it.each([
    ['0.3 by the smallest factor', 0.3, '3 / 10 s'],
    ['7 1/60 by the largest factor', 7 + 1 / 60, '421 / 60 s'],
    ['2.75 by a factor of four', 2.75, '11 / 4 s'],
    ['0.13, which no factor makes whole, by its inverse rounded up', 0.13, '1 / 7.693 s'],
    ['0.001 by its inverse', 0.001, '1 / 1000 s'],
    ['7.001, which no factor makes whole, by rounding down', 7.001, '7 / 1 s'],
    ['a product that binary fractions blur', 3 * 0.1, '3 / 10 s'],
  ])('keeps %s', (_title, requests_per_second, window) => {
    expect(rateWindows({ ...NO_RATES, requests_per_second }, 1).map(textOf)).toEqual([window]);
  });

  it('never allows more than the rate, and always allows something', () => {
    const rate = fc.double({ min: 0.001, max: 1e9, noNaN: true });
    const multiplier = fc.constantFrom(1, 0.5, 0.2, 0.1);
    fc.assert(
      fc.property(rate, rate, multiplier, (requests_per_second, requests_per_day, share) => {
        const windows = rateWindows({ ...NO_RATES, requests_per_second, requests_per_day }, share);
        expect(windows).toHaveLength(2);
        for (const { name, limit, lengthMs } of windows) {
          const asked = name === 'second' ? requests_per_second : requests_per_day;
          const made = (limit / lengthMs) * 1_000 * SPAN_SECONDS[name];
          expect(made).toBeLessThanOrEqual(asked * share * (1 + 1e-9));
          expect(Number.isSafeInteger(limit) && limit >= 1).toBe(true);
          expect(Number.isSafeInteger(lengthMs) && lengthMs >= 1).toBe(true);
        }
      }),
    );
  });
});

import { DEFAULT_RATE_TIERS } from '../../accounts/rate-limiter';
import { toAccountLimits } from './account';

describe('toAccountLimits', () => {
  it('gives every category its part of the tier', () => {
    const limits = toAccountLimits({
      tier: 'pro',
      rates: DEFAULT_RATE_TIERS.pro,
      console: DEFAULT_RATE_TIERS.console,
    });
    expect(limits).toMatchObject({ tier: 'pro', requests_per_second: 20, requests_per_day: 100_000 });
    expect(limits.categories.map(({ category, requests_per_second: rate }) => [category, rate])).toEqual([
      ['health', null],
      ['read', 20],
      ['write', 10],
      ['llm', 4],
      ['heavy', 2],
    ]);
  });

  it('shows decimal parts without the noise of binary fractions', () => {
    const rates = { ...DEFAULT_RATE_TIERS.free, requests_per_second: 3 };
    const heavy = toAccountLimits({ tier: 'free', rates, console: rates }).categories.at(-1);
    expect(heavy).toMatchObject({ category: 'heavy', multiplier: 0.1, requests_per_second: 0.3 });
  });

  it('leaves what is unlimited unlimited', () => {
    const { categories } = toAccountLimits({
      tier: 'enterprise',
      rates: DEFAULT_RATE_TIERS.enterprise,
      console: DEFAULT_RATE_TIERS.enterprise,
    });
    expect(categories.every((category) => category.requests_per_minute === null)).toBe(true);
  });
});

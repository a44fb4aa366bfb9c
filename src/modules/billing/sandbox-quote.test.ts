import { CURRENCIES } from './payment-chain';
import { sandboxQuote } from './price-sources';

describe('sandboxQuote', () => {
  it('is always the same', () => {
    const takenAt = new Date('2026-01-15T12:00:00.000Z');
    const rates = [100_000n, 4_000n, 200n].map((usd) => usd * 1_000_000_000n);
    expect(CURRENCIES.map((currency) => sandboxQuote(currency, takenAt))).toEqual(
      rates.map((rateNanoUsd) => ({
        rateNanoUsd,
        takenAt,
        sources: [{ name: 'sandbox', rateNanoUsd, takenAt }],
      })),
    );
  });
});

import type { Currency } from '../../../../infrastructure/chain/payment-chain';
import { NANO_PER_USD } from '../../pricing/usd';
import type { Quote } from './quote';

const RATES_NANO_USD: Readonly<Record<Currency, bigint>> = {
  BTC: 100_000n * NANO_PER_USD,
  ETH: 4_000n * NANO_PER_USD,
  SOL: 200n * NANO_PER_USD,
};

/** The price of a coin that is only played with. It is always the same, so that whoever tries payments can foresee it. */
export function sandboxQuote(currency: Currency, now: Date): Quote {
  const rateNanoUsd = RATES_NANO_USD[currency];
  return { rateNanoUsd, takenAt: now, sources: [{ name: 'sandbox', rateNanoUsd, takenAt: now }] };
}

import type { Currency } from '../../../../infrastructure/chain/payment-chain';

/** What one source said that a coin costs. */
export interface SourcePrice {
  /** Of the source, as the operator calls it. */
  readonly name: string;
  /** Nano-USD for one whole coin; above 0. */
  readonly rateNanoUsd: bigint;
  /** When the answer arrived, by our clock. */
  readonly takenAt: Date;
}

/** What a coin costs, and by whose word. */
export interface Quote {
  /** Nano-USD for one whole coin; above 0. */
  readonly rateNanoUsd: bigint;
  /** When the quote was made; the prices below may be a minute older. */
  readonly takenAt: Date;
  /** The sources that agree on it, by ascending price. */
  readonly sources: readonly SourcePrice[];
}

/** Too few sources agree on what a coin costs. Nothing may be sold for it now; a later quote may succeed. */
export class PriceUnavailable extends Error {
  /** @param reason never contains a URL */
  constructor(
    readonly currency: Currency,
    readonly reason: string,
  ) {
    super(`no price of ${currency}: ${reason}`);
    this.name = new.target.name;
  }
}

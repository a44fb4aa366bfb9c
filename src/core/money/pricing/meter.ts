import type { TokenUse } from './price-list';

/** How a priced operation learns what was reserved for it and reports what it really used. */
export interface Meter {
  /** The output tokens that the reservation covers: the handler must not produce more. */
  readonly outputTokensMax: number;
  /** The input tokens that the reservation covers: an upper bound, and what is charged where nobody reports better. */
  readonly inputTokens: number;
  /** Returns the use as it is held to whole tokens and to what was reserved: what will be charged. */
  report(use: TokenUse): TokenUse;
}

/** A count of tokens that a provider reports, which may be anything: whole and not negative; null where it is no count. */
export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

import type { TokenUse } from './price-list';

/** How a priced operation learns what was reserved for it and reports what it really used. */
export interface Meter {
  /** The output tokens that the reservation covers: the handler must not produce more. */
  readonly outputTokensMax: number;
  /**
   * The input tokens that the reservation covers. This is an upper bound, and what is charged where the upstream does
   * not report the true number.
   */
  readonly inputTokens: number;
  /** Takes what the work used, and returns what of it will be charged: whole tokens, within what was reserved. */
  report(use: TokenUse): TokenUse;
}

/**
 * Reads a count of tokens that a provider reports, which may be any value.
 * @returns a whole number that is not negative, rounded up; null where the value is no finite number
 */
export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

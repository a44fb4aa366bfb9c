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
  /**
   * Takes what the work used, and returns what of it is believed: whole tokens, also more than were reserved. Tokens that
   * this service counted itself, because nobody reported any, must be within what was reserved already.
   */
  report(use: TokenUse): TokenUse;
  /**
   * Names the work that is asked what it has used, should the caller go away before it ends. Without one such a call is
   * free.
   */
  watch(work: WatchedWork): void;
}

/** Work that can be asked at any moment what has been used for it so far. */
export interface WatchedWork {
  /**
   * What has to be paid for if the work is broken off now. It is found out before this returns; only counting its tokens
   * may take longer. Null while nobody has begun to work on the call, so that nothing has to be paid.
   */
  useSoFar(): Promise<TokenUse> | null;
}

/** The tokens of the largest context windows: no model reads or writes more in one call. */
const BELIEVED_TOKENS_MAX = 2_000_000;

/**
 * Reads a count of tokens that a provider reports, which may be any value.
 * @returns a whole number that is not negative, rounded up; null where the value is no finite number
 */
export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

/**
 * What is believed of a count of tokens that a provider reports: whole tokens, also more than were reserved. Counts that
 * no model can reach are taken for the reserved ones, negative ones and what is no number for 0.
 */
export function believedTokens(tokens: number, reservedTokens: number): number {
  if (Number.isNaN(tokens)) {
    return 0;
  }
  const isAbsurd = tokens > Math.max(BELIEVED_TOKENS_MAX, reservedTokens);
  return isAbsurd ? reservedTokens : Math.max(0, Math.ceil(tokens));
}

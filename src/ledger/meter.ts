import type { TokenUse } from './price-list';

export interface Meter {
  /** The output tokens that the reservation covers: the handler must not produce more. */
  readonly outputTokensMax: number;
  /** An upper bound, and what is charged where the upstream does not report the true number. */
  readonly inputTokens: number;
  /**
   * Returns what of a use is believed, which may be more than was reserved. Tokens that this service counted itself must be
   * within what was reserved already.
   */
  report(use: TokenUse): TokenUse;
  /** Names the work to ask for its use, should the caller go away. Without one such a call is free. */
  watch(work: WatchedWork): void;
}

export interface WatchedWork {
  /**
   * What has to be paid if the work is broken off now; null while nobody has begun. Found out before this returns: only
   * counting its tokens may take longer.
   */
  useSoFar(): Promise<TokenUse> | null;
}

/** The tokens of the largest context windows: no model reads or writes more in one call. */
const BELIEVED_TOKENS_MAX = 2_000_000;

/** A count that a provider reports, as a whole number from 0 on; null where it is no finite number. */
export function wholeTokens(tokens: unknown): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) ? Math.max(0, Math.ceil(tokens)) : null;
}

/** Counts that no model can reach are taken for the reserved ones, negative ones and what is no number for 0. */
export function believedTokens(tokens: number, reservedTokens: number): number {
  if (Number.isNaN(tokens)) {
    return 0;
  }
  const isAbsurd = tokens > Math.max(BELIEVED_TOKENS_MAX, reservedTokens);
  return isAbsurd ? reservedTokens : Math.max(0, Math.ceil(tokens));
}

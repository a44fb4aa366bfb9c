import type { RateDecision, RateSubject } from '../rate-limiter';

/** A call that waits for Redis to decide it. */
export interface WaitingCall {
  readonly subjects: readonly RateSubject[];
  /** {@link encodedWindows} of each subject. */
  readonly windows: readonly string[];
  /** Unix time in milliseconds; null when Redis' own time decides. */
  readonly timeMs: number | null;
  /** On the clock of performance.now(); later no answer is of use. */
  readonly deadlineMs: number;
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

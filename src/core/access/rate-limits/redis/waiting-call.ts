import type { RateDecision, RateSubject } from '../rate-limiter';

/** A call that waits for Redis to decide it. */
export interface WaitingCall {
  readonly subjects: readonly RateSubject[];
  /** The windows of each subject, encoded by `encodedWindows`. */
  readonly windows: readonly string[];
  /** Unix time in milliseconds; null to count by the clock of Redis. */
  readonly timeMs: number | null;
  /** When the caller stops waiting, on the clock of performance.now(). */
  readonly deadlineMs: number;
  readonly resolve: (decision: RateDecision) => void;
  readonly reject: (error: unknown) => void;
}

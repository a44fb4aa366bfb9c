import type { RateWindow } from './rate-windows';

/**
 * What a call is counted under. `account` is followed by an id that this service issued. What follows `ip` and `login`
 * comes from strangers, so limiters must expect any number of different ones.
 */
export type RateSubjectKind = 'account' | 'ip' | 'login';

/** One party that a call is counted for, and the windows in force for it. */
export interface RateSubject {
  readonly id: `${RateSubjectKind}:${string}`;
  /** At most one window of each name; none at all means that the subject is not limited. */
  readonly windows: readonly RateWindow[];
}

/**
 * The state of the call's tightest window after the decision. The tightest window is the one with the fewest calls
 * left, because the caller runs into it first; of several with equally few, it is the one whose room grows last.
 */
export interface RateRoom {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time in seconds, rounded up, at which `remaining` grows because counted calls leave the window. */
  readonly resetAtSeconds: number;
  /** The window's whole length, rounded up. */
  readonly windowSeconds: number;
}

export interface AllowedCall extends RateRoom {
  readonly allowed: true;
}

export interface RefusedCall extends RateRoom {
  readonly allowed: false;
  /** After how many seconds, at least 1, the call fits all windows, if nobody else calls in the meantime. */
  readonly retryAfterSeconds: number;
}

/** No subject of the call has a window. */
export interface UnlimitedCall {
  readonly allowed: true;
  readonly limit: null;
}

export type RateDecision = AllowedCall | RefusedCall | UnlimitedCall;

/** Counts calls and refuses those that do not fit. The implementations differ in where they keep the counts. */
export abstract class RateLimiter {
  /**
   * Decides one call. A call that fits all windows of all its subjects is allowed and counted in each of them. A
   * refused call is counted nowhere, so that a caller who keeps calling is allowed as soon as the window has room.
   *
   * @param subjects each id at most once
   * @param nowMs Unix time in milliseconds
   */
  abstract take(subjects: readonly RateSubject[], nowMs: number): RateDecision | Promise<RateDecision>;

  /** Forgets every call of one subject, in all of its windows. */
  abstract forget(id: RateSubject['id']): void | Promise<void>;
}

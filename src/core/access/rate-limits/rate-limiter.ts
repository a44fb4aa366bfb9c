import type { RateWindow, RateWindowName } from './rate-windows';

/**
 * What a call is counted under. `key` and `account` name records that this service issued; `ip` and `login`
 * carry whatever a stranger sends, so limiters must expect any number of them.
 */
export type RateSubjectKind = 'key' | 'account' | 'ip' | 'login';

export interface RateSubject {
  readonly id: `${RateSubjectKind}:${string}`;
  /** At most one window of each name; none at all means that the subject is not limited. */
  readonly windows: readonly RateWindow[];
}

/**
 * The state of the tightest window after the call was decided: the one with the smallest count of calls left,
 * because that is the one that the caller meets next. Of equal ones it is the one that takes longest to gain room.
 */
export interface RateRoom {
  readonly limit: number;
  readonly remaining: number;
  /** Unix time, rounded up, at which the window's oldest counted call leaves it and `remaining` grows. */
  readonly resetAtSeconds: number;
  readonly windowSeconds: number;
  readonly windowName: RateWindowName;
}

export interface AllowedCall extends RateRoom {
  readonly allowed: true;
}

export interface RefusedCall extends RateRoom {
  readonly allowed: false;
  /** Seconds, at least 1, after which the call fits all windows, if nobody else calls meanwhile. */
  readonly retryAfterSeconds: number;
}

/** No subject of the call has a window. */
export interface UnlimitedCall {
  readonly allowed: true;
  readonly limit: null;
}

export type RateDecision = AllowedCall | RefusedCall | UnlimitedCall;

/** Counts calls and refuses those that do not fit. One implementation per place where the counts live. */
export abstract class RateLimiter {
  /**
   * Decides one call. It must fit all windows of all subjects; then it is counted in each of them. A refused
   * call is counted nowhere, so that a caller who hammers a closed window gets in as soon as it opens.
   *
   * @param subjects each id at most once
   * @param nowMs Unix time in milliseconds
   */
  abstract take(subjects: readonly RateSubject[], nowMs: number): RateDecision | Promise<RateDecision>;

  /** Forgets every call of one subject, in all of its windows. */
  abstract forget(id: RateSubject['id']): void | Promise<void>;
}

import { isIPv6 } from 'node:net';
import { ApiError } from '../errors/api-errors';
import type { RateWindow } from './rate-windows';

/**
 * What calls from an address are counted under: an IPv4 address itself, in whichever form it is written, and of an IPv6
 * address its /64. An IPv6 customer holds a /64 or more: counting single addresses would give each as many allowances
 * as it likes. For the same reason a port is left out, which some proxies write behind the address: a caller has a new
 * one with each connection. Text that is no address stays as it is.
 */
export function addressBlock(written: string): string {
  const address = withoutPort(written);
  if (!isIPv6(address)) {
    return address;
  }
  const groups = groupsOf(address);
  return ipv4Of(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** Without brackets, too, which tell the port of an IPv6 address from its groups: `[2001:db8::1]:443`. */
function withoutPort(written: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(written) ?? [];
  return ipv4 ?? ipv6 ?? written;
}

/** The eight groups in hexadecimal without leading zeros. The URL parser knows every spelling, but no zone (`%eth0`). */
function groupsOf(address: string): string[] {
  const [withoutZone] = address.split('%');
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = shortest.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}

/** The IPv4 address that an IPv6 address of ::ffff:0:0/96 stands for; null for any other. */
function ipv4Of(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') {
    return null;
  }
  const bytes = groups.slice(6).flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

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

interface AllowedCall extends RateRoom {
  readonly allowed: true;
}

export interface RefusedCall extends RateRoom {
  readonly allowed: false;
  /** After how many seconds, at least 1, the call fits all windows, if nobody else calls in the meantime. */
  readonly retryAfterSeconds: number;
}

/** No subject of the call has a window. */
interface UnlimitedCall {
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

/**
 * The X-RateLimit-* headers that tell a caller how its call was decided; a refused call gets Retry-After too. An
 * unlimited call gets no headers.
 * Source: reference, "Rate limits".
 */
export function rateLimitHeaders(decision: RateDecision): Record<string, string> {
  if (decision.limit === null) {
    return {};
  }
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(decision.limit),
    'X-RateLimit-Remaining': String(decision.remaining),
    'X-RateLimit-Reset': String(decision.resetAtSeconds),
    'X-RateLimit-Window': String(decision.windowSeconds),
  };
  if (!decision.allowed) {
    headers['Retry-After'] = String(decision.retryAfterSeconds);
  }
  return headers;
}

const UNITS: readonly [string, number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/**
 * 429: at least one of the windows that the call would be counted in is full. The call was counted in none of them.
 * The body and the headers tell of the window that refused it.
 */
export class RateLimitExceeded extends ApiError {
  /** @param message in place of the text that names the window and the time to wait */
  constructor(refused: RefusedCall, message = messageOf(refused)) {
    super(429, 'Rate limit exceeded', message, {
      fields: refusalFields(refused),
      headers: rateLimitHeaders(refused),
    });
  }
}

/** What a refusal tells of the window that refused. */
export function refusalFields({ retryAfterSeconds, limit, windowSeconds }: RefusedCall) {
  return { retry_after: retryAfterSeconds, limit, window: windowText(windowSeconds) };
}

/**
 * `second`, `minute`, `hour` or `day` for a window of that length, and its seconds for any other: `900s`. A rate of the
 * tier that makes a longer window must not be told by its own name: 1 call in 5 seconds is not 1 call in a second.
 * Source: reference, "Error body".
 */
function windowText(seconds: number): string {
  const unit = UNITS.find(([, length]) => length === seconds);
  return unit ? unit[0] : `${seconds}s`;
}

/** The text names the length of the window, because a fractional rate is counted over several of its named spans. */
function messageOf({ limit, windowSeconds, retryAfterSeconds }: RefusedCall): string {
  const calls = limit === 1 ? '1 call' : `${limit} calls`;
  return `At most ${calls} per ${spanText(windowSeconds)}. Try again in ${spanText(retryAfterSeconds)}.`;
}

/** A number of seconds in the largest unit that gives a whole number: 7200 is `2 hours`, 61 is `61 seconds`. */
function spanText(seconds: number): string {
  const [unit, unitSeconds] = UNITS.find(([, length]) => seconds % length === 0) ?? ['second', 1];
  const count = seconds / unitSeconds;
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}

import type { RateDecision, RateRoom } from '../rate-limiter';
import type { WaitingCall } from './waiting-call';

const NUMBERS_PER_CALL = 5;

/**
 * The decisions in the answer of take-calls.lua, in the order of the calls.
 *
 * @throws TypeError when the answer is not what the script returns for these calls
 */
export function tripDecisions(calls: readonly WaitingCall[], answer: unknown): RateDecision[] {
  if (!isNumbers(answer) || answer.length !== calls.length * NUMBERS_PER_CALL) {
    throw new TypeError('The answer of Redis does not fit the calls');
  }
  return calls.map((call, index) =>
    decisionOf(call, answer.slice(index * NUMBERS_PER_CALL, (index + 1) * NUMBERS_PER_CALL)),
  );
}

function decisionOf({ subjects }: WaitingCall, numbers: number[]): RateDecision {
  const [allowed = 0, tightest = 0, remaining = 0, growsAtMs = 0, waitMs = 0] = numbers;
  const window = subjects.flatMap(({ windows }) => windows)[tightest - 1];
  if (window === undefined) {
    throw new TypeError('The answer of Redis names a window that the call does not have');
  }
  const room: RateRoom = {
    limit: window.limit,
    remaining,
    resetAtSeconds: Math.ceil(growsAtMs / 1_000),
    windowSeconds: Math.ceil(window.lengthMs / 1_000),
  };
  return allowed === 1
    ? { allowed: true, ...room }
    : { allowed: false, ...room, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

function isNumbers(answer: unknown): answer is number[] {
  return Array.isArray(answer) && answer.every((value) => typeof value === 'number');
}

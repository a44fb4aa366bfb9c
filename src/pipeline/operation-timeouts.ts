import type { RateClass } from '../contract/operation';

const TIMEOUTS_MS: Record<RateClass, number> = {
  health: 5_000,
  read: 10_000,
  write: 10_000,
  llm: 120_000,
  heavy: 120_000,
};

/** How long an operation of this class may take before it is answered with 504 and costs nothing. */
export function operationTimeoutMs(rate: RateClass): number {
  return TIMEOUTS_MS[rate];
}

/** How long a stream may go on once its handler has returned it. The handler itself has the time of its class. */
export const STREAM_TIMEOUT_MS = 600_000;

/**
 * How long a reservation lives, in milliseconds: twice what the call may take, so that no call still running is ever
 * swept.
 * @param isStreamed whether the call asks for a stream
 */
export function leaseMs(rate: RateClass, isStreamed: boolean): number {
  return 2 * (operationTimeoutMs(rate) + (isStreamed ? STREAM_TIMEOUT_MS : 0));
}

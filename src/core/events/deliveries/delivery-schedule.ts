/**
 * How long each automatic attempt comes after the end of the one before, in milliseconds (reference, Delivery rules 2).
 * After the last the delivery is abandoned.
 */
export const ATTEMPT_DELAYS_MS: readonly number[] = [
  0,
  5_000,
  25_000,
  2 * 60_000,
  10 * 60_000,
  60 * 60_000,
  6 * 60 * 60_000,
  24 * 60 * 60_000,
];

/** A webhook that has failed for five days without one success is switched off. */
export const FAILING_SECONDS_MAX = 5 * 24 * 60 * 60;

/** The webhook's `disabled_reason` when it was switched off for its failures. */
export const DISABLED_TEXT =
  'The webhook was switched off because every delivery to it had failed for 5 days. Set is_active to true once its receiver answers again.';

/** The `error_message` of deliveries that ended because their webhook was switched off. */
export const SWITCHED_OFF_TEXT = 'The webhook was switched off.';

/** The `error_message` of a delivery whose event is older than events are kept. */
export const EVENT_GONE_TEXT = 'The event is no longer stored.';

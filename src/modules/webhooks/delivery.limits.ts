/** Until the receiver has answered, from the look-up of its name on (reference, Delivery rules 1). */
export const ATTEMPT_MS_MAX = 5_000;
/** An endless answer is cut off. */
export const ANSWER_BYTES_MAX = 64 * 1024;
export const KEPT_ANSWER_BYTES_MAX = 2 * 1024;
/** A slower or unanswered attempt moves its receiver to the slow lane. */
export const QUICK_MS_MAX = 2_000;

/** On all replicas together: polite to the smallest server. */
export const PER_RECEIVER_MAX = 20;
/** In each lane, so that a slow receiver does not hold up the account's others. */
export const PER_ACCOUNT_MAX = 10;
/** Per working process: a second's work, so that late comers wait little. */
export const FAST_IN_HAND_MAX = 1_000;
/** Per working process: as many as it makes at once. */
export const SLOW_IN_HAND_MAX = 100;
/** All at once: the queue's own work for a job costs more than an attempt. */
export const FAST_PER_JOB_MAX = 10;
/** Per process. Even all deliveries in hand are few for one process. */
export const FAST_JOBS_AT_ONCE_MAX = 100;
/** Per process, with one attempt each: it may hold a socket for 5 s. */
export const SLOW_JOBS_AT_ONCE_MAX = 100;
/** Per lane and working process: beyond this jobs would only fill the queue. */
export const JOBS_WAITING_MAX = 400;

/** Then a delivery counts as lost. A killed worker's deliveries hold the places of their receivers until then. */
export const LEASE_SECONDS = 10;

/** How long only the job that loaded a delivery may make its attempt: longer than an attempt takes. */
export const CLAIM_SECONDS = 7;

/** With the next bound it keeps a round well below a second. */
export const ACCOUNTS_PER_ROUND_MAX = 100;
/** Of one account per round, divided by its active webhooks: a large one waits for the next round like all others. */
export const EVENTS_PER_ACCOUNT_MAX = 50;
/** Pairs of receiver and account per round of the dispatcher, an index look-up each. */
export const PAIRS_PER_ROUND_MAX = 500;
export const LATER_PER_ROUND_MAX = 1_000;
/** Deliveries ended or moved together with their webhook: half a second's work. */
export const CHANGED_AT_ONCE_MAX = 10_000;

/** From the end of the one before (reference, Delivery rules 2). After the last the delivery is abandoned. */
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

/** Failing this long without a success switches a webhook off. */
export const FAILING_SECONDS_MAX = 5 * 24 * 60 * 60;

export const DISABLED_TEXT =
  'The webhook was switched off because every delivery to it had failed for 5 days. Set is_active to true once its receiver answers again.';

export const GONE_TEXT =
  'The webhook was switched off because its receiver answered with status 410 (Gone). Set is_active to true once its receiver takes events again.';

export const SWITCHED_OFF_TEXT = 'The webhook was switched off.';

export const EVENT_GONE_TEXT = 'The event is no longer stored.';

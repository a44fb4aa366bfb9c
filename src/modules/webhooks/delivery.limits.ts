/** The receiver must have answered within this time, from the look-up of its name on (reference, Delivery rules 1). */
export const ATTEMPT_MS_MAX = 5_000;
/** What comes after it could go on for ever. */
export const ANSWER_BYTES_MAX = 64 * 1024;
export const KEPT_ANSWER_BYTES_MAX = 2 * 1024;
/** An attempt that took longer makes its receiver a slow one, as one does that was not answered at all. */
export const QUICK_MS_MAX = 2_000;

/** Attempts of one receiver at once, on all replicas together: few enough to be polite to the smallest server. */
export const PER_RECEIVER_MAX = 20;
/** Attempts of one account at once in each lane, so that its other receivers don't wait for its slow one. */
export const PER_ACCOUNT_MAX = 10;
/** Deliveries in the queue of the fast lane for each process that works: what it needs for a second, so that late comers wait little. */
export const FAST_IN_HAND_MAX = 1_000;
/** Deliveries in the queue of the slow lane for each process that works: as many as it makes at once. */
export const SLOW_IN_HAND_MAX = 100;
/** Attempts that one job of the fast lane makes, all at once: the queue's own work for a job costs more than an attempt. */
export const FAST_PER_JOB_MAX = 10;
/** Jobs that one process works off at once in the fast lane. Even all deliveries in hand are few for one process. */
export const FAST_JOBS_AT_ONCE_MAX = 100;
/** Jobs that one process works off at once in the slow lane, with one attempt each: it may hold a socket for 5 s. */
export const SLOW_JOBS_AT_ONCE_MAX = 100;
/** Jobs that wait in one lane for each process that works, beyond which nobody works them off: more of them would only fill the queue. */
export const JOBS_WAITING_MAX = 400;

/** Then a delivery is taken for lost. Until then those of a killed worker hold the places of their receivers and accounts. */
export const LEASE_SECONDS = 10;

/** For how long only the job that loaded a delivery makes its attempt: longer than an attempt takes. */
export const CLAIM_SECONDS = 7;

/** Accounts that one round of the fan-out looks at. With the next it keeps a round well below a second. */
export const ACCOUNTS_PER_ROUND_MAX = 100;
/** Events that one round takes of one account: one with very many waits for the next round like all others. */
export const EVENTS_PER_ACCOUNT_MAX = 50;
/** Pairs of receiver and account that one round of the dispatcher looks at, each for a look-up in an index. */
export const PAIRS_PER_ROUND_MAX = 500;
/** Deliveries whose time has come that become due in one round. */
export const LATER_PER_ROUND_MAX = 1_000;
/** Deliveries that end at once with their webhook's switching off, or move with its URL: half a second's work. */
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

/** A webhook that has failed for five days without one success is switched off. */
export const FAILING_SECONDS_MAX = 5 * 24 * 60 * 60;

/** The webhook's `disabled_reason` when it was switched off for its failures. */
export const DISABLED_TEXT =
  'The webhook was switched off because every delivery to it had failed for 5 days. Set is_active to true once its receiver answers again.';

/** The webhook's `disabled_reason` when its receiver has said that it is gone. */
export const GONE_TEXT =
  'The webhook was switched off because its receiver answered with status 410 (Gone). Set is_active to true once its receiver takes events again.';

/** The `error_message` of deliveries that ended because their webhook was switched off. */
export const SWITCHED_OFF_TEXT = 'The webhook was switched off.';

/** The `error_message` of a delivery whose event is older than events are kept. */
export const EVENT_GONE_TEXT = 'The event is no longer stored.';

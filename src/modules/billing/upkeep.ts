import { timed } from '../../work/timers';
import { DesertedPayments } from './payment-settlement';
import { PaymentQueue } from './payment-watch';

export const BILLING_TIMERS = [
  // Payments of chains that are looked at no longer: no look can end them.
  timed({
    name: 'DesertedPayments',
    everyMs: 10 * 60_000,
    of: DesertedPayments,
    work: (payments, { now }) => payments.end(now),
  }),
  // An operator who empties Redis must not end payments unseen.
  timed({
    name: 'PaymentSchedule',
    everyMs: 60_000,
    first: 'with the background work',
    of: PaymentQueue,
    work: (queue) => queue.schedule(),
  }),
];

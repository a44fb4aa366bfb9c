/**
 * All types of events (reference, Events). The order is that of their bits in the database (event_bit.sql): it never
 * changes, and a new type goes to the end.
 */
export const EVENT_TYPES = [
  'payment.created',
  'payment.confirming',
  'payment.confirmed',
  'payment.failed',
  'payment.expired',
  'balance.updated',
  'balance.low',
  'balance.depleted',
  'usage.limit_exceeded',
  'usage.threshold',
  'usage.spike',
  'anomaly.detected',
  'rate_limit.exceeded',
  'key.revoked',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What a webhook may subscribe to; `*` stands for all types. */
export type Subscription = EventType | '*';

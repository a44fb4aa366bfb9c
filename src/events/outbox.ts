import { Injectable } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { inBatches } from '../database/bounded-statements';

/** The order is that of the bits in event_bit.sql: new types go to the end. */
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

export type Subscription = EventType | '*';

export type EventExamples = Readonly<Record<EventType, Readonly<Record<string, unknown>>>>;

/** In the document's form: `POST`, `/api/keys/{key_id}/revoke`. */
export interface OperationRoute {
  method: string;
  route: string;
}

export type OperationRoutes = Readonly<Record<string, OperationRoute>>;

export class EventDocument {
  constructor(
    readonly examples: EventExamples,
    readonly routes: OperationRoutes,
  ) {}
}

export interface NewEvent {
  accountId: string;
  type: EventType;
  data: Record<string, unknown>;
  operation: string | null;
  occurredAt: Date;
  /** Writes the event at most once until `heldUntil`. */
  once?: {
    /** Such as `usage.spike:2026-11-22T10`, per account. */
    mark: string;
    heldUntil: Date;
  };
}

/** Writes an event in the transaction of its fact, so that neither exists without the other. */
@Injectable()
export class Outbox {
  /** @returns whether it was written: a webhook subscribes to its type, and its mark is free */
  async write(manager: Pick<EntityManager, 'query'>, event: NewEvent): Promise<boolean> {
    const { accountId, type, data, operation, occurredAt } = event;
    const { mark = null, heldUntil = null } = event.once ?? {};
    const [row] = await manager.query<{ written: boolean }[]>(
      'SELECT event_write($1, $2, $3, $4, $5, $6, $7) AS written',
      [accountId, type, JSON.stringify(data), operation, occurredAt, mark, heldUntil],
    );
    return row?.written === true;
  }

  async heldUntil(
    manager: Pick<EntityManager, 'query'>,
    accountId: string,
    mark: string,
  ): Promise<Date | null> {
    const [row] = await manager.query<{ held_until: Date }[]>(
      'SELECT held_until FROM event_marks WHERE account_id = $1 AND mark = $2',
      [accountId, mark],
    );
    return row?.held_until ?? null;
  }
}

const KEPT_FOR_MS = 30 * 24 * 60 * 60 * 1000;
/** A mark must outlast the slowest replica's clock. */
const MARKS_KEPT_LONGER_MS = 60 * 60 * 1000;
/** An event has at most 20 deliveries, one for each webhook. */
const EVENT_BATCHES = { sizeMax: 500, batchesMax: 1_000 };
const MARK_BATCHES = { sizeMax: 5_000, batchesMax: 100 };
const SLOW_KEPT_FOR_MS = 24 * 60 * 60 * 1000;

@Injectable()
export class EventRetention {
  constructor(private readonly databases: AccountDatabases) {}

  /** With deliveries, after 30 days, unless one still waits; at most 500,000 of each schema in one run. */
  async removeEvents(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - KEPT_FOR_MS);
    return this.databases.sumInEach((database) =>
      inBatches({ ...EVENT_BATCHES, signal }, (sizeMax) => removeBatch(database, before, sizeMax)),
    );
  }

  /** Deletes marks free for an hour, at most 500,000 of each schema in one run. */
  async removeMarks(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - MARKS_KEPT_LONGER_MS);
    return this.databases.deleteInEach(REMOVE_MARKS, before, { ...MARK_BATCHES, signal });
  }

  /** At most 500,000 of each schema in one run. Users can save any number of receivers. */
  async removeSlowReceivers(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - SLOW_KEPT_FOR_MS);
    return this.databases.deleteInEach(REMOVE_SLOW_RECEIVERS, before, { ...MARK_BATCHES, signal });
  }
}

/** Each statement looks again, because a delivery may be requested meanwhile. */
async function removeBatch(database: DataSource, before: Date, sizeMax: number): Promise<number> {
  return database.transaction(async (manager) => {
    const found: { id: string }[] = await manager.query(OLD_EVENTS, [before, sizeMax]);
    const ids = found.map(({ id }) => id);
    await manager.query(REMOVE_DELIVERIES, [ids]);
    await manager.query(REMOVE_EVENTS, [ids]);
    return ids.length;
  });
}

const OLD_EVENTS = `
  SELECT id FROM events AS e
  WHERE relayed_at <= $1
    AND NOT EXISTS (SELECT FROM deliveries WHERE event_id = e.id AND stage <> 'over')
  ORDER BY relayed_at LIMIT $2 FOR UPDATE SKIP LOCKED`;

const REMOVE_DELIVERIES = `
  DELETE FROM deliveries WHERE id IN (
    SELECT id FROM deliveries WHERE event_id = ANY ($1) AND stage = 'over' FOR UPDATE SKIP LOCKED)`;

const REMOVE_EVENTS = `
  DELETE FROM events AS e
  WHERE id = ANY ($1) AND NOT EXISTS (SELECT FROM deliveries WHERE event_id = e.id)`;

const REMOVE_MARKS = `
  DELETE FROM event_marks WHERE (account_id, mark) IN (
    SELECT account_id, mark FROM event_marks WHERE held_until <= $1
    ORDER BY held_until LIMIT $2 FOR UPDATE SKIP LOCKED)`;

const REMOVE_SLOW_RECEIVERS = `
  DELETE FROM slow_receivers WHERE receiver IN (
    SELECT receiver FROM slow_receivers WHERE since <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`;

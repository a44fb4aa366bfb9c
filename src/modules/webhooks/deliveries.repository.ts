import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type {
  DeliveryAttempt,
  ListAbandonedDeliveriesQuery,
  ListDeliveriesQuery,
  WebhookDelivery,
  WebhooksHealth,
} from '../../../generated/types';
import { AccountDatabases } from '../../database/account-databases';
import { asProperties, inPeriod, listRows, orderBy, type RowPage } from '../../database/bounded-statements';
import { withLongStatements } from '../../database/connection-pool';
import { Conflict, NotFound } from '../../errors/api-errors';
import { EventDocument, type EventType } from '../../events/outbox';
import { openPeriod } from '../../ledger/period';
import { Clock, DAY_MS } from '../../runtime/clock';
import { isId, newId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';
import { type DeliveryRequest, requestOf, type SignedEvent } from './delivery-payload';

export interface Delivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: EventType;
  url: string;
  status: WebhookDelivery['status'];
  attemptCount: number;
  attempts: DeliveryAttempt[];
  responseStatus: number | null;
  responseBody: string | null;
  errorMessage: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  deliveredAt: Date | null;
  failedAt: Date | null;
  abandonedAt: Date | null;
}

const DELIVERY_COLUMNS =
  asProperties(`id, webhook_id, event_id, event_type, url, status, attempt_count, attempts,
  response_status, response_body, error_message, next_attempt_at, created_at, delivered_at, failed_at, abandoned_at`);

export function deliveryRecord(delivery: Delivery) {
  return {
    ...inSnakeCase(delivery, 'id', 'webhookId', 'eventId', 'eventType', 'url', 'status', 'attempts'),
    ...inSnakeCase(delivery, 'responseStatus', 'responseBody', 'errorMessage', 'nextAttemptAt'),
    ...inSnakeCase(delivery, 'createdAt', 'deliveredAt', 'failedAt', 'abandonedAt'),
    retry_count: Math.max(0, delivery.attemptCount - 1),
  };
}

const REPLAYED_MAX = 10_000;
const RECEIVERS_MAX = 10;
const COUNTED_WITHIN_MS = 30_000;

interface WaitingReceiver {
  receiver: string;
  waiting: number;
  oldestDueAt: Date;
  slowSince: Date | null;
}

type HealthRow = Omit<WebhooksHealth, 'oldest_event_age_seconds' | 'receivers' | 'checked_at'> & {
  oldestEventAt: Date | null;
};

type Sorted = Pick<ListAbandonedDeliveriesQuery, 'sort' | 'order'>;

function listing(columns: string, { sort, order }: Sorted) {
  return { columns, from: 'deliveries', order: orderBy(sort, order, sort !== 'created_at') };
}

/** Locks the webhook before the delivery: none becomes due on a webhook that is being switched off. */
@Injectable()
export class Deliveries {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly document: EventDocument,
    private readonly clock: Clock,
  ) {}

  async list(accountId: string, webhookId: string, query: ListDeliveriesQuery): Promise<RowPage<Delivery>> {
    const database = this.databases.of(accountId);
    const [webhook]: unknown[] = isId(webhookId) ? await database.query(OWN, [webhookId, accountId]) : [];
    if (!webhook) {
      throw new NotFound('webhook');
    }
    return listRows(database, listing(DELIVERY_COLUMNS, query), query, {
      'webhook_id = $': webhookId,
      'status = $': query.status,
      'event_type = $': query.event_type,
      ...inPeriod(openPeriod(query)),
    });
  }

  async get(accountId: string, webhookId: string, id: string): Promise<Delivery> {
    const isPossible = isId(webhookId) && isId(id);
    const values = [id, webhookId, accountId];
    const [row]: Delivery[] = isPossible ? await this.databases.of(accountId).query(GET, values) : [];
    if (!row) {
      throw new NotFound('delivery');
    }
    return row;
  }

  /** As last sent, or as an attempt now would be, signed by the present secrets; null once the event is not stored. */
  async requestOf(accountId: string, { id, attempts }: Delivery): Promise<DeliveryRequest | null> {
    const now = this.clock.now();
    const [row]: SignedEvent[] = await this.databases.of(accountId).query(SIGNED_EVENT, [id, now]);
    if (!row) {
      return null;
    }
    const attempted = attempts.at(-1)?.attempted_at;
    return requestOf(row, this.document.routes, attempted === undefined ? now : new Date(attempted));
  }

  async listAbandoned(
    query: ListAbandonedDeliveriesQuery,
  ): Promise<RowPage<Delivery & { accountId: string }>> {
    const columns = `${DELIVERY_COLUMNS}, account_id AS "accountId"`;
    return listRows(this.databases.everyone, listing(columns, query), query, {
      'abandoned_at IS NOT NULL': true,
      'account_id = $': query.user_id,
      'webhook_id = $': query.webhook_id,
      ...inPeriod(openPeriod(query), 'abandoned_at'),
    });
  }

  /** Not one of the automatic attempts; a due or running one stays. @throws NotFound, Conflict */
  async retry(accountId: string, id: string): Promise<Delivery> {
    if (!isId(id)) {
      throw new NotFound('delivery');
    }
    return this.databases.of(accountId).transaction(async (manager) => {
      const receiver = await activeReceiver(manager, { query: WEBHOOK_OF_DELIVERY, values: [id, accountId] });
      const [row]: (Delivery & { isUnderWay: boolean })[] =
        receiver === null ? [] : await manager.query(LOCK_DELIVERY, [id, accountId]);
      if (receiver === null || !row) {
        throw new NotFound('delivery');
      }
      if (row.status !== 'failed') {
        throw new Conflict('The delivery has not failed.');
      }
      if (row.isUnderWay) {
        return row;
      }
      const now = this.clock.now();
      await manager.query(MAKE_DUE, [[id], now, receiver]);
      await manager.query(WAKE);
      return { ...row, nextAttemptAt: now };
    });
  }

  /** Deliveries failed since a time, oldest first, at most 10,000. @throws NotFound, Conflict */
  async replay(accountId: string, webhookId: string, since: Date): Promise<number> {
    return this.databases.of(accountId).transaction(async (manager) => {
      const receiver = await this.receiverOf(manager, accountId, webhookId);
      const failed: { id: string }[] = await manager.query(FAILED_SINCE, [webhookId, since, REPLAYED_MAX]);
      const ids = failed.map(({ id }) => id);
      await manager.query(MAKE_DUE, [ids, this.clock.now(), receiver]);
      await manager.query(WAKE);
      return ids.length;
    });
  }

  async test(accountId: string, webhookId: string, type: EventType): Promise<Delivery> {
    const data = JSON.stringify({ ...this.document.examples[type], test: true });
    return this.databases.of(accountId).transaction(async (manager) => {
      const receiver = await this.receiverOf(manager, accountId, webhookId);
      const eventId = newId();
      const now = this.clock.now();
      await manager.query(ADD_EVENT, [eventId, accountId, type, data, webhookId, now]);
      const values = [newId(), accountId, webhookId, eventId, type, receiver, now];
      const [row]: Delivery[] = await manager.query(ADD_DELIVERY, values);
      if (!row) {
        throw new Error(`the locked webhook ${webhookId} is gone`);
      }
      return row;
    });
  }

  async health(): Promise<WebhooksHealth> {
    const checkedAt = this.clock.now();
    const dayBefore = new Date(checkedAt.getTime() - DAY_MS);
    return withLongStatements(this.databases.everyone, COUNTED_WITHIN_MS, async ({ manager }) => {
      const [row]: HealthRow[] = await manager.query(HEALTH, [dayBefore]);
      const receivers: WaitingReceiver[] = await manager.query(WAITING_RECEIVERS, [RECEIVERS_MAX]);
      if (!row) {
        throw new Error('an aggregate gave no row');
      }
      const { oldestEventAt, ...counts } = row;
      return {
        ...counts,
        oldest_event_age_seconds: oldestEventAt && (checkedAt.getTime() - oldestEventAt.getTime()) / 1000,
        receivers: receivers.map((each) =>
          inSnakeCase(each, 'receiver', 'waiting', 'oldestDueAt', 'slowSince'),
        ),
        checked_at: checkedAt.toISOString(),
      };
    });
  }

  private async receiverOf(manager: EntityManager, accountId: string, webhookId: string): Promise<string> {
    const values = [webhookId, accountId];
    const receiver = isId(webhookId) ? await activeReceiver(manager, { query: WEBHOOK, values }) : null;
    if (receiver === null) {
      throw new NotFound('webhook');
    }
    return receiver;
  }
}

/** Locked against being switched off or moved. @throws Conflict where it is switched off */
async function activeReceiver(
  manager: EntityManager,
  { query, values }: { query: string; values: unknown[] },
): Promise<string | null> {
  const [webhook]: { receiver: string; is_active: boolean }[] = await manager.query(query, values);
  if (webhook && !webhook.is_active) {
    throw new Conflict('The webhook is switched off.');
  }
  return webhook?.receiver ?? null;
}

const GET = `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE id = $1 AND webhook_id = $2 AND account_id = $3`;

const SIGNED_EVENT = `
  SELECT e.id AS "eventId", e.event_type AS "eventType", e.data, e.operation, e.occurred_at AS "occurredAt", w.secret,
    CASE WHEN w.previous_secret_until > $2 THEN w.previous_secret END AS "previousSecret"
  FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id WHERE d.id = $1`;

const OWN = 'SELECT FROM webhooks WHERE id = $1 AND account_id = $2';

const WEBHOOK = 'SELECT receiver, is_active FROM webhooks WHERE id = $1 AND account_id = $2 FOR SHARE';

const WEBHOOK_OF_DELIVERY = `
  SELECT receiver, is_active FROM webhooks
  WHERE id = (SELECT webhook_id FROM deliveries WHERE id = $1 AND account_id = $2) FOR SHARE`;

const LOCK_DELIVERY = `
  SELECT ${DELIVERY_COLUMNS}, stage IN ('due', 'handed') AS "isUnderWay" FROM deliveries
  WHERE id = $1 AND account_id = $2 FOR NO KEY UPDATE`;

// Locked ones are being attempted or recorded. A test is tried once only.
const FAILED_SINCE = `
  SELECT id FROM deliveries
  WHERE webhook_id = $1 AND status = 'failed' AND failed_at >= $2 AND stage IN ('later', 'over') AND attempts_max > 1
  ORDER BY failed_at, id LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED`;

// The time of the next automatic attempt, scheduled_at, stays.
const MAKE_DUE = `
  UPDATE deliveries SET stage = 'due', is_manual = true, next_attempt_at = $2, receiver = $3
  WHERE id = ANY($1::uuid[])`;

const WAKE = `SELECT pg_notify('events', '')`;

// Already relayed: its delivery is made here.
const ADD_EVENT = `
  INSERT INTO events (id, account_id, event_type, data, operation, webhook_id, occurred_at, relayed_at)
  VALUES ($1, $2, $3, $4, NULL, $5, $6, $6)`;

const ADD_DELIVERY = `
  INSERT INTO deliveries (id, account_id, webhook_id, event_id, event_type, url, receiver, stage, status, attempts_max,
    next_attempt_at, scheduled_at, occurred_at, created_at)
  SELECT $1, $2, id, $4, $5, url, $6, 'due', 'pending', 1, $7, $7, $7, $7 FROM webhooks WHERE id = $3
  RETURNING ${DELIVERY_COLUMNS}`;

// Each part has an index, because very many deliveries are over. None is abandoned before it has failed.
const HEALTH = `
  SELECT events_waiting, "oldestEventAt", failed_last_24h, abandoned_last_24h,
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'due') AS deliveries_due,
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'handed') AS deliveries_handed,
    (SELECT count(*)::float8 FROM deliveries WHERE stage = 'later') AS deliveries_later,
    (SELECT count(*)::float8 FROM webhooks WHERE NOT is_active AND disabled_reason IS NOT NULL) AS switched_off_webhooks
  FROM (SELECT count(*)::float8 AS events_waiting, min(occurred_at) AS "oldestEventAt"
      FROM events WHERE relayed_at IS NULL) AS e,
    (SELECT count(*)::float8 AS failed_last_24h,
        count(*) FILTER (WHERE abandoned_at >= $1)::float8 AS abandoned_last_24h
      FROM deliveries WHERE failed_at >= $1) AS d`;

// Separate, because each stage has its own index, and both together have none.
const WAITING_RECEIVERS = `
  SELECT receiver, count(*)::float8 AS waiting, min(next_attempt_at) AS "oldestDueAt", min(since) AS "slowSince"
  FROM (
    SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'due'
    UNION ALL SELECT receiver, next_attempt_at FROM deliveries WHERE stage = 'handed'
  ) AS d LEFT JOIN (SELECT receiver, min(since) AS since FROM slow_receivers GROUP BY receiver) AS slow USING (receiver)
  GROUP BY receiver ORDER BY waiting DESC, receiver LIMIT $1`;

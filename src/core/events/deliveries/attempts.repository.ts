import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Clock } from '../../../infrastructure/clock/clock';
import { CHANGED_AT_ONCE_MAX, CLAIM_SECONDS } from './delivery-bounds';
import {
  ATTEMPT_DELAYS_MS,
  DISABLED_TEXT,
  EVENT_GONE_TEXT,
  FAILING_SECONDS_MAX,
  SWITCHED_OFF_TEXT,
} from './delivery-schedule';
import type { StoredEvent } from './payload';
import type { SigningSecrets } from './signatures';
import { Together } from './together';

const TOGETHER_MAX = 300;

/** Which attempt of which delivery is to be made. */
export interface AttemptOrder {
  deliveryId: string;
  attempt: number;
}

/** What an attempt needs. */
export interface LoadedDelivery {
  deliveryId: string;
  /** The request that caused the event; null where none did, or it is not known. */
  requestId: string | null;
  isManual: boolean;
  event: StoredEvent;
  url: string;
  receiver: string;
  secrets: SigningSecrets;
}

/** How an attempt ended. Names and units are those of sql/deliveries_record.sql. */
export interface AttemptOutcome {
  id: string;
  attempt: number;
  /** ISO 8601, as the delivery's record shows it. */
  startedAt: string;
  endedAt: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  /** Null for a success. */
  errorMessage: string | null;
  url: string;
  receiver: string;
  /** Null where the attempt says nothing of the receiver's pace. */
  isSlow: boolean | null;
}

/** What a recorded attempt makes of its delivery; `failed` is one that may be tried again. */
export type AttemptResult = 'success' | 'failed' | 'abandoned';

/** Reads what attempts need and writes how they ended. Attempts that end at once are written together. */
@Injectable()
export class AttemptsRepository {
  private readonly loads = new Together<AttemptOrder, LoadedDelivery | null>(TOGETHER_MAX, (orders) =>
    this.loadAll(orders),
  );
  private readonly records = new Together<AttemptOutcome, AttemptResult | null>(TOGETHER_MAX, (outcomes) =>
    this.recordAll(outcomes),
  );

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Claims an attempt. Returns null when it is not to be made (any more): sql/deliveries_load.sql says when. */
  load(order: AttemptOrder): Promise<LoadedDelivery | null> {
    return this.loads.ask(order);
  }

  /** Writes down how an attempt ended. Returns null when it is not the next of its delivery, and writes nothing then. */
  record(outcome: AttemptOutcome): Promise<AttemptResult | null> {
    return this.records.ask(outcome);
  }

  private async loadAll(orders: AttemptOrder[]): Promise<(LoadedDelivery | null)[]> {
    const rows = await this.database.query<LoadedRow[]>(LOAD, [
      orders.map(({ deliveryId }) => deliveryId),
      orders.map(({ attempt }) => attempt),
      SWITCHED_OFF_TEXT,
      EVENT_GONE_TEXT,
      this.clock.now(),
      CLAIM_SECONDS,
    ]);
    const loaded = new Map(rows.map((row) => [row.delivery_id, loadedOf(row)]));
    return orders.map(({ deliveryId }) => loaded.get(deliveryId) ?? null);
  }

  private async recordAll(outcomes: AttemptOutcome[]): Promise<(AttemptResult | null)[]> {
    const rows = await this.database.query<{ delivery_id: string; result: AttemptResult }[]>(
      'SELECT * FROM deliveries_record($1, $2, $3, $4, $5, $6)',
      [
        JSON.stringify(outcomes),
        ATTEMPT_DELAYS_MS,
        FAILING_SECONDS_MAX,
        CHANGED_AT_ONCE_MAX,
        DISABLED_TEXT,
        SWITCHED_OFF_TEXT,
      ],
    );
    const results = new Map(rows.map(({ delivery_id: id, result }) => [id, result]));
    return outcomes.map(({ id }) => results.get(id) ?? null);
  }
}

const LOAD = `
  SELECT loaded.*, events.request_id
  FROM deliveries_load($1, $2, $3, $4, $5, $6) AS loaded JOIN events ON events.id = loaded.event_id`;

interface LoadedRow {
  delivery_id: string;
  request_id: string | null;
  is_manual: boolean;
  event_id: string;
  event_type: string;
  data: Record<string, unknown>;
  operation: string | null;
  occurred_at: Date;
  url: string;
  receiver: string;
  secret: string;
  previous_secret: string | null;
}

function loadedOf(row: LoadedRow): LoadedDelivery {
  return {
    deliveryId: row.delivery_id,
    requestId: row.request_id,
    isManual: row.is_manual,
    event: {
      eventId: row.event_id,
      eventType: row.event_type,
      data: row.data,
      operation: row.operation,
      occurredAt: row.occurred_at,
    },
    url: row.url,
    receiver: row.receiver,
    secrets: { present: row.secret, previous: row.previous_secret },
  };
}

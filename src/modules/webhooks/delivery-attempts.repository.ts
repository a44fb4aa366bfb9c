import { Injectable } from '@nestjs/common';
import { IsInt, IsUUID, Min } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../../database/account-databases';
import { asProperties } from '../../database/bounded-statements';
import { Clock } from '../../runtime/clock';
import { RequestBatcher } from '../../runtime/request-batcher';
import {
  ATTEMPT_DELAYS_MS,
  CHANGED_AT_ONCE_MAX,
  CLAIM_SECONDS,
  DISABLED_TEXT,
  EVENT_GONE_TEXT,
  FAILING_SECONDS_MAX,
  SWITCHED_OFF_TEXT,
} from './delivery.limits';
import type { SignedEvent } from './delivery-payload';

/** As valid UTF-8. Invalid bytes become U+FFFD, and so does NUL, which Postgres cannot store. */
export function keptText(bytes: Uint8Array, bytesMax: number): string {
  // As a stream the decoder leaves out an incomplete last character.
  const text = new TextDecoder('utf-8', { ignoreBOM: true })
    .decode(bytes.subarray(0, bytesMax), { stream: true })
    .replaceAll('\0', '\uFFFD');
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  return text.slice(0, read);
}

const TOGETHER_MAX = 300;

export class AttemptOrder {
  @IsUUID('loose') deliveryId!: string;
  @IsInt() @Min(1) attempt!: number;
}

export interface LoadedDelivery extends SignedEvent {
  deliveryId: string;
  /** The request that caused the event; null where none did, or it is unknown. */
  requestId: string | null;
  url: string;
  receiver: string;
}

/** Names and units are those of sql/deliveries_record.sql. */
export interface AttemptOutcome {
  id: string;
  attempt: number;
  startedAt: string;
  endedAt: string;
  durationMs: number;
  responseStatus: number | null;
  responseBody: string | null;
  errorMessage: string | null;
  url: string;
  receiver: string;
  offReason: string | null;
  /** Null where the attempt does not show the receiver's pace. */
  isSlow: boolean | null;
}

export type AttemptResult = 'success' | 'failed' | 'abandoned';

@Injectable()
export class AttemptsRepository {
  private readonly loads = new RequestBatcher(TOGETHER_MAX, (orders: AttemptOrder[]) => this.loadAll(orders));
  private readonly records = new RequestBatcher(TOGETHER_MAX, (outcomes: AttemptOutcome[]) =>
    this.recordAll(outcomes),
  );

  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  /** Null when the attempt is not to be made (any more): sql/deliveries_load.sql says when. */
  load(order: AttemptOrder): Promise<LoadedDelivery | null> {
    return this.loads.ask(order);
  }

  /** Null, and nothing written, when it is not the delivery's next attempt. */
  record(outcome: AttemptOutcome): Promise<AttemptResult | null> {
    return this.records.ask(outcome);
  }

  private async loadAll(orders: AttemptOrder[]): Promise<(LoadedDelivery | null)[]> {
    const idOf = ({ deliveryId }: AttemptOrder) => deliveryId;
    const rows = await this.inEach(orders, idOf, (database, together) =>
      database.query<LoadedDelivery[]>(LOAD, [
        together.map(idOf),
        together.map(({ attempt }) => attempt),
        SWITCHED_OFF_TEXT,
        EVENT_GONE_TEXT,
        this.clock.now(),
        CLAIM_SECONDS,
      ]),
    );
    const loaded = new Map(rows.map((row) => [row.deliveryId, row]));
    return orders.map(({ deliveryId }) => loaded.get(deliveryId) ?? null);
  }

  private async recordAll(outcomes: AttemptOutcome[]): Promise<(AttemptResult | null)[]> {
    const idOf = ({ id }: AttemptOutcome) => id;
    const rows = await this.inEach(outcomes, idOf, (database, together) =>
      database.query<{ delivery_id: string; result: AttemptResult }[]>(
        'SELECT * FROM deliveries_record($1, $2, $3, $4, $5, $6)',
        [
          JSON.stringify(together),
          ATTEMPT_DELAYS_MS,
          FAILING_SECONDS_MAX,
          CHANGED_AT_ONCE_MAX,
          DISABLED_TEXT,
          SWITCHED_OFF_TEXT,
        ],
      ),
    );
    const results = new Map(rows.map(({ delivery_id: id, result }) => [id, result]));
    return outcomes.map(({ id }) => results.get(id) ?? null);
  }

  /** One schema after the other, so that a process uses one connection. */
  private async inEach<Item, Row>(
    items: readonly Item[],
    idOf: (item: Item) => string,
    ask: (database: DataSource, together: Item[]) => Promise<Row[]>,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    for (const [database, together] of await this.databases.withEach('deliveries', items, idOf)) {
      rows.push(...(await ask(database, together)));
    }
    return rows;
  }
}

const LOADED = asProperties(
  `delivery_id, request_id, event_id, event_type, data, operation, occurred_at, url, receiver, secret, previous_secret`,
);
const LOAD = `
  SELECT ${LOADED} FROM deliveries_load($1, $2, $3, $4, $5, $6)
    JOIN (SELECT id AS event_id, request_id FROM events) AS caused USING (event_id)`;

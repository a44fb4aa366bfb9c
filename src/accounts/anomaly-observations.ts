import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import type { NewEvent } from '../events/outbox';
import type { KeyPrincipal } from './credentials';
import { HOUR_MS } from '../runtime/clock';

export const ANOMALY = 'anomaly.detected';

interface Anomaly {
  kind: 'invalid_credentials' | 'many_addresses';
  key: KeyPrincipal;
  count: number;
  hour: Date;
  detectedAt: Date;
}

/** Once for each key, kind and hour; held longer, as a replica may count the last calls late. */
export function anomalyDetected({ kind, key, count, hour, detectedAt }: Anomaly): NewEvent {
  return {
    accountId: key.accountId,
    type: ANOMALY,
    data: { user_id: key.accountId, access_key_id: key.id, kind, count, since: hour.toISOString() },
    operation: null,
    occurredAt: detectedAt,
    once: {
      mark: `${ANOMALY}:${kind}:${key.id}:${hour.toISOString()}`,
      heldUntil: new Date(hour.getTime() + 2 * HOUR_MS),
    },
  };
}

const KEPT_FOR_MS = 2 * HOUR_MS;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 100 };
const NAMED_KEYS_MAX = 5_000;

export interface KeyNamingCalls {
  key: KeyPrincipal;
  hour: Date;
  calls: number;
}

@Injectable()
export class Sightings {
  constructor(private readonly databases: AccountDatabases) {}

  /** By the beginning of the preview, which several keys may share; at most 5,000 keys. */
  async keysNamed(beginnings: readonly string[]): Promise<Map<string, KeyPrincipal[]>> {
    const rows: (KeyPrincipal & { beginning: string })[] = await this.databases.everyone.query(NAMED, [
      beginnings,
      NAMED_KEYS_MAX,
    ]);
    const named = new Map<string, KeyPrincipal[]>();
    for (const { beginning, ...key } of rows) {
      named.set(beginning, [...(named.get(beginning) ?? []), key]);
    }
    return named;
  }

  /** Returns the totals. Rows are locked by key and hour, so that replicas never deadlock. */
  async addCalls(manager: EntityManager, added: readonly KeyNamingCalls[]): Promise<KeyNamingCalls[]> {
    const accounts = new Map(added.map(({ key }) => [key.id, key]));
    const rows: { keyId: string; hour: Date; calls: number }[] = await manager.query(ADD_CALLS, [
      added.map(({ key }) => key.id),
      added.map(({ hour }) => hour),
      added.map(({ calls }) => calls),
    ]);
    return rows.flatMap(({ keyId, hour, calls }) => {
      const key = accounts.get(keyId);
      return key ? [{ key, hour, calls }] : [];
    });
  }

  /** The number of addresses in the hour, at most `countMax`; further ones are not stored. */
  async addAddress(
    manager: EntityManager,
    { keyId, hour, address, countMax }: { keyId: string; hour: Date; address: string; countMax: number },
  ): Promise<number> {
    const [row] = await manager.query<{ count: number }[]>(
      'SELECT sightings_add_address($1, $2, $3, $4) AS count',
      [keyId, hour, address, countMax],
    );
    return row?.count ?? 0;
  }

  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - KEPT_FOR_MS);
    return this.databases.deleteInEach(FORGET, before, { ...SWEEP_BATCHES, signal });
  }
}

const NAMED = `
  SELECT left(preview, 13) AS beginning, id, account_id AS "accountId" FROM access_keys
  WHERE left(preview, 13) = ANY ($1) LIMIT $2`;

const ADD_CALLS = `
  WITH counted AS (
    INSERT INTO sightings AS s (key_id, hour, kind, seen, calls)
    SELECT key_id, hour, 'invalid_credentials', '', sum(calls)
    FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[]) AS added (key_id, hour, calls)
    GROUP BY key_id, hour ORDER BY key_id, hour
    ON CONFLICT (key_id, hour, kind, seen) DO UPDATE SET calls = least(s.calls::bigint + excluded.calls, 2147483647)
    RETURNING key_id, hour, calls
  )
  SELECT key_id AS "keyId", hour, calls FROM counted ORDER BY key_id, hour`;

const FORGET = `
  DELETE FROM sightings WHERE (key_id, hour, kind, seen) IN (
    SELECT key_id, hour, kind, seen FROM sightings WHERE hour <= $1
    ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED)`;

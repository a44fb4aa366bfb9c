import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../database/account-databases';
import { EventSubscriptions, BackgroundEventWriter } from '../events/event-subscriptions';
import { type NewEvent, Outbox } from '../events/outbox';
import { fingerprint, type KeyPrincipal } from './credentials';
import { addressBlock } from '../http/http-server';
import { HOUR_MS } from '../runtime/clock';

export const ANOMALY = 'anomaly.detected';

interface Anomaly {
  kind: 'invalid_credentials' | 'many_addresses';
  key: KeyPrincipal;
  /** Calls with wrong secrets, or addresses, in the hour so far. */
  count: number;
  hour: Date;
  detectedAt: Date;
}

/** The full hour (UTC) of a time. What is unusual is counted by these. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
}

/** Once for each key, kind and hour. Held for longer, because a replica may count the last calls of the hour late. */
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

/** As long as a replica may count the last calls of an hour late. */
const KEPT_FOR_MS = 2 * HOUR_MS;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 100 };
const NAMED_KEYS_MAX = 5_000;

export interface NamingCalls {
  key: KeyPrincipal;
  hour: Date;
  calls: number;
}

@Injectable()
export class Sightings {
  constructor(private readonly databases: AccountDatabases) {}

  /** The keys by the beginnings of their previews, which several may share; at most 5,000 keys. */
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

  /** Returns all calls so far. Rows are locked in the order of keys and hours, so that replicas never deadlock. */
  async addCalls(manager: EntityManager, added: readonly NamingCalls[]): Promise<NamingCalls[]> {
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

  /** Gives how many addresses are known in the hour, at most `countMax`; no more than these are noted. */
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

  /** Forgets hours that are over for an hour, at most 500,000 rows of each schema in one run. */
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

const USUAL_ADDRESSES_MAX = 10;
const KEYS_MAX = 10_000;

interface SeenAddresses {
  readonly hour: Date;
  readonly endMs: number;
  readonly fingerprints: Set<string>;
  latest: string | null;
}

/** Only a first call from an address costs more than a look into memory. Postgres counts for all replicas. */
@Injectable()
export class KeyAddresses {
  private readonly ofKeys = new LRUCache<string, SeenAddresses>({ max: KEYS_MAX });

  constructor(
    private readonly subscriptions: EventSubscriptions,
    private readonly writes: BackgroundEventWriter,
    private readonly sightings: Sightings,
    private readonly outbox: Outbox,
    private readonly databases: AccountDatabases,
  ) {}

  /** For a call with a valid key. Returns at once and never throws. */
  note(key: KeyPrincipal, address: string, at: Date): void {
    if (this.subscriptions.cached(key.accountId, ANOMALY, at.getTime()) === false) {
      return;
    }
    const seen = this.seenOf(key.id, at);
    const { hour, fingerprints } = seen;
    if (fingerprints.size > USUAL_ADDRESSES_MAX || seen.latest === address) {
      return;
    }
    // Short, however long the text is that a proxy gives for an address.
    const block = fingerprint(`${key.id} ${addressBlock(address)}`);
    if (fingerprints.has(block)) {
      return;
    }
    fingerprints.add(block);
    // Most calls come from the address of the one before. A copy, because the text may be a part of a long header.
    seen.latest = Buffer.from(address).toString();
    this.writes.begin({
      accountId: key.accountId,
      type: ANOMALY,
      write: () => this.write(key, block, { hour, detectedAt: at }),
      undone: () => {
        fingerprints.delete(block);
        seen.latest = null;
      },
    });
  }

  /** A call that began before the hour and was let in after it counts with the new one. */
  private seenOf(keyId: string, at: Date): SeenAddresses {
    let seen = this.ofKeys.get(keyId);
    if (!seen || at.getTime() >= seen.endMs) {
      const hour = hourOf(at);
      seen = { hour, endMs: hour.getTime() + HOUR_MS, fingerprints: new Set(), latest: null };
      this.ofKeys.set(keyId, seen);
    }
    return seen;
  }

  private async write(
    key: KeyPrincipal,
    address: string,
    { hour, detectedAt }: { hour: Date; detectedAt: Date },
  ): Promise<void> {
    await this.databases.of(key.accountId).transaction(async (manager) => {
      const sighting = { keyId: key.id, hour, address, countMax: USUAL_ADDRESSES_MAX + 1 };
      const count = await this.sightings.addAddress(manager, sighting);
      if (count > USUAL_ADDRESSES_MAX) {
        const anomaly = { kind: 'many_addresses', key, count, hour, detectedAt } as const;
        await this.outbox.write(manager, anomalyDetected(anomaly));
      }
    });
  }
}

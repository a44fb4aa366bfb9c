import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { inBatches } from '../../../infrastructure/database/in-batches';
import type { KeyPrincipal } from '../access-keys/key-principal';

/** Longer than their hour, as long as a replica may count its last calls late. */
const KEPT_FOR_MS = 2 * 60 * 60 * 1000;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 100 };
const NAMED_KEYS_MAX = 5_000;

/** So many calls of an hour, with secrets that no key has, named this key. */
export interface NamingCalls {
  key: KeyPrincipal;
  hour: Date;
  calls: number;
}

/** What was seen of keys in an hour, counted for all replicas together. */
@Injectable()
export class Sightings {
  constructor(private readonly database: DataSource) {}

  /**
   * The keys whose previews begin with one of these texts, by that text. Several keys may share one; of more than 5,000
   * keys in all the rest is left out.
   */
  async keysNamed(beginnings: readonly string[]): Promise<Map<string, KeyPrincipal[]>> {
    const rows: NamedRow[] = await this.database.query(NAMED, [beginnings, NAMED_KEYS_MAX]);
    const named = new Map<string, KeyPrincipal[]>();
    for (const { beginning, id, account_id: accountId } of rows) {
      named.set(beginning, [...(named.get(beginning) ?? []), { id, accountId }]);
    }
    return named;
  }

  /**
   * Adds calls to those that named a key in an hour. Rows are locked in the order of their keys and hours, so that
   * replicas never deadlock.
   * @returns for each key and hour all calls so far, in the same order
   */
  async addCalls(manager: EntityManager, added: readonly NamingCalls[]): Promise<NamingCalls[]> {
    const accounts = new Map(added.map(({ key }) => [key.id, key]));
    const rows: CallsRow[] = await manager.query(ADD_CALLS, [
      added.map(({ key }) => key.id),
      added.map(({ hour }) => hour),
      added.map(({ calls }) => calls),
    ]);
    return rows.flatMap(({ key_id: id, hour, calls }) => {
      const key = accounts.get(id);
      return key ? [{ key, hour, calls }] : [];
    });
  }

  /**
   * Notes that a key was used from an address, unless `countMax` addresses are known in the hour already.
   * @param address any text that stands for the address
   * @returns how many are known now, at most `countMax`
   */
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

  /** Forgets what was seen in hours that are over for an hour, at most 500,000 rows in one run, and returns how many. */
  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - KEPT_FOR_MS);
    return inBatches({ ...SWEEP_BATCHES, signal }, async (sizeMax) => {
      const deleted: [unknown, number] = await this.database.query(FORGET, [before, sizeMax]);
      return deleted[1];
    });
  }
}

interface NamedRow {
  beginning: string;
  id: string;
  account_id: string;
}

interface CallsRow {
  key_id: string;
  hour: Date;
  calls: number;
}

const NAMED = `
  SELECT left(preview, 13) AS beginning, id, account_id FROM access_keys
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
  SELECT * FROM counted ORDER BY key_id, hour`;

const FORGET = `
  DELETE FROM sightings WHERE (key_id, hour, kind, seen) IN (
    SELECT key_id, hour, kind, seen FROM sightings WHERE hour <= $1
    ORDER BY hour LIMIT $2 FOR UPDATE SKIP LOCKED)`;

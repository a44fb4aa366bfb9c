import type { EntityManager } from 'typeorm';
import { Conflict } from '../errors/api-errors';
import { SessionEnded } from './credentials';

/** Five keys of the largest cap: the most that a browser left open can lose, as no password is asked. */
const DAY_CAPS_NANO_MAX = 50_000_000_000n;

const KEYS_MAX = 5;

/**
 * Locks the account, then keys, as the ledger does. Announce it.
 * @param endedBy null for all; otherwise those that have ended, and of five that work the one whose last use is longest ago: pages
 * that went away without a word may have left them
 */
export async function removePlaygroundKeys(
  manager: EntityManager,
  accountId: string,
  endedBy: Date | null,
): Promise<void> {
  await manager.query(REMOVE, [accountId, endedBy, KEYS_MAX - 1]);
}

export interface KeyMaker {
  tokenVersion: number;
  sessionId: string | null;
}

/** Needs the account's lock: a key made after the session's end would outlive it. @throws SessionEnded */
export async function refuseEndedMaker(
  manager: EntityManager,
  accountId: string,
  { tokenVersion, sessionId }: KeyMaker,
): Promise<void> {
  const found: unknown[] = await manager.query(MAKER, [accountId, tokenVersion, sessionId]);
  if (found.length === 0) {
    throw new SessionEnded();
  }
}

const MAKER = `
  SELECT FROM accounts WHERE id = $1 AND is_active AND token_version = $2
    AND ($3::uuid IS NULL OR EXISTS (SELECT FROM console_sessions WHERE id = $3 AND account_id = $1))`;

/** The whole cap counts. Needs the account's lock. @throws Conflict beyond 50 USD a day */
export async function addPlaygroundCap(
  manager: EntityManager,
  accountId: string,
  capNano: bigint,
  now: Date,
): Promise<void> {
  const parameters = [accountId, now, capNano.toString(), DAY_CAPS_NANO_MAX.toString()];
  const [, added]: [unknown, number] = await manager.query(ADD_CAP, parameters);
  if (added === 0) {
    throw new Conflict(
      'Keys of the playground may spend 50 USD on a day of UTC, and those of this day have as much in their caps.',
    );
  }
}

/** A slow clock adds to the day that has begun for others. */
const ADD_CAP = `
  UPDATE accounts AS a SET playground_day = day.latest, playground_nano = day.nano + $3
  FROM (
    SELECT greatest(playground_day, present) AS latest, CASE WHEN playground_day >= present THEN playground_nano ELSE 0 END AS nano
    FROM accounts, LATERAL (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS present) AS clock WHERE id = $1
  ) AS day
  WHERE a.id = $1 AND day.nano + $3 <= $4`;

const REMOVE = `
  WITH kept AS MATERIALIZED (
    SELECT id FROM access_keys WHERE account_id = $1 AND is_playground AND is_active AND expires_at > $2
    ORDER BY greatest(created_at, last_used_at) DESC, id DESC LIMIT $3
  ), removed AS MATERIALIZED (
    SELECT id FROM access_keys
    WHERE account_id = $1 AND is_playground AND ($2::timestamptz IS NULL OR id NOT IN (SELECT id FROM kept))
    ORDER BY id FOR UPDATE
  ), secrets AS (
    DELETE FROM replaced_secrets WHERE key_id IN (SELECT id FROM removed)
  )
  DELETE FROM access_keys WHERE account_id = $1 AND id IN (SELECT id FROM removed)`;

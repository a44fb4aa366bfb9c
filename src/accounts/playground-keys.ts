import type { EntityManager } from 'typeorm';
import { Conflict } from '../errors/api-errors';
import { SessionEnded } from './credentials';

/**
 * What an account's keys of the playground may spend together on a day of UTC: five with the largest cap. For these no password is asked
 * again, so it is what somebody loses by a browser that was left.
 */
const DAY_CAPS_NANO_MAX = 50_000_000_000n;

/**
 * Removes an account's keys of the playground with all their secrets. To be called with the account's row locked. The ledger locks
 * keys in this order too.
 * @param endedBy those alone that have ended by then; null for all of them, of which all processes have to be told
 */
export async function removePlaygroundKeys(
  manager: EntityManager,
  accountId: string,
  endedBy: Date | null,
): Promise<void> {
  await manager.query(REMOVE, [accountId, endedBy]);
}

/** What a key of the playground is made with, and ends with. */
export interface KeyMaker {
  tokenVersion: number;
  /** Null where it is an account token. */
  sessionId: string | null;
}

/**
 * To be called with the account's row locked, as it is by whoever ends a session or all tokens: a key that was made afterwards would
 * outlive them.
 * @throws SessionEnded
 */
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

/**
 * Adds a key's cap to those of the day, whether it will be spent or not. Such keys end with their day, so that nothing of them is spent on
 * another. To be called with the account's row locked, in the transaction that makes the key.
 * @throws Conflict where these would be more than 50 USD
 */
export async function addPlaygroundCap(
  manager: EntityManager,
  accountId: string,
  capNano: bigint,
  now: Date,
): Promise<void> {
  const asked = [accountId, now, capNano.toString(), DAY_CAPS_NANO_MAX.toString()];
  const [, added]: [unknown, number] = await manager.query(ADD_CAP, asked);
  if (added === 0) {
    throw new Conflict(
      'Keys of the playground may spend 50 USD on a day of UTC, and those of this day have as much in their caps.',
    );
  }
}

/** A process whose clock is behind adds to the day that has begun for others. */
const ADD_CAP = `
  UPDATE accounts AS a SET playground_day = day.latest, playground_nano = day.nano + $3
  FROM (
    SELECT greatest(playground_day, present) AS latest, CASE WHEN playground_day >= present THEN playground_nano ELSE 0 END AS nano
    FROM accounts, LATERAL (SELECT ($2::timestamptz AT TIME ZONE 'UTC')::date AS present) AS clock WHERE id = $1
  ) AS day
  WHERE a.id = $1 AND day.nano + $3 <= $4`;

const REMOVE = `
  WITH removed AS MATERIALIZED (
    SELECT id FROM access_keys
    WHERE account_id = $1 AND is_playground AND ($2::timestamptz IS NULL OR NOT is_active OR expires_at <= $2)
    ORDER BY id FOR UPDATE
  ), secrets AS (
    DELETE FROM replaced_secrets WHERE key_id IN (SELECT id FROM removed)
  )
  DELETE FROM access_keys WHERE account_id = $1 AND id IN (SELECT id FROM removed)`;

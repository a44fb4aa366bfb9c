import type { EntityManager } from 'typeorm';
import { EVENTS_KEPT_MS } from './room-bounds';

/**
 * Deleted rooms leave the highest place and version of their account behind. A room that is made later begins after them, so
 * that who comes back to a name with a place or a version of the room that was deleted gets the state, and nothing of it passes
 * for what it has seen.
 */
export interface RoomBeginning {
  seq: string;
  version: string;
}

/** Where a new room of the account begins: at 0 as long as no room of it was deleted. */
export async function beginningOf(manager: EntityManager, accountId: string): Promise<RoomBeginning> {
  const [row]: RoomBeginning[] = await manager.query(
    'SELECT seq + 1 AS seq, version + 1 AS version FROM forgotten_rooms WHERE account_id = $1',
    [accountId],
  );
  return row ?? { seq: '0', version: '0' };
}

/**
 * Deletes the room of the account that was left alone for longest, of those that hold nothing: nobody is there, the state is
 * empty, and what was said is not kept any more.
 * @returns whether there was one
 */
export async function forgetEmptyRoom(
  manager: EntityManager,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const [row]: { rooms: string }[] = await manager.query(FORGET_EMPTY, [
    new Date(now.getTime() - EVENTS_KEPT_MS),
    accountId,
  ]);
  return Number(row?.rooms) > 0;
}

const NOBODY_IS_THERE = `
  NOT EXISTS (SELECT FROM room_members AS m WHERE m.account_id = rooms.account_id AND m.room = rooms.name)`;

// The time is compared again in the outer statement, which sees a row that was locked as it became: a room that somebody
// entered meanwhile is kept. The beginnings are written in one order, in which two sweeps at once can't wait for each other.
const forgetting = (chosen: string) => `
  WITH gone AS (
    DELETE FROM rooms WHERE used_at <= $1 AND (account_id, name) IN (
      SELECT account_id, name FROM rooms WHERE used_at <= $1 AND ${NOBODY_IS_THERE} ${chosen})
    RETURNING account_id, seq, version
  ), kept AS (
    INSERT INTO forgotten_rooms (account_id, seq, version)
    SELECT account_id, max(seq), max(version) FROM gone GROUP BY account_id ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET
      seq = greatest(forgotten_rooms.seq, excluded.seq),
      version = greatest(forgotten_rooms.version, excluded.version)
  )
  SELECT count(*) AS rooms FROM gone`;

/** Deletes at most $2 rooms that nobody has entered since $1; answers how many. */
export const FORGET_ROOMS = forgetting('LIMIT $2');

const FORGET_EMPTY = forgetting(
  `AND account_id = $2 AND state = '{}' ORDER BY used_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

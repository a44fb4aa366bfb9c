import type { EntityManager } from 'typeorm';

/** How long others wait for a process that is not heard of, by the database's clock. */
export const VALID_FOR_MS = 2_000;
/** Whoever was not heard of for so long, by the database's clock, counts as gone, and its calls are ended. */
export const SILENT_FOR_SECONDS = 40;

const VALID_UNTIL = `clock_timestamp() + interval '${VALID_FOR_MS} milliseconds'`;

const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms';

/** Held by the session of the one process that leads. Who asked while it holds it would have to give it back twice. */
const LEAD = 7_310_004;

const LEADS = `CASE WHEN $2 THEN pg_try_advisory_lock(${LEAD}) ELSE false END AS leads`;

const WORKERS = `CASE WHEN $3 THEN (
    SELECT count(*)::integer FROM processes WHERE works AND valid_until > clock_timestamp()
  ) ELSE 0 END AS workers`;

export const RESIGN = `SELECT pg_advisory_unlock(${LEAD})`;

export const REGISTER = `
  INSERT INTO processes AS p (id, heartbeat_at, valid_until, works) VALUES ($1, clock_timestamp(), ${VALID_UNTIL}, $3)
  ON CONFLICT (id) DO UPDATE SET heartbeat_at = excluded.heartbeat_at, valid_until = ${VALID_UNTIL}, works = $3
  WHERE NOT p.is_dead
  RETURNING must_reread, ${NOW_MS}, ${LEADS}, ${WORKERS}`;

/** What a heartbeat answers. */
export interface Heartbeat {
  must_reread: boolean;
  now_ms: number;
  leads: boolean;
  workers: number;
}

// A process that was told to read everything anew is not heard of until it says that it does ($4). One that others have ended
// has no row to update.
export const HEARTBEAT = `
  UPDATE processes AS p SET
    heartbeat_at = clock_timestamp(),
    valid_until = CASE WHEN p.must_reread AND NOT $4 THEN p.valid_until ELSE ${VALID_UNTIL} END,
    must_reread = p.must_reread AND NOT $4,
    works = $3
  WHERE id = $1 AND NOT is_dead RETURNING must_reread, ${NOW_MS}, ${LEADS}, ${WORKERS}`;

export const LEAVE = `
  UPDATE processes SET heartbeat_at = clock_timestamp() - interval '${SILENT_FOR_SECONDS} seconds', valid_until = '-infinity'
  WHERE id = $1`;

export const HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id <> ALL($1::uuid[])`;

export const STILL_HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id = ANY($1::uuid[])`;

export const TELL_TO_REREAD = `UPDATE processes SET must_reread = true WHERE id = ANY($1::uuid[])`;

export const STILL_TO_REREAD = `${STILL_HEARD} AND must_reread`;

/** Carries the id of a change and of its account; each process that hears it acknowledges it. */
export const ACCESS_CHANGED = 'access_changed';
/** Carries the id of a change and of the process that knows it. */
export const ACKNOWLEDGED = 'access_acknowledged';

/** Announces a change, in the transaction that makes it. */
export type Announce = (manager: Pick<EntityManager, 'query'>) => Promise<void>;

export function announcing(accountId: string, changeId: string): Announce {
  return async (manager) => {
    await manager.query('SELECT pg_notify($1, $2)', [ACCESS_CHANGED, `${changeId} ${accountId}`]);
  };
}

import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseAway } from '../errors/api-errors';
import { untilWoken } from './connection-pool';

/** How long others wait for a silent process, by the database's clock. */
export const VALID_FOR_MS = 2_000;
/** After this silence, by the database's clock, a process counts as gone and its calls are ended. */
export const SILENT_FOR_SECONDS = 40;

const VALID_UNTIL = `clock_timestamp() + interval '${VALID_FOR_MS} milliseconds'`;

const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms';

/** Held by the leader's session. Asking again would need a second release. */
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

export interface Heartbeat {
  must_reread: boolean;
  now_ms: number;
  leads: boolean;
  workers: number;
}

// A process told to reread counts as silent until it has ($4). An ended one has no row to update.
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

/** The time that calls have to end before the change that ends them is acknowledged. */
export const ENDED_WITHIN_MS = 1_000;
/** A process that has not acknowledged by then is told by its heartbeat to reread everything. */
const TOLD_TO_REREAD_AFTER_MS = ENDED_WITHIN_MS + 200;
const LOOKED_AT_EVERY_MS = 100;
const KNOWN_WITHIN_MS = 10_000;

const HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id <> ALL($1::uuid[])`;

const STILL_HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id = ANY($1::uuid[])`;

const TELL_TO_REREAD = `UPDATE processes SET must_reread = true WHERE id = ANY($1::uuid[])`;

const STILL_TO_REREAD = `${STILL_HEARD} AND must_reread`;

/** Payload: change id and account id; each process acknowledges it. */
export const ACCESS_CHANGED = 'access_changed';
/** Payload: change id and the id of the process that knows it. */
export const ACKNOWLEDGED = 'access_acknowledged';

export type Announce = (manager: Pick<EntityManager, 'query'>) => Promise<void>;

export function announcing(accountId: string, changeId: string): Announce {
  return async (manager) => {
    await manager.query('SELECT pg_notify($1, $2)', [ACCESS_CHANGED, `${changeId} ${accountId}`]);
  };
}

/**
 * @param ownId this process, which has carried the change out
 * @param knownBy processes that acknowledged
 * @param waiting functions that acknowledgements call
 * @throws DatabaseAway if uncertain after ten seconds
 */
export async function untilKnown(
  database: DataSource,
  ownId: string,
  knownBy: ReadonlySet<string>,
  waiting: Set<() => void>,
): Promise<void> {
  const beganMs = performance.now();
  const ids = async (question: string, parameters: unknown[]) =>
    (await database.query<{ id: string }[]>(question, parameters)).map(({ id }) => id);
  let pending = await ids(HEARD, [[ownId]]);
  let question = STILL_HEARD;
  for (;;) {
    pending = pending.filter((id) => !knownBy.has(id));
    if (pending.length === 0) {
      return;
    }
    const waitedMs = performance.now() - beganMs;
    if (waitedMs > KNOWN_WITHIN_MS) {
      throw new DatabaseAway();
    }
    const lookAtMs = performance.now() + LOOKED_AT_EVERY_MS;
    await untilWoken(waiting, lookAtMs, () => new DatabaseAway()).catch(() => undefined);
    if (pending.some((id) => !knownBy.has(id))) {
      if (question === STILL_HEARD && waitedMs > TOLD_TO_REREAD_AFTER_MS) {
        await database.query(TELL_TO_REREAD, [pending]);
        // A process that has reread everything has cleared must_reread.
        question = STILL_TO_REREAD;
      }
      pending = await ids(question, [pending]);
    }
  }
}

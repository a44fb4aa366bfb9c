import type { DataSource, EntityManager } from 'typeorm';
import { DatabaseAway } from '../errors/api-errors';
import { untilWoken } from './connection-pool';

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

/** How long the calls that a change ends are waited for before it is acknowledged. */
export const ENDED_WITHIN_MS = 1_000;
/** After that time whoever has not acknowledged a change is told by its heartbeat to read everything anew. */
const TOLD_TO_REREAD_AFTER_MS = ENDED_WITHIN_MS + 200;
const LOOKED_AT_EVERY_MS = 100;
const KNOWN_WITHIN_MS = 10_000;

const HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id <> ALL($1::uuid[])`;

const STILL_HEARD = `SELECT id FROM processes WHERE valid_until > clock_timestamp() AND id = ANY($1::uuid[])`;

const TELL_TO_REREAD = `UPDATE processes SET must_reread = true WHERE id = ANY($1::uuid[])`;

const STILL_TO_REREAD = `${STILL_HEARD} AND must_reread`;

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

/**
 * Resolves when each process has acknowledged a change, or was not heard of for two seconds.
 * @param ownId of this process, which has carried the change out. @param knownBy those that have acknowledged it
 * @param waiting holds what another acknowledgement calls
 * @throws DatabaseAway where that is not certain within ten seconds
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
        // Who has read everything anew has taken the word back.
        question = STILL_TO_REREAD;
      }
      pending = await ids(question, [pending]);
    }
  }
}

import { ANSWER_WITHIN_MS, type DatabaseUrl, STATEMENT_MS_MAX, within } from './connection-pool';
import { DatabaseUnreachable } from './driver-errors';
import { PrimaryClient } from './primary-client';

/** The service could not work through the pooler that DATABASE_URL leads to. The message tells the operator what to do. */
export class UnfitPooler extends Error {
  constructor(fault: string) {
    super(`DATABASE_URL and DATABASE_SESSION_URL: ${fault}`);
    this.name = new.target.name;
  }
}

interface Place {
  database: string;
  role: string;
  started_at: string;
  statement_ms_max: number;
}

const PLACE = `
  SELECT current_database() AS database, session_user AS role, pg_postmaster_start_time()::text AS started_at,
    setting::integer AS statement_ms_max FROM pg_settings WHERE name = 'statement_timeout'`;

/**
 * Through the pooler the service ends sessions that it opened beside it, which takes the same role; and nothing but the role's
 * own setting bounds statements that come through it, because a pooler refuses such settings of a connection.
 * @throws UnfitPooler where both addresses do not lead to one database by one role, or the role has no such setting
 * @throws DatabaseUnreachable where one of them leads nowhere
 */
export async function requireFitPooler({ value, session, isPooled }: DatabaseUrl): Promise<void> {
  if (!isPooled) {
    return;
  }
  const [pooled, own] = await Promise.all([placeOf(value), placeOf(session)]);
  if (pooled.database !== own.database || pooled.started_at !== own.started_at) {
    throw new UnfitPooler('they lead to different databases');
  }
  if (pooled.role !== own.role) {
    throw new UnfitPooler(`they lead there by different roles, ${pooled.role} and ${own.role}`);
  }
  if (pooled.statement_ms_max === 0 || pooled.statement_ms_max > STATEMENT_MS_MAX) {
    throw new UnfitPooler(
      `statements through the pooler are not bounded to ${STATEMENT_MS_MAX} ms. Run ALTER ROLE "${pooled.role}" IN DATABASE ` +
        `"${pooled.database}" SET statement_timeout = '${STATEMENT_MS_MAX}ms', and let the pooler connect anew`,
    );
  }
}

async function placeOf(url: string): Promise<Place> {
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await within(ANSWER_WITHIN_MS, client, client.query<Place>(PLACE));
    await client.end();
    return rows[0] as Place;
  } catch (cause) {
    throw new DatabaseUnreachable(cause);
  }
}

import { join } from 'node:path';
import { newId } from '../../src/runtime/ids';
import { createAccounts } from '../accounts';
import { withClient, type BenchPostgres } from '../bench-postgres';
import { BODY } from '../echo';
import { ECHO_PATH } from '../metered-echo';
import { createMigratedDatabase } from '../migrated-database';
import { ECHO_ANSWER, METERED_ENVIRONMENT, type LoadedTarget } from '../running-target';
import { startServer, type ServerProcess } from '../server-process';

const OTHERS = 900;
/** Of the mixed load every tenth call is the one account's, so that most flushes carry some of them. */
const ONE_IN = 10;

/** A service with many accounts that nobody watches, and one further account, which may have a webhook. */
export interface WatchedServer {
  server: ServerProcess;
  /** The same calls on both servers: those of the others alone, of the one account among them, and of it alone. */
  others: LoadedTarget;
  mixed: LoadedTarget;
  own: LoadedTarget;
  /** How many charges the one account has had, and how many rows of events they wrote. */
  written(): Promise<{ charges: number; events: number }>;
}

/** Starts the real service on a database of its own. With a subscription its name and those of its targets say so. */
export async function startWatched(postgres: BenchPostgres, isSubscribed: boolean): Promise<WatchedServer> {
  const suffix = isSubscribed ? 'subscribed' : 'nobody';
  const databaseUrl = await createMigratedDatabase(postgres, `events-${suffix}`);
  const [one, ...others] = await createAccounts(databaseUrl, OTHERS + 1);
  if (!one) {
    throw new Error('no account was made');
  }
  if (isSubscribed) {
    await subscribe(databaseUrl, one.accountId);
  }
  const environment = { DATABASE_URL: databaseUrl, ...METERED_ENVIRONMENT };
  const server = await startServer(join(__dirname, '..', 'metered-server.js'), environment);
  const target = (name: string, keys: string[]): LoadedTarget => ({
    target: { name: `${name}-${suffix}` },
    server,
    call: { method: 'POST', url: server.url + ECHO_PATH, body: BODY, keys },
    answer: ECHO_ANSWER,
  });
  const keys = others.map(({ secret }) => secret);
  const mixed = keys.flatMap((key, index) => (index % (ONE_IN - 1) === 0 ? [one.secret, key] : [key]));
  return {
    server,
    others: target('others', keys),
    mixed: target('mixed', mixed),
    own: target('own', [one.secret]),
    written: async () => {
      const { rows } = await withClient(databaseUrl, (client) =>
        client.query<{ charges: number; events: number }>(WRITTEN, [one.accountId]),
      );
      return rows[0] ?? { charges: 0, events: 0 };
    },
  };
}

/** A webhook for all types of events. Nothing is delivered: no relay runs, so it is the charge alone that is measured. */
async function subscribe(databaseUrl: string, accountId: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    await client.query(WEBHOOK, [newId(), accountId]);
    await client.query('SELECT webhook_subscriptions($1)', [accountId]);
  });
}

const WEBHOOK = `
  INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
  VALUES ($1, $2, 'https://receiver.example/', 'receiver.example:443', '{*}', 'a secret for the benchmark', true, now())`;

const WRITTEN = `
  SELECT (SELECT count(*) FROM ledger_entries WHERE account_id = $1 AND type = 'charge')::integer AS charges,
    (SELECT count(*) FROM events WHERE account_id = $1)::integer AS events`;

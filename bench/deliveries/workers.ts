import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { newWebhookSecret } from '../../src/modules/webhooks/webhooks.repository';
import { newId } from '../../src/runtime/ids';
import { createAccounts } from '../accounts';
import type { BenchPostgres } from '../bench-postgres';
import { createMigratedDatabase } from '../migrated-database';
import { METERED_ENVIRONMENT } from '../running-target';
import { startFlags, startServer, type ServerProcess } from '../server-process';
import { nowMs } from './arrivals';
import { EXAMPLE_DATA, EXAMPLE_TYPE } from './example-event';

export const ACCOUNTS = 200;
/** Outcomes are written within moments of the arrival. */
const SETTLED_WITHIN_MS = 30_000;

export type Backend = 'Postgres' | 'Redis';

/** One worker with a database of its own. */
export class BenchWorker {
  private constructor(
    readonly backend: Backend,
    readonly server: ServerProcess,
    private readonly client: Client,
    private readonly accountIds: string[],
  ) {}

  /** Starts the compiled service as a worker, on a database whose accounts have a webhook each. */
  static async start(
    postgres: BenchPostgres,
    redisUrl: string | null,
    receivers: string[],
  ): Promise<BenchWorker> {
    const backend = redisUrl === null ? 'Postgres' : 'Redis';
    const databaseUrl = await createMigratedDatabase(postgres, `deliveries-${backend.toLowerCase()}`);
    const accountIds = (await createAccounts(databaseUrl, ACCOUNTS)).map(({ accountId }) => accountId);
    const client = new Client({ connectionString: databaseUrl });
    // A connection that breaks also fails the query that runs on it, and that is where the error is reported.
    client.on('error', () => undefined);
    await client.connect();
    try {
      await addWebhooks(client, accountIds, receivers);
      const environment = {
        ...METERED_ENVIRONMENT,
        DATABASE_URL: databaseUrl,
        ROLE: 'worker',
        ALLOW_INSECURE_WEBHOOKS: 'true',
        ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
      };
      const flags = startFlags('.');
      const server = await startServer(join(__dirname, 'worker.js'), environment, flags, null);
      return new BenchWorker(backend, server, client, accountIds);
    } catch (error) {
      await client.end();
      throw error;
    }
  }

  /**
   * Writes so many events, of the accounts in turn from the given one on, in one commit. Returns their ids and when the
   * commit was begun.
   */
  async write(count: number, firstAccount = 0): Promise<{ ids: string[]; atMs: number }> {
    const ids = Array.from({ length: count }, () => randomUUID());
    const accountIds = ids.map((_, index) => this.accountIds[(firstAccount + index) % ACCOUNTS]);
    await this.client.query('BEGIN');
    await this.client.query(EVENTS, [ids, accountIds, EXAMPLE_TYPE, JSON.stringify(EXAMPLE_DATA)]);
    const atMs = nowMs();
    await this.client.query('COMMIT');
    return { ids, atMs };
  }

  /** How many events and deliveries still wait, and how many deliveries are over without success. */
  async state(): Promise<{ open: number; failed: number }> {
    const { rows } = await this.client.query<{ open: number; failed: number }>(STATE);
    return rows[0] ?? { open: 0, failed: 0 };
  }

  /** Resolves when all outcomes are written down. @throws Error when they are not within half a minute */
  async settled(): Promise<void> {
    const untilMs = nowMs() + SETTLED_WITHIN_MS;
    while ((await this.state()).open > 0) {
      if (nowMs() > untilMs) {
        throw new Error(`${this.backend}: deliveries that arrived were not recorded`);
      }
      await delay(100);
    }
  }

  async stop(): Promise<void> {
    await this.client.end();
    await this.server.stop();
  }
}

/** The accounts take the receivers in turn. */
async function addWebhooks(client: Client, accountIds: string[], receivers: string[]): Promise<void> {
  const urls = accountIds.map((_, index) => receivers[index % receivers.length] ?? '');
  await client.query(WEBHOOKS, [
    accountIds.map(() => newId()),
    accountIds,
    urls,
    urls.map((url) => new URL(url).host),
    newWebhookSecret(),
  ]);
  await client.query('SELECT webhook_subscriptions(id) FROM unnest($1::uuid[]) AS id', [accountIds]);
}

const WEBHOOKS = `
  INSERT INTO webhooks (id, account_id, url, receiver, events, secret, is_active, created_at)
  SELECT id, account_id, url, receiver, '{*}', $5, true, now()
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) AS webhook (id, account_id, url, receiver)`;

const EVENTS = `
  INSERT INTO events (id, account_id, event_type, data, occurred_at)
  SELECT id, account_id, $3, $4, clock_timestamp()
  FROM unnest($1::uuid[], $2::uuid[]) AS event (id, account_id)`;

const STATE = `
  SELECT (SELECT count(*) FROM events WHERE relayed_at IS NULL)::integer
      + (SELECT count(*) FROM deliveries WHERE stage <> 'over')::integer AS open,
    (SELECT count(*) FROM deliveries WHERE stage = 'over' AND status <> 'success')::integer AS failed`;

import { Client } from 'pg';
import { cut, within } from '../../../../infrastructure/database/cut-connection';
import { KEEP_ALIVE_AFTER_MS } from '../../../../infrastructure/database/deadlines';
import { isFaultOfOne } from '../../../../infrastructure/database/driver-errors';
import type { FlushRow } from './flush-answer';
import { FLUSH } from './flush-parameters';

const CONNECT_WITHIN_MS = 5_000;
const LOCKED_MS_MAX = 1_000;
/** The server gives up before this process does, so that its answer tells that nothing was done. */
const STATEMENT_MS_MAX = 8_000;
const FLUSHED_WITHIN_MS = 10_000;

const SETTINGS = `
  SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET lock_timeout = ${LOCKED_MS_MAX}; SET statement_timeout = ${STATEMENT_MS_MAX}`;

// The rows that this locks are free again when the statement ends.
const UNLOCKED = `
  SELECT account_id FROM balances WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`;

const BACKEND = `
  SELECT pid, backend_start::text AS started_at FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

/** Keeps the driver from parsing values: arrays and JSON stay texts. */
const AS_TEXT = { getTypeParser: () => (text: string) => text };

/** A server process. Its start tells it from a later process with the same number. */
export interface Backend {
  pid: number;
  started_at: string;
}

/**
 * The connection broke. `backend` is set when a statement was under way, which it may have committed or may still
 * commit.
 */
export class ConnectionLost extends Error {
  constructor(
    readonly backend: Backend | null,
    cause: unknown,
  ) {
    super('the connection to the database was lost', { cause });
  }
}

/** A connection that only flushes use, so that their statement is prepared and planned once. */
export class FlushConnection {
  private client: Client | null = null;
  private backend: Backend | null = null;

  constructor(private readonly url: string) {}

  /**
   * Connects unless it is connected.
   * @throws ConnectionLost without a backend when the database cannot be reached
   */
  async connect(): Promise<void> {
    if (this.client) {
      return;
    }
    const client = new Client({
      connectionString: this.url,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'ledger',
    });
    client.on('error', () => this.forget(client));
    client.on('end', () => this.forget(client));
    try {
      await client.connect();
      await within(CONNECT_WITHIN_MS, client, client.query(SETTINGS));
      const { rows } = await within(CONNECT_WITHIN_MS, client, client.query<Backend>(BACKEND));
      this.backend = rows[0] ?? null;
      this.client = client;
    } catch (error) {
      cut(client);
      throw new ConnectionLost(null, error);
    }
  }

  /**
   * Runs one flush.
   * @param parameters those of FLUSH
   * @throws ConnectionLost when its outcome is unknown; after any other error nothing of it was done
   */
  async flush(parameters: unknown[]): Promise<FlushRow> {
    const { client, backend } = this;
    if (!client) {
      throw new ConnectionLost(null, new Error('not connected'));
    }
    try {
      const query = client.query<FlushRow>({
        name: 'ledger_flush',
        text: FLUSH,
        values: parameters,
        types: AS_TEXT,
      });
      const { rows } = await within(FLUSHED_WITHIN_MS, client, query);
      if (!rows[0]) {
        throw new Error('a flush gave no row');
      }
      return rows[0];
    } catch (error) {
      // Some errors meet every order alike. After those the connection is closed and a new one is tried.
      if (isFaultOfOne(error)) {
        throw error;
      }
      this.forget(client);
      cut(client);
      throw new ConnectionLost(backend, error);
    }
  }

  /**
   * Returns those of the accounts whose balance no transaction has locked.
   * @throws Error when the database does not answer
   */
  async unlocked(accountIds: readonly string[]): Promise<string[]> {
    if (!this.client) {
      throw new ConnectionLost(null, new Error('not connected'));
    }
    const query = this.client.query<{ account_id: string }>(UNLOCKED, [accountIds]);
    const { rows } = await within(FLUSHED_WITHIN_MS, this.client, query);
    return rows.map((row) => row.account_id);
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    if (client) {
      await within(CONNECT_WITHIN_MS, client, client.end());
    }
  }

  private forget(client: Client): void {
    if (this.client === client) {
      this.client = null;
    }
  }
}

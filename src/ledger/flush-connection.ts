import { setTimeout as delay } from 'node:timers/promises';
import { resultWithin } from '../runtime/clock';
import { Client, type Connection, type Submittable } from 'pg';
import type { DataSource } from 'typeorm';
import { type StoredRow, withBigints } from '../database/bounded-statements';
import { cut, KEEP_ALIVE, within } from '../database/connection-pool';
import { isFaultOfOne, sqlStateOf } from '../database/driver-errors';
import { PrimaryClient } from '../database/primary-client';
import { accountsOf, balancesAfter, type Batch, CALLS_COLUMNS, parametersOf } from './flush-batch';
import type { LentRow } from './lease';
import { spentOf } from './leases';

const CONNECT_WITHIN_MS = 5_000;
/** Below STATEMENT_MS_MAX, so that the answer says that accounts are locked. */
const LOCKED_MS_MAX = 250;
/** The server gives up before this process does, and its answer proves that nothing was done. */
const STATEMENT_MS_MAX = 8_000;
const FLUSHED_WITHIN_MS = 10_000;
const ASK_AGAIN_AFTER_MS = 100;
const ASKED_WITHIN_MS = 2_000;
const INVALID_TEXT = '22P02';

const SETTINGS = `
  SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET jit = off; SET lock_timeout = ${LOCKED_MS_MAX}; SET statement_timeout = ${STATEMENT_MS_MAX}`;

/** Prepared on connecting by a flush of no process, which does nothing. */
const FLUSH = {
  name: 'ledger_flush',
  text: 'SELECT * FROM ledger_flush($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)',
  values: Array<null>(11).fill(null),
};

const UNLOCKED = `
  SELECT account_id AS id FROM balances WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`;

const UNLOCKED_KEYS = `
  SELECT id FROM access_keys WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE SKIP LOCKED`;

/** With the lock that a flush takes. */
const UNLOCKED_PROCESS = `
  SELECT id FROM processes WHERE id = ANY($1::uuid[]) FOR KEY SHARE SKIP LOCKED`;

const BACKEND = `
  SELECT pid, backend_start::text AS started_at, pg_postmaster_start_time()::text AS server_started_at
  FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

/** After a failover the same pid may be a stranger's on another server, so its start times are compared. */
const END_BACKEND = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE pid = $1 AND backend_start = $2::text::timestamptz AND pg_postmaster_start_time() = $3::text::timestamptz`;

const ENDED = `
  SELECT id, charged_nano AS "chargedNanoUsd", outcome,
    (SELECT balance_nano FROM balances AS b WHERE b.account_id = c.account_id) AS "balanceNanoUsd"
  FROM calls AS c WHERE id = ANY($1::uuid[])`;

const LENT = `
  SELECT id, amount_nano AS "amountNanoUsd", is_exact AS "isExact" FROM leases
  WHERE process_id = $1 AND id = ANY($2::uuid[])`;

/**
 * Makes the commit write, so that it waits for the standby as a flush does: otherwise a commit seen here
 * could be lost when the standby is promoted. A standby itself refuses to write.
 */
const SEALED = "SELECT pg_logical_emit_message(true, 'ledger', ''::text)";

interface Ended {
  outcome: string;
  chargedNanoUsd: bigint;
  balanceNanoUsd: bigint;
}

interface Lent {
  amountNanoUsd: bigint;
  isExact: boolean;
}

interface Backend {
  pid: number;
  started_at: string;
  server_started_at: string;
}

export interface FlushAnswer {
  /** Other processes have ended this one; nothing was done. */
  isFenced: boolean;
  balancesNanoUsd: bigint[];
  lent: LentRow[];
}

export interface RecoveredFlush {
  ended: Map<string, Ended>;
  lent: Map<string, Lent>;
}

/** Sets each lease to what the database has lent; FlushOwner.ended subtracts what its calls were charged. */
export function adopt(batch: Batch, { ended, lent }: RecoveredFlush): void {
  const spent = spentOf(batch.ends, ({ order }) => ended.get(order.callId)?.chargedNanoUsd ?? 0n);
  for (const lease of new Set([...spent.keys(), ...batch.leases])) {
    const known = lent.get(lease.id);
    lease.totalNanoUsd = (known?.amountNanoUsd ?? 0n) + (spent.get(lease) ?? 0n);
    lease.isExact = known?.isExact ?? true;
    lease.ask = null;
  }
}

/** The statement may have been carried out, or may still be. */
export class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super('the connection to the database was lost', { cause });
  }
}

/** Nothing was done: retries took over the Idempotency-Keys of these calls, which must be charged nothing. */
export class TakenOver extends Error {
  constructor(readonly callIds: ReadonlySet<string>) {
    super('calls have lost their Idempotency-Keys to retries');
  }
}

/** Columns of ledger_flush as text: is_fenced, taken_over, balances and lent. */
type FlushRow = readonly [string, string | null, string | null, string | null];

/**
 * The driver's own query() copies values, describes columns and builds row objects, which takes longer than
 * the rest of a flush in this process.
 */
class FlushStatement implements Submittable {
  private fields: FlushRow | null = null;

  constructor(
    private readonly values: (string | null)[],
    private readonly resolve: (row: FlushRow) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  submit(connection: Connection): void {
    connection.stream.cork();
    connection.bind({ statement: FLUSH.name, values: this.values }, true);
    connection.execute(null, true);
    connection.sync();
    connection.stream.uncork();
  }

  handleDataRow({ fields }: { fields: FlushRow }): void {
    this.fields = fields;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    if (this.fields) {
      this.resolve(this.fields);
    } else {
      this.reject(new Error('a flush gave no row'));
    }
  }

  handleError(error: Error): void {
    this.reject(error);
  }
}

/** Only for flushes, so that their statement is prepared and planned once. */
export class FlushConnection {
  private client: Client | null = null;
  private backend: Backend | null = null;
  private columns: readonly string[] = [];

  /** @param url a function where each connection asks anew: the tables may have moved to another server */
  constructor(
    private readonly url: string | (() => Promise<string>),
    private readonly database: DataSource,
  ) {}

  /** @throws Error when the database cannot be reached */
  async connect(): Promise<void> {
    if (this.client) {
      return;
    }
    const client = new PrimaryClient({
      connectionString: typeof this.url === 'string' ? this.url : await this.url(),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      ...KEEP_ALIVE,
      application_name: 'ledger',
    });
    client.on('error', () => this.forget(client));
    client.on('end', () => this.forget(client));
    try {
      await client.connect();
      await within(CONNECT_WITHIN_MS, client, client.query(SETTINGS));
      const { rows } = await within(CONNECT_WITHIN_MS, client, client.query<Backend>(BACKEND));
      this.backend = rows[0] ?? null;
      this.columns = await columnsOfCalls(client);
      await within(CONNECT_WITHIN_MS, client, client.query(FLUSH));
      this.client = client;
    } catch (error) {
      cut(client);
      throw error;
    }
  }

  /** @throws ConnectionLost for an unknown outcome; after other errors, as TakenOver, nothing was done */
  async flush(processId: string, batch: Batch): Promise<FlushAnswer> {
    const { client } = this;
    if (!client) {
      throw new ConnectionLost(new Error('not connected'));
    }
    let row: FlushRow;
    try {
      row = await this.send(client, processId, batch);
    } catch (error) {
      // Any other error is the connection's or server's: connect anew.
      if (isFaultOfOne(error)) {
        throw error;
      }
      this.forget(client);
      cut(client);
      throw new ConnectionLost(error);
    }
    const [isFenced, takenOver, balances, lent] = row;
    if (takenOver !== null) {
      throw new TakenOver(new Set(elements(takenOver)));
    }
    return {
      isFenced: isFenced === 't',
      balancesNanoUsd: balancesAfter(batch, elements(balances).map(BigInt)),
      lent: lent === null ? [] : (JSON.parse(lent) as LentRow[]),
    };
  }

  /** Retries when a newer replica's migration has added columns to calls. */
  private async send(client: Client, processId: string, batch: Batch): Promise<FlushRow> {
    const { columns } = this;
    try {
      const values = parametersOf(processId, batch, columns);
      const flushed = new Promise<FlushRow>((resolve, reject) => {
        client.query(new FlushStatement(values, resolve, reject));
      });
      return await within(FLUSHED_WITHIN_MS, client, flushed);
    } catch (error) {
      if (sqlStateOf(error) !== INVALID_TEXT) {
        throw error;
      }
      this.columns = await columnsOfCalls(client);
      if (this.columns.join() === columns.join()) {
        throw error;
      }
      return this.send(client, processId, batch);
    }
  }

  /** Accounts whose balance or key another transaction has locked; null where the process's own row is. */
  async locked(processId: string, batch: Batch): Promise<Set<string> | null> {
    if ((await this.ids(UNLOCKED_PROCESS, [processId])).size === 0) {
      return null;
    }
    const accounts = accountsOf(batch);
    const keyIds = batch.leases.flatMap(({ keyId }) => keyId ?? []);
    const free = await this.ids(UNLOCKED, [...accounts]);
    const freeKeys = await this.ids(UNLOCKED_KEYS, keyIds);
    const locked = batch.leases.filter(({ keyId }) => keyId !== null && !freeKeys.has(keyId));
    return new Set([
      ...[...accounts].filter((id) => !free.has(id)),
      ...locked.map(({ accountId }) => accountId),
    ]);
  }

  private async ids(statement: string, ids: readonly string[]): Promise<Set<string>> {
    if (!this.client) {
      throw new ConnectionLost(new Error('not connected'));
    }
    const answer = this.client.query<{ id: string }>(statement, [ids]);
    const { rows } = await within(FLUSHED_WITHIN_MS, this.client, answer);
    return new Set(rows.map(({ id }) => id));
  }

  /** After ConnectionLost. Ends the server process first, so that nothing commits later. Null once `isStopped`. */
  async findOut(processId: string, batch: Batch, isStopped: () => boolean): Promise<RecoveredFlush | null> {
    while (!isStopped()) {
      await delay(ASK_AGAIN_AFTER_MS);
      const answer = this.ask(processId, batch).catch(() => null);
      const found = await resultWithin(ASKED_WITHIN_MS, answer, () => null);
      if (found) {
        return found;
      }
    }
    return null;
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    await (client && within(CONNECT_WITHIN_MS, client, client.end()).catch(() => cut(client)));
  }

  /** One transaction: during a failover the pool may have connections to two servers. */
  private ask(processId: string, { ends, leases }: Batch): Promise<RecoveredFlush | null> {
    return this.database.transaction(async (manager) => {
      const { pid, started_at, server_started_at } = this.backend ?? {};
      const ended: unknown[] = await manager.query(END_BACKEND, [pid, started_at, server_started_at]);
      if (ended.length > 0) {
        return null;
      }
      const callIds = ends.map(({ order }) => order.callId);
      const calls: (StoredRow<Ended> & { id: string })[] = await manager.query(ENDED, [callIds]);
      const touched = new Set([
        ...ends.flatMap((held) => [held.lease.id, ...(held.excess ? [held.excess.lease.id] : [])]),
        ...leases.map(({ id }) => id),
      ]);
      const rows: (StoredRow<Lent> & { id: string })[] = await manager.query(LENT, [processId, [...touched]]);
      await manager.query(SEALED);
      return {
        ended: new Map(calls.map((row) => [row.id, withBigints(row, 'chargedNanoUsd', 'balanceNanoUsd')])),
        lent: new Map(rows.map((row) => [row.id, withBigints(row, 'amountNanoUsd')])),
      };
    });
  }

  private forget(client: Client): void {
    if (this.client === client) {
      this.client = null;
    }
  }
}

async function columnsOfCalls(client: Client): Promise<string[]> {
  const { rows } = await within(CONNECT_WITHIN_MS, client, client.query<{ name: string }>(CALLS_COLUMNS));
  return rows.map(({ name }) => name);
}

function elements(literal: string | null): string[] {
  return literal === null || literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

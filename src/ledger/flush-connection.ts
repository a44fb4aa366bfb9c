import { Client } from 'pg';
import { cut, KEEP_ALIVE_AFTER_MS, within } from '../database/connection-pool';
import { isFaultOfOne } from '../database/driver-errors';
import { newId } from '../runtime/ids';
import type { ReserveVerdict, Settlement } from './ledger';
import type { Batch } from './pending-orders';
import { type ReserveRow, verdictOf } from './postgres-ledger';

/** The statement of every flush. flushParameters() makes its 24 parameters. */
const FLUSH = `SELECT * FROM ledger_flush(${Array.from({ length: 24 }, (_, index) => `$${index + 1}`).join(', ')})`;

/**
 * A batch as the parameters of ledger_flush. The arrays are written as Postgres literals here, because the driver's general
 * conversion looks at the type of every element, which takes longer than all other bookkeeping of a call.
 * @param processId null where no process is registered
 */
export function flushParameters(
  { settles, reserves }: Batch,
  processId: string | null,
): (string | boolean | null)[] {
  const s = settles.map(({ order }) => order);
  const r = reserves.map(({ order }) => order);
  const hasClaims = s.some(
    ({ answer, outcome, holdsClaim }) => answer !== null || outcome !== 'settled' || holdsClaim === true,
  );
  return [
    plain(s.map((order) => order.callId)),
    plain(s.map((order) => order.accountId)),
    plain(s.map((order) => order.outcome)),
    plain(s.map((order) => order.chargeNanoUsd)),
    plain(s.map((order) => order.status)),
    plain(s.map((order) => order.inputTokens)),
    plain(s.map((order) => order.outputTokens)),
    plain(s.map((order) => order.now.getTime())),
    plain(s.map(() => newId())),
    texts(s.map((order) => order.answer)),
    hasClaims,
    plain(r.map((order) => order.callId)),
    plain(r.map((order) => order.accountId)),
    plain(r.map((order) => order.keyId)),
    plain(r.map((order) => order.amountNanoUsd)),
    plain(r.map((order) => order.now.getTime())),
    plain(r.map((order) => order.leaseUntil.getTime())),
    texts(r.map((order) => order.operation)),
    texts(r.map((order) => order.requestId)),
    texts(r.map((order) => order.price)),
    texts(r.map((order) => order.priceVersion)),
    plain(r.map((order) => (order.secretHash ? `"\\\\x${order.secretHash.toString('hex')}"` : null))),
    texts(r.map((order) => order.clientRequestId ?? null)),
    processId,
  ];
}

function plain(elements: readonly (string | number | bigint | null)[]): string {
  let literal = '{';
  for (let index = 0; index < elements.length; index += 1) {
    literal += `${index === 0 ? '' : ','}${elements[index] ?? 'NULL'}`;
  }
  return `${literal}}`;
}

function texts(elements: readonly (string | null)[]): string {
  return plain(elements.map((text) => (text === null ? null : quoted(text))));
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

interface FlushRow {
  items: string | null;
  charged: string | null;
  balances_after: string | null;
  reserved_balances: string | null;
  decided: string | null;
}

export interface FlushAnswer {
  /** In the order of the batch; null for a call that this flush did not end. */
  settlements: (Settlement | null)[];
  verdicts: ReserveVerdict[];
  decidedExactly: number;
}

/** @throws Error when the row does not answer every reservation: function and code have different versions then */
export function flushAnswerOf(row: FlushRow, batch: Batch): FlushAnswer {
  const decided = JSON.parse(row.decided ?? '[]') as DecidedReserve[];
  return {
    settlements: settlementsOf(row, batch.settles.length),
    verdicts: verdictsOf(elements(row.reserved_balances), decided, batch.reserves.length),
    decidedExactly: decided.length,
  };
}

interface DecidedReserve extends Omit<ReserveRow, 'resets_at'> {
  item: number;
  resets_at_ms: number | null;
}

function settlementsOf(row: FlushRow, count: number): (Settlement | null)[] {
  const settlements = Array.from({ length: count }, (): Settlement | null => null);
  const items = elements(row.items);
  const charged = elements(row.charged);
  const balances = elements(row.balances_after);
  items.forEach((item, index) => {
    settlements[Number(item) - 1] = {
      verdict: 'settled',
      chargedNanoUsd: BigInt(charged[index] ?? ''),
      balanceNanoUsd: BigInt(balances[index] ?? ''),
    };
  });
  return settlements;
}

function verdictsOf(balances: string[], decided: DecidedReserve[], count: number): ReserveVerdict[] {
  if (balances.length !== count) {
    throw new Error(`a flush of ${count} reservations answered ${balances.length}`);
  }
  const verdicts = balances.map((balance): ReserveVerdict | null =>
    balance === 'NULL' ? null : { verdict: 'reserved', balanceNanoUsd: BigInt(balance) },
  );
  for (const { item, resets_at_ms: resetsAtMs, ...row } of decided) {
    verdicts[item - 1] = verdictOf({ ...row, resets_at: resetsAtMs === null ? null : new Date(resetsAtMs) });
  }
  return verdicts.map((verdict) => {
    if (!verdict) {
      throw new Error('a flush left a reservation without a verdict');
    }
    return verdict;
  });
}

function elements(literal: string | null): string[] {
  return literal === null || literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

const CONNECT_WITHIN_MS = 5_000;
const LOCKED_MS_MAX = 1_000;
/** The server gives up before this process does, so that its answer tells that nothing was done. */
const STATEMENT_MS_MAX = 8_000;
const FLUSHED_WITHIN_MS = 10_000;

const SETTINGS = `
  SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
  SET lock_timeout = ${LOCKED_MS_MAX}; SET statement_timeout = ${STATEMENT_MS_MAX}`;

const UNLOCKED = `
  SELECT account_id FROM balances WHERE account_id = ANY($1::uuid[]) ORDER BY account_id FOR NO KEY UPDATE SKIP LOCKED`;

const BACKEND = `
  SELECT pid, backend_start::text AS started_at FROM pg_stat_activity WHERE pid = pg_backend_pid()`;

const AS_TEXT = { getTypeParser: () => (text: string) => text };

export interface Backend {
  pid: number;
  started_at: string;
}

/** `backend` is set when a statement was under way, which may have committed or may still commit. */
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

  /** @throws ConnectionLost without a backend when the database cannot be reached */
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

  /** @throws ConnectionLost when the outcome is unknown; after any other error nothing was done */
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
      // Other errors meet every order alike, so a new connection is tried.
      if (isFaultOfOne(error)) {
        throw error;
      }
      this.forget(client);
      cut(client);
      throw new ConnectionLost(backend, error);
    }
  }

  /** Those of the accounts whose balance no transaction has locked. */
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

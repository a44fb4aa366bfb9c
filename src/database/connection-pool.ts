import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { resultWithin } from '../runtime/clock';
import { DatabaseUnreachable, isReadOnlyServer, mayConnectLater } from './driver-errors';
import { PrimaryClient } from './primary-client';

const WAITING_MAX = 10_000;
const TRIED_EVERY_MS = 100;
/** For a statement whose caller waited long for its connection. */
const STATEMENT_MS_MIN = 1_000;

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

export function callBack(callback: ConnectCallback, connected: Promise<PoolClient>): void {
  connected.then(
    (client) => callback(undefined, client, (error) => client.release(error)),
    (error: Error) => callback(error, undefined, () => undefined),
  );
}

/** Waits five seconds: nothing has run yet, so that is safe, unlike a retry. One attempt at a time. */
export class ReconnectingPool extends Pool {
  private isProbing = false;
  private lastFault: unknown = null;
  /** Functions, because a shared promise would keep in memory all who gave up. */
  private readonly waiting = new Set<() => void>();
  private readonly sizeMax = this.options.max;
  private readonly growsAfterMs: number;

  /** @param growsAfterMs wait for a connection in use before another is opened */
  constructor({ growsAfterMs = 0, ...config }: PoolConfig & { growsAfterMs?: number }) {
    super(config);
    this.growsAfterMs = growsAfterMs;
    if (growsAfterMs > 0) {
      const shrink = () => (this.options.max = Math.max(1, this.totalCount));
      shrink();
      this.on('remove', shrink);
    }
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<PoolClient> | void {
    const connected = this.connectOn(null);
    return callback ? callBack(callback, connected) : connected;
  }

  /** @param path the search_path; null for the role's own. @throws DatabaseUnreachable after five seconds */
  async connectOn(path: string | null): Promise<PoolClient> {
    const deadlineMs = performance.now() + ANSWER_WITHIN_MS;
    const client = await this.connectBefore(deadlineMs);
    if (client instanceof DeadlineClient) {
      const hurry = () => client.hurry(Math.max(STATEMENT_MS_MIN, deadlineMs - performance.now()));
      if (client.path !== path) {
        hurry();
        await client.search(path).catch((error: Error) => {
          (client as unknown as PoolClient).release(error);
          throw error;
        });
      }
      hurry();
    }
    return client;
  }

  private async connectBefore(deadlineMs: number): Promise<PoolClient> {
    if (this.waiting.size + this.waitingCount >= WAITING_MAX) {
      throw new DatabaseUnreachable(new Error('too many wait for a connection'));
    }
    for (;;) {
      if (this.isProbing) {
        await untilWoken(this.waiting, deadlineMs, () => new DatabaseUnreachable(this.lastFault));
      }
      try {
        return await inTime(this.connectSoon(), deadlineMs);
      } catch (cause) {
        if (performance.now() >= deadlineMs || !mayConnectLater(cause)) {
          throw cause instanceof DatabaseUnreachable ? cause : new DatabaseUnreachable(cause);
        }
        this.lastFault = cause;
        this.probe();
      }
    }
  }

  private connectSoon(): Promise<PoolClient> {
    const connecting = super.connect();
    if (this.options.max === this.sizeMax) {
      return connecting;
    }
    const timer = setTimeout(() => {
      this.options.max = Math.min(this.sizeMax, this.options.max + 1);
      super.connect().then(
        (client) => client.release(),
        () => undefined,
      );
    }, this.growsAfterMs);
    return connecting.finally(() => clearTimeout(timer));
  }

  private probe(): void {
    if (!this.isProbing) {
      this.isProbing = true;
      void this.untilReachable().finally(() => {
        this.isProbing = false;
        this.waiting.forEach((wake) => wake());
      });
    }
  }

  private async untilReachable(): Promise<void> {
    do {
      await delay(TRIED_EVERY_MS);
      try {
        (await super.connect()).release();
        return;
      } catch (error) {
        this.lastFault = error;
        if (!mayConnectLater(error)) {
          return;
        }
      }
    } while (this.waiting.size > 0 && !this.ending);
  }
}

/** Returns a late connection to the pool. @throws DatabaseUnreachable at the deadline */
async function inTime(connecting: Promise<PoolClient>, deadlineMs: number): Promise<PoolClient> {
  let isLate = false;
  connecting.then(
    (client) => isLate && client.release(),
    () => undefined,
  );
  try {
    return await resultWithin(msUntil(deadlineMs), connecting, () => {
      throw new DatabaseUnreachable(new Error('no answer in time'));
    });
  } catch (error) {
    isLate = true;
    throw error;
  }
}

/** Waits until the function that it adds to `waiting` is called. By performance.now(). @throws what `late` makes */
export function untilWoken(waiting: Set<() => void>, deadlineMs: number, late: () => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      waiting.delete(wake);
      settle();
    };
    const wake = () => end(resolve);
    const timer = setTimeout(() => end(() => reject(late())), msUntil(deadlineMs));
    waiting.add(wake);
  });
}

function msUntil(deadlineMs: number): number {
  return Math.max(0, deadlineMs - performance.now());
}

/** Known once the embedded server has started; may name several servers (`primary-client.ts`). */
export class DatabaseUrl {
  readonly session: string;

  /** @param session bypasses a pooler, which may give each transaction another session */
  constructor(
    readonly value: string,
    session: string | null = null,
  ) {
    this.session = session ?? value;
  }

  get isPooled(): boolean {
    return this.session !== this.value;
  }
}

export class UnfitPooler extends Error {
  constructor(fault: string) {
    super(`DATABASE_URL and DATABASE_SESSION_URL: ${fault}`);
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
 * Through the pooler the service ends sessions that it opened beside it, which takes the same role. A pooler refuses
 * settings of a connection, so only the role's own bound its statements.
 * @throws UnfitPooler for two databases or roles, or a missing setting; DatabaseUnreachable
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
  try {
    const { rows } = await withOwnConnection(url, ANSWER_WITHIN_MS, (client) => client.query<Place>(PLACE));
    return rows[0] as Place;
  } catch (cause) {
    throw new DatabaseUnreachable(cause);
  }
}

export async function withOwnConnection<Result>(
  url: string,
  timeoutMs: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new PrimaryClient({ connectionString: url, connectionTimeoutMillis: ANSWER_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const result = await within(timeoutMs, client, work(client));
    await client.end();
    return result;
  } catch (error) {
    cut(client);
    throw error;
  }
}

/** A statement is answered in this time, or the caller is told that the database is down. */
export const ANSWER_WITHIN_MS = 5_000;

/** The server gives up before this process does, so its answer proves that nothing was done. */
export const STATEMENT_MS_MAX = 4_500;

export const IDLE_MS_MAX = 5_000;

/** Silence after which the system probes the other end. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Closes without telling the server, which may be unreachable. */
export function cut(client: Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Cuts the connection when a statement is late or the server takes no writes: with the driver's
 * `query_timeout` its next user would wait for that statement.
 * @throws the statement's error, or the broken connection's
 */
export async function within<Result>(
  timeoutMs: number,
  client: Client,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => cut(client), timeoutMs);
  try {
    return await work;
  } catch (error) {
    if (isReadOnlyServer(error)) {
      // Waits, because a connection released before its end would be lent again.
      const ended = once(client, 'end');
      cut(client);
      await ended;
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

const ENDED_WITHIN_MS = 1_000;

/** A late statement breaks the connection: the system would notice a dead server only after minutes. */
export class DeadlineClient extends PrimaryClient {
  private statementMsMax = ANSWER_WITHIN_MS;
  private nextStatementMsMax: number | null = null;
  path: string | null = null;

  /** An error between two listeners would end the process. */
  constructor(config: ClientConfig = {}) {
    super(config);
    this.on('error', () => undefined);
  }

  allow(statementMsMax = ANSWER_WITHIN_MS): void {
    this.statementMsMax = statementMsMax;
  }

  hurry(statementMsMax: number): void {
    this.nextStatementMsMax = statementMsMax;
  }

  /** @throws the server's error: nobody may then use the connection, which may find others' tables */
  async search(path: string | null): Promise<void> {
    const statement = path === null ? 'RESET search_path' : `SET search_path TO ${path}`;
    await (this as unknown as Client).query(statement);
    this.path = path;
  }

  // `never` fits all overloads of the driver's method.
  override query(...parameters: never[]): never {
    const timeoutMs = this.nextStatementMsMax ?? this.statementMsMax;
    this.nextStatementMsMax = null;
    const answer: unknown = super.query(...(parameters as [never]));
    // TypeORM's callback forms, used only at its start, return no promise.
    return (answer instanceof Promise ? within(timeoutMs, this, answer) : answer) as never;
  }

  override end(...parameters: never[]): never {
    const timer = setTimeout(() => cut(this), ENDED_WITHIN_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return super.end(...(parameters as [never])) as never;
  }
}

/** Connects in the time of calls, so that a database that is down is noticed as soon. */
export async function withLongStatements<Result>(
  database: DataSource,
  statementMsMax: number,
  work: (runner: QueryRunner) => Promise<Result>,
  isolation?: 'REPEATABLE READ',
): Promise<Result> {
  const runner = database.createQueryRunner();
  const client: unknown = await runner.connect();
  const allow = (timeoutMs?: number) => client instanceof DeadlineClient && client.allow(timeoutMs);
  try {
    await runner.startTransaction(isolation);
    await runner.query(`SET LOCAL statement_timeout = ${statementMsMax}`);
    allow(statementMsMax + GRACE_MS);
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    allow();
    await runner.release();
  }
}

export async function longQuery<Row>(
  database: DataSource,
  statementMsMax: number,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  return withLongStatements(database, statementMsMax, ({ manager }) => manager.query<Row[]>(sql, values));
}

/** The server gives a statement up first, so that its answer proves that nothing was done. */
const GRACE_MS = 1_000;

import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientConfig, Pool, type PoolClient, type PoolConfig } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';
import { resultWithin } from '../runtime/clock';
import { DatabaseUnreachable, isReadOnlyServer, mayConnectLater } from './driver-errors';
import { PrimaryClient } from './primary-client';

const WAITING_MAX = 10_000;
const TRIED_EVERY_MS = 100;
/** What is left to a statement whose caller has waited for its connection for long. */
const STATEMENT_MS_MIN = 1_000;

export type ConnectCallback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** As the driver's pool tells those who give it a callback. */
export function callBack(callback: ConnectCallback, connected: Promise<PoolClient>): void {
  connected.then(
    (client) => callback(undefined, client, (error) => client.release(error)),
    (error: Error) => callback(error, undefined, () => undefined),
  );
}

/**
 * Waits for a database that is away, for five seconds: nothing has been run by then, so waiting is safe, unlike trying a
 * statement again. One attempt at a time asks whether it is back, however many wait.
 */
export class ReconnectingPool extends Pool {
  private isProbing = false;
  private lastFault: unknown = null;
  /** Each is woken by a function of its own: a shared promise would keep all who gave up in memory until it is back. */
  private readonly waiting = new Set<() => void>();
  private readonly sizeMax = this.options.max;
  private readonly growsAfterMs: number;

  /** @param growsAfterMs so long a caller waits for a connection in use before another is opened for him */
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

  /**
   * @param path in which schemas its statements find their tables; null for those of the role
   * @throws DatabaseUnreachable when there is no connection within five seconds
   */
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

  /** Tries to connect until it succeeds, until it fails for a reason that will not pass, or until nobody waits. */
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

/** Gives a connection that comes too late back to the pool. @throws DatabaseUnreachable at the deadline */
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

/** Until the function that this adds to `waiting` is called. By performance.now(). @throws what `late` makes at the deadline */
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

/** With the embedded server known only once that has started; may name several servers (`primary-client.ts`). */
export class DatabaseUrl {
  readonly session: string;

  /** @param session leads to Postgres itself where `value` leads to a pooler, which may give each transaction another session */
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

/** The service could not work through the pooler that DATABASE_URL leads to. The message tells the operator what to do. */
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
  try {
    const { rows } = await withOwnConnection(url, ANSWER_WITHIN_MS, (client) => client.query<Place>(PLACE));
    return rows[0] as Place;
  } catch (cause) {
    throw new DatabaseUnreachable(cause);
  }
}

/** Connects for this work alone. @throws the error of connecting, of the work, or of one that takes longer */
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

/** Within this time a statement is answered, or its caller is told that the database is away. */
export const ANSWER_WITHIN_MS = 5_000;

/** When the server itself gives a statement up: sooner than this process does, so that its answer tells that nothing was done. */
export const STATEMENT_MS_MAX = 4_500;

export const IDLE_MS_MAX = 5_000;

/** After so much silence the system begins to ask whether the other end of a connection is still there. */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const;

/** Closes a connection without telling the server, which may no longer be reachable. */
export function cut(client: Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Waits for a statement, and cuts its connection when it takes too long or its server takes no writes any more. The driver's
 * own `query_timeout` would leave the connection open, and whoever used it next would wait for the statement that it still
 * carries.
 * @throws the error of the statement; one that the driver makes of a broken connection when it took longer
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
      // Given back before it has ended, it would be given to the next who needs one.
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

/** A late statement breaks the connection: the server may be gone, which the system would notice only after minutes. */
export class DeadlineClient extends PrimaryClient {
  private statementMsMax = ANSWER_WITHIN_MS;
  private nextStatementMsMax: number | null = null;
  /** In which schemas its statements find their tables, as `search` has said. */
  path: string | null = null;

  /** Between the pool and whoever listens next, an error would find no listener and end the process. */
  constructor(config: ClientConfig = {}) {
    super(config);
    this.on('error', () => undefined);
  }

  /** Lets statements take this long; without a number as long as those of calls. */
  allow(statementMsMax = ANSWER_WITHIN_MS): void {
    this.statementMsMax = statementMsMax;
  }

  /** Leaves the next statement less time, because its caller has waited for the connection already. */
  hurry(statementMsMax: number): void {
    this.nextStatementMsMax = statementMsMax;
  }

  /** @throws the error of the server: then nobody may use the connection, for it may find the tables of others */
  async search(path: string | null): Promise<void> {
    const statement = path === null ? 'RESET search_path' : `SET search_path TO ${path}`;
    await (this as unknown as Client).query(statement);
    this.path = path;
  }

  // `never` fits all the forms in which the driver's method may be called; they are passed on as they come.
  override query(...parameters: never[]): never {
    const timeoutMs = this.nextStatementMsMax ?? this.statementMsMax;
    this.nextStatementMsMax = null;
    const answer: unknown = super.query(...(parameters as [never]));
    // TypeORM uses the forms with a callback only while it starts, and what they answer is no promise.
    return (answer instanceof Promise ? within(timeoutMs, this, answer) : answer) as never;
  }

  /** Says goodbye to the server, but does not wait for long until it has heard. */
  override end(...parameters: never[]): never {
    const timer = setTimeout(() => cut(this), ENDED_WITHIN_MS).unref();
    this.once('end', () => clearTimeout(timer));
    return super.end(...(parameters as [never])) as never;
  }
}

/** The connection is had in the time of calls: a database that is away is noticed as soon as elsewhere. */
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

/** The same for one query alone. */
export async function longQuery<Row>(
  database: DataSource,
  statementMsMax: number,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  return withLongStatements(database, statementMsMax, ({ manager }) => manager.query<Row[]>(sql, values));
}

/** The server gives a statement up first, so that its answer tells that nothing was done. */
const GRACE_MS = 1_000;

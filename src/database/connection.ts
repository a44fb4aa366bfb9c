import { Client, type ClientConfig } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/** The connection string of the database. With the embedded server it is known only once that has started. */
export class DatabaseUrl {
  constructor(readonly value: string) {}
}

/** Within this time a statement is answered, or its caller is told that the database is away. */
export const ANSWER_WITHIN_MS = 5_000;

/**
 * When the server itself gives a statement up. It is sooner than this process does, so that the server's answer tells
 * that nothing was done.
 */
export const STATEMENT_MS_MAX = 4_500;

/** After how much silence the system begins to ask whether the other end of a connection is still there. */
export const KEEP_ALIVE_AFTER_MS = 10_000;

/** Closes a connection without telling the server, which may no longer be reachable. */
export function cut(client: Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Waits for a statement, and cuts its connection when it takes too long. The driver's own `query_timeout` would leave
 * the connection open, and whoever used it next would wait for the statement that it still carries.
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
  } finally {
    clearTimeout(timer);
  }
}

const ENDED_WITHIN_MS = 1_000;

/**
 * A connection of the pool on which every statement has a deadline. One that passes it breaks the connection: the
 * server may no longer be there, and the system would notice that only after minutes.
 */
export class DeadlineClient extends Client {
  private statementMsMax = ANSWER_WITHIN_MS;
  private nextStatementMsMax: number | null = null;

  /**
   * Between the pool, which gives the connection away, and whoever then listens to it, an error of the connection would
   * find no listener and end the process. Its next statement fails all the same.
   */
  constructor(config?: string | ClientConfig) {
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

/**
 * Runs work whose statements may take longer than those of calls, such as a sum over the whole ledger. Its connection
 * is had, and first answers, within the time of calls: a database that is away is noticed as soon as everywhere else.
 * @param statementMsMax how long each statement may take
 */
export async function withLongStatements<Result>(
  database: DataSource,
  statementMsMax: number,
  work: (runner: QueryRunner) => Promise<Result>,
): Promise<Result> {
  const runner = database.createQueryRunner();
  try {
    const client: unknown = await runner.connect();
    await runner.query(`SET statement_timeout = ${statementMsMax}`);
    if (client instanceof DeadlineClient) {
      client.allow(statementMsMax + GRACE_MS);
    }
    try {
      return await work(runner);
    } finally {
      if (client instanceof DeadlineClient) {
        client.allow();
      }
      await runner.query('RESET statement_timeout').catch(() => undefined);
    }
  } finally {
    await runner.release();
  }
}

/** The server gives a statement up first, so that its answer tells that nothing was done. */
const GRACE_MS = 1_000;

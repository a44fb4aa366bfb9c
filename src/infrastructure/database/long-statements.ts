import type { DataSource, QueryRunner } from 'typeorm';
import { DeadlineClient } from './deadline-client';

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

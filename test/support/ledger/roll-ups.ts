import type { AccountDatabases } from '../../../src/database/account-databases';
import { UsageDays } from '../../../src/ledger/usage-log';
import { until } from '../until';

/**
 * Adds all calls to the sums of their hours. That takes until all earlier transactions of the server have ended, also those of
 * other databases.
 */
export async function sumAllCalls(databases: AccountDatabases): Promise<void> {
  await until('all calls are in the sums', async () => {
    await new UsageDays(databases).rollUp();
    const unsummed = await inEachSchema(
      databases,
      'SELECT FROM calls WHERE written_by >= (SELECT rolled_to FROM roll_ups) LIMIT 1',
    );
    return unsummed.length === 0;
  });
}

/** Where the roll-ups differ from the rows that they sum, one line per fault; empty when they are exact. */
export async function faultsInRollUps(databases: AccountDatabases): Promise<string[]> {
  const checks = await Promise.all(
    Object.entries(CHECKS).map(async ([name, sql]) => {
      const rows = await inEachSchema(databases, sql);
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`);
    }),
  );
  return checks.flat();
}

async function inEachSchema(databases: AccountDatabases, sql: string): Promise<unknown[]> {
  const rows = await Promise.all(databases.all.map((database) => database.query<unknown[]>(sql)));
  return rows.flat();
}

/** Rows of one side that the other has not, or has with other numbers. */
const difference = (one: string, other: string): string =>
  `(${one} EXCEPT ALL ${other}) UNION ALL (${other} EXCEPT ALL ${one})`;

/** Of calls, those that usage_roll_up has added by now. */
const SUMMED = '(written_by IS NULL OR written_by < (SELECT rolled_to FROM roll_ups))';

const CHECKS = {
  'hours of usage': difference(
    `SELECT account_id, hour, key_id, operation, price, model, requests, successful, tokens, cost_nano
     FROM usage_hours WHERE (requests, successful, tokens, cost_nano) <> (0, 0, 0, 0)`,
    `SELECT account_id, date_trunc('hour', created_at, 'UTC'), key_id, operation, price, model, count(*),
       count(*) FILTER (WHERE status BETWEEN 200 AND 299), sum(input_tokens + output_tokens), sum(charged_nano)
     FROM calls WHERE ${SUMMED} GROUP BY 1, 2, 3, 4, 5, 6`,
  ),
  'days of usage': difference(
    `SELECT account_id, day, key_id, operation, price, model, requests, successful, tokens, cost_nano FROM usage_days`,
    `SELECT account_id, date_trunc('day', hour, 'UTC'), key_id, operation, price, model, sum(requests), sum(successful),
       sum(tokens), sum(cost_nano)
     FROM usage_hours WHERE in_day GROUP BY 1, 2, 3, 4, 5, 6`,
  ),
  'hours of the ledger': difference(
    `SELECT account_id, hour, type, entries, amount_nano, first_position, last_position FROM ledger_hours`,
    `SELECT account_id, date_trunc('hour', created_at, 'UTC'), type, count(*), sum(amount_nano), min(position),
       max(position)
     FROM (
       SELECT account_id, created_at, type, amount_nano, position FROM credits
       UNION ALL SELECT account_id, completed_at, 'charge', -charged_nano, position FROM calls
       WHERE position IS NOT NULL AND ${SUMMED}
     ) AS entries GROUP BY 1, 2, 3`,
  ),
};

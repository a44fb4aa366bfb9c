import type { Client } from 'pg';
import { DEPOSIT_NANO_USD, type BenchAccount } from './accounts';
import { withClient } from './bench-postgres';
import { timedId } from './timed-id';

/** As many rows as one statement can take without spilling to disk. */
const CHUNK_ROWS = 200_000;
const SPAN_DAYS = 180;
const PRICE_NANO_USD = 100_000;

export interface PreloadOptions {
  rows: number;
  accounts: BenchAccount[];
  log: (message: string) => void;
}

/**
 * Writes `rows` charged calls and their ledger entries, spread over the last 180 days in the order of time. Every
 * second one belongs to the first account, which thereby has half of all; the other accounts share the rest evenly.
 * @throws Error when balances and ledger do not agree at the end
 */
export async function preload(databaseUrl: string, { rows, accounts, log }: PreloadOptions): Promise<void> {
  if (accounts.length < 2) {
    throw new RangeError('rows are spread over two accounts or more');
  }
  await withClient(databaseUrl, async (client) => {
    await client.query("SET synchronous_commit = off; SET work_mem = '512MB'");
    await numberAccounts(client, accounts);
    const startedAtMs = performance.now();
    for (let first = 0; first < rows; first += CHUNK_ROWS) {
      const next = Math.min(first + CHUNK_ROWS, rows);
      await client.query(CHUNK, [first, next - 1, rows, accounts.length - 1]);
      await client.query('SELECT usage_roll_up($1)', [CHUNK_ROWS]);
      const seconds = (performance.now() - startedAtMs) / 1000;
      log(`loaded ${next} of ${rows} rows after ${Math.round(seconds)} s`);
    }
    await client.query(PAY, [rows, accounts.length - 1]);
    await client.query(FINISH_DAYS);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
    await refuseMismatches(client, rows);
  });
}

async function numberAccounts(client: Client, accounts: BenchAccount[]): Promise<void> {
  await client.query('CREATE TEMP TABLE numbered (number integer PRIMARY KEY, account_id uuid, key_id uuid)');
  await client.query(
    `INSERT INTO numbered SELECT position - 1, account, key
     FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS pair (account, key, position)`,
    [accounts.map(({ accountId }) => accountId), accounts.map(({ keyId }) => keyId)],
  );
  await client.query('ANALYZE numbered');
}

async function refuseMismatches(client: Client, expected: number): Promise<void> {
  const { rows } = await client.query<{ charges: string; calls: string; mismatches: string }>(BOOKS);
  const totals = rows[0];
  if (
    Number(totals?.charges) !== expected ||
    Number(totals?.calls) !== expected ||
    totals?.mismatches !== '0'
  ) {
    throw new Error(`the loaded books are wrong: ${JSON.stringify(totals)}`);
  }
}

/** Row n is the first account's where n is even; `turn` counts the rows of its account from 1. */
const NUMBERED_ROWS = `
  SELECT n,
    CASE WHEN n % 2 = 0 THEN 0 ELSE 1 + (n / 2) % $4::bigint END AS number,
    CASE WHEN n % 2 = 0 THEN n / 2 ELSE (n / 2) / $4::bigint END + 1 AS turn,
    date_trunc('milliseconds', now() - interval '${SPAN_DAYS} days' * (1 - n::float8 / $3::float8)) AS created_at
  FROM generate_series($1::bigint, $2::bigint) AS n`;

const CHUNK = `
  WITH loaded AS MATERIALIZED (
    SELECT n, account_id, key_id, turn, created_at, ${timedId('created_at')} AS call_id,
      (ARRAY['createMemory', 'searchMemories', 'queryMemories', 'createChatCompletion', 'createEmbedding'])[n % 5 + 1]
        AS operation,
      (ARRAY['memory_operation', 'memory_operation', 'memory_operation', 'chat_completion', 'embeddings'])[n % 5 + 1]
        AS price
    FROM (${NUMBERED_ROWS}) AS row JOIN numbered USING (number)
    ORDER BY n
  )
  INSERT INTO calls (id, account_id, key_id, request_id, operation, outcome, status, price, price_version,
    input_tokens, output_tokens, reserved_nano, charged_nano, balance_after_nano, position, latency_ms, created_at,
    completed_at)
  SELECT call_id, account_id, key_id, call_id::text, operation, 'settled', 200, price, 'benchmark',
    (n % 5 > 2)::integer * 40, (n % 5 = 3)::integer * 60, ${PRICE_NANO_USD}, ${PRICE_NANO_USD},
    ${DEPOSIT_NANO_USD} - turn * ${PRICE_NANO_USD}, nextval('ledger_position'), 5, created_at,
    created_at + interval '5 milliseconds'
  FROM loaded ORDER BY n`;

/** Takes from each balance what the account's rows cost, by the same arithmetic. */
const PAY = `
  UPDATE balances SET balance_nano = balance_nano - ${PRICE_NANO_USD} * CASE WHEN number = 0
      THEN ($1::bigint + 1) / 2
      ELSE ($1::bigint / 2 - number + $2::bigint) / $2::bigint END
  FROM numbered WHERE numbered.account_id = balances.account_id`;

/** What a service that has run for so long has done long ago, and would do while it is measured. */
const FINISH_DAYS = `
  WITH finished AS (
    UPDATE usage_hours SET in_day = true WHERE hour < date_trunc('day', now(), 'UTC') RETURNING *
  )
  INSERT INTO usage_days (account_id, day, key_id, operation, price, model, requests, successful, tokens, cost_nano)
  SELECT account_id, date_bin('1 day', hour, '2000-01-01T00:00Z'), key_id, operation, price, model,
    sum(requests), sum(successful), sum(tokens), sum(cost_nano)
  FROM finished GROUP BY 1, 2, 3, 4, 5, 6`;

const BOOKS = `
  SELECT (SELECT count(*) FROM calls) AS calls, sum(charges) AS charges,
    count(*) FILTER (WHERE balance_nano <> ledger_nano) AS mismatches
  FROM balances JOIN (
    SELECT account_id, sum(amount_nano) AS ledger_nano, count(*) FILTER (WHERE type = 'charge') AS charges
    FROM ledger_entries GROUP BY account_id
  ) AS ledger USING (account_id)`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hourly sums of the calls and of the ledger. Triggers update them in the transaction that writes the rows. The sums
 * of a day are made of its hours by a background job, once the day is over.
 */
export class UsageRollUps1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    // migrate() installs the triggers in the same transaction, so no row is missed or counted twice.
    await runner.query('LOCK TABLE ledger_entries, calls IN SHARE ROW EXCLUSIVE MODE');
    await runner.query(FILL);
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION IF EXISTS usage_hours_add, usage_hours_change, ledger_hours_add CASCADE;
      DROP TABLE usage_hours, usage_days, ledger_hours;
      DROP INDEX ledger_entries_other, calls_request;
      CREATE INDEX calls_account_request ON calls (account_id, request_id);`);
  }
}

// Half of each page of the hours stays free, so that the sums can be updated within their page and without touching an
// index. Only the rows of the current hour are updated.
const TABLES = `
  CREATE TABLE usage_hours (
    account_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    key_id uuid,
    operation text NOT NULL,
    price text,
    requests bigint NOT NULL,
    successful bigint NOT NULL,
    tokens bigint NOT NULL,
    cost_nano bigint NOT NULL,
    in_day boolean NOT NULL DEFAULT false,
    CONSTRAINT usage_hours_key UNIQUE NULLS NOT DISTINCT (account_id, hour, key_id, operation, price)
  ) WITH (fillfactor = 50);
  CREATE INDEX usage_hours_open ON usage_hours (account_id, hour) WHERE NOT in_day;

  CREATE TABLE usage_days (
    account_id uuid NOT NULL,
    day timestamptz NOT NULL,
    key_id uuid,
    operation text NOT NULL,
    price text,
    requests bigint NOT NULL,
    successful bigint NOT NULL,
    tokens bigint NOT NULL,
    cost_nano bigint NOT NULL,
    CONSTRAINT usage_days_key UNIQUE NULLS NOT DISTINCT (account_id, day, key_id, operation, price)
  );

  CREATE TABLE ledger_hours (
    account_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    type text NOT NULL,
    entries bigint NOT NULL,
    amount_nano bigint NOT NULL,
    first_position bigint NOT NULL,
    last_position bigint NOT NULL,
    PRIMARY KEY (account_id, hour, type)
  ) WITH (fillfactor = 50);`;

const HOUR = `date_bin('1 hour', created_at, '2000-01-01T00:00Z')`;

const FILL = `
  INSERT INTO usage_hours (account_id, hour, key_id, operation, price, requests, successful, tokens, cost_nano)
  SELECT account_id, ${HOUR}, key_id, operation, price, count(*), count(*) FILTER (WHERE status BETWEEN 200 AND 299),
    sum(input_tokens::bigint + output_tokens)::bigint, sum(charged_nano)::bigint
  FROM calls GROUP BY 1, 2, 3, 4, 5;

  INSERT INTO ledger_hours (account_id, hour, type, entries, amount_nano, first_position, last_position)
  SELECT account_id, ${HOUR}, type, count(*), sum(amount_nano), min(position), max(position)
  FROM ledger_entries GROUP BY 1, 2, 3;`;

// The ids that the service gives to requests grow with time. When they are the first column, the new rows of all
// accounts go to one end of the index. The other index leaves out charges, which are nearly all entries, so that it
// costs them nothing.
const INDEXES = `
  CREATE INDEX ledger_entries_other ON ledger_entries (account_id, position DESC) WHERE type <> 'charge';
  DROP INDEX calls_account_request;
  CREATE INDEX calls_request ON calls (request_id, account_id);`;

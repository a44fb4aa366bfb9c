import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Hourly sums of the calls and of the ledger, kept by triggers in the transaction that writes the rows: whoever inserts,
 * the sums are exact at every commit. Days are sums of hours; a background job adds the hours of days that are over.
 *
 * Lock order: balances, then access_keys, then ledger_hours, then usage_hours, then usage_days, each in the order of its
 * key. Ledger entries are only written under their account's balance lock, so nobody waits for ledger_hours. Calls that
 * moved no money hold no balance lock; they wait for usage_hours only after all their own rows of `calls` are written,
 * and behind rows of a smaller key only.
 */
export class UsageRollUps1764200000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
    await runner.query(USAGE_TRIGGERS);
    await runner.query(LEDGER_TRIGGER);
    // Creating a trigger locks writers out until this migration commits, so no row is missed or counted twice.
    await runner.query(FILL);
    await runner.query(INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER usage_hours_add ON calls;
      DROP TRIGGER usage_hours_change ON calls;
      DROP TRIGGER ledger_hours_add ON ledger_entries;
      DROP FUNCTION usage_hours_add, usage_hours_change, ledger_hours_add;
      DROP TABLE usage_hours, usage_days, ledger_hours;
      DROP INDEX ledger_entries_other, calls_request;
      CREATE INDEX calls_account_request ON calls (account_id, request_id);`);
  }
}

// Half of each page stays free, so that a row that counts is updated within its page and touches no index. Of these
// rows only the current hour's change.
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

const HOUR = (time: string): string => `date_bin('1 hour', ${time}, '2000-01-01T00:00Z')`;

const HOUR_KEY = 'account_id, hour, key_id, operation, price';

/** Groups without a key or price have null for it. */
const usageOf = (rows: string, sign: 1 | -1): string => `
  SELECT account_id, ${HOUR('created_at')} AS hour, key_id, operation, price, ${sign} * count(*) AS requests,
    ${sign} * count(*) FILTER (WHERE status BETWEEN 200 AND 299) AS successful,
    ${sign} * sum(input_tokens::bigint + output_tokens)::bigint AS tokens, ${sign} * sum(charged_nano)::bigint AS cost_nano
  FROM ${rows} GROUP BY 1, 2, 3, 4, 5`;

const CHANGE = `
  SELECT ${HOUR_KEY}, sum(requests)::bigint AS requests, sum(successful)::bigint AS successful,
    sum(tokens)::bigint AS tokens, sum(cost_nano)::bigint AS cost_nano
  FROM (${usageOf('old_calls', -1)} UNION ALL ${usageOf('new_calls', 1)}) AS changes GROUP BY 1, 2, 3, 4, 5`;

const MORE = `requests = u.requests + excluded.requests, successful = u.successful + excluded.successful,
  tokens = u.tokens + excluded.tokens, cost_nano = u.cost_nano + excluded.cost_nano`;

/**
 * Adds groups to the hours, and to the day of each hour whose sums are in its day already. The rows of the hours stay
 * locked between the two, so that the job that adds hours to days counts none twice.
 */
const addToHours = (groups: string): string => `
  WITH delta AS (${groups}), added AS (
    INSERT INTO usage_hours AS u (${HOUR_KEY}, requests, successful, tokens, cost_nano)
    SELECT * FROM delta ORDER BY ${HOUR_KEY}
    ON CONFLICT (${HOUR_KEY}) DO UPDATE SET ${MORE}
    RETURNING in_day
  )
  SELECT coalesce(bool_or(in_day), false) INTO v_is_late FROM added;
  IF v_is_late THEN
    INSERT INTO usage_days AS u (account_id, day, key_id, operation, price, requests, successful, tokens, cost_nano)
    SELECT d.account_id, date_bin('1 day', d.hour, '2000-01-01T00:00Z') AS day, d.key_id, d.operation, d.price,
      sum(d.requests), sum(d.successful), sum(d.tokens), sum(d.cost_nano)
    FROM (${groups}) AS d
    JOIN usage_hours AS h ON h.account_id = d.account_id AND h.hour = d.hour AND h.operation = d.operation
      AND h.key_id IS NOT DISTINCT FROM d.key_id AND h.price IS NOT DISTINCT FROM d.price
    WHERE h.in_day GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (account_id, day, key_id, operation, price) DO UPDATE SET ${MORE};
  END IF;`;

// An INSERT ... ON CONFLICT DO UPDATE fires the second function first, and would lock keys of both in no order. It
// changes rows only where a call is settled after a row without a charge was written for it, which is rare: then one
// lock on the table takes the place of the order.
const USAGE_TRIGGERS = `
  CREATE FUNCTION usage_hours_add() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    v_is_late boolean;
  BEGIN
    ${addToHours(usageOf('new_calls', 1))}
    RETURN NULL;
  END $$;

  CREATE FUNCTION usage_hours_change() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    v_is_late boolean;
  BEGIN
    IF NOT EXISTS (SELECT FROM new_calls) THEN
      RETURN NULL;
    END IF;
    LOCK TABLE usage_hours IN SHARE ROW EXCLUSIVE MODE;
    ${addToHours(CHANGE)}
    RETURN NULL;
  END $$;

  CREATE TRIGGER usage_hours_add AFTER INSERT ON calls REFERENCING NEW TABLE AS new_calls
    FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_add();
  CREATE TRIGGER usage_hours_change AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_calls NEW TABLE AS new_calls
    FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_change();`;

const LEDGER_HOURS = (rows: string): string => `
  INSERT INTO ledger_hours AS h (account_id, hour, type, entries, amount_nano, first_position, last_position)
  SELECT account_id, ${HOUR('created_at')}, type, count(*), sum(amount_nano), min(position), max(position)
  FROM ${rows} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (account_id, hour, type) DO UPDATE SET
    entries = h.entries + excluded.entries, amount_nano = h.amount_nano + excluded.amount_nano,
    first_position = least(h.first_position, excluded.first_position),
    last_position = greatest(h.last_position, excluded.last_position);`;

const LEDGER_TRIGGER = `
  CREATE FUNCTION ledger_hours_add() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    ${LEDGER_HOURS('new_entries')}
    RETURN NULL;
  END $$;
  CREATE TRIGGER ledger_hours_add AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS new_entries
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_hours_add();`;

const FILL = `
  INSERT INTO usage_hours (${HOUR_KEY}, requests, successful, tokens, cost_nano) ${usageOf('calls', 1)};
  ${LEDGER_HOURS('ledger_entries')}`;

// Request ids that the service makes grow with time: with them in front, new entries of all accounts go to one end of
// the index. Entries other than charges are few; charges pay nothing for an index that has none.
const INDEXES = `
  CREATE INDEX ledger_entries_other ON ledger_entries (account_id, position DESC) WHERE type <> 'charge';
  DROP INDEX calls_account_request;
  CREATE INDEX calls_request ON calls (request_id, account_id);`;

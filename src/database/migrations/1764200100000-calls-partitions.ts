import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Partitions the calls by month, so that old calls can be dropped as whole tables. The id of a call is a UUIDv7, whose
 * first 48 bits are the time at which it was made. So a range of ids is a span of time, and with partitions by id the
 * primary key is unique across all months. The existing table becomes the first partition without copying its rows.
 * The default partition takes the calls that fit no other one, so that no call fails for lack of a partition.
 */
export class CallsPartitions1764200100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(PARTITION);
    await runner.query(MONTHS_AHEAD);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(PLAIN);
    await runner.query(
      'DROP FUNCTION IF EXISTS calls_add_partition, calls_drop_partitions, calls_partition_bound',
    );
  }
}

/** SQL for the first day of the month that comes so many months after the present one. */
const monthAhead = (months: string): string =>
  `(date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + ${months} * interval '1 month')::date`;

/** SQL for the smallest id that a call of this month can have. */
const boundOf = (month: string): string =>
  `(lpad(to_hex((extract(epoch FROM (${month})::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid`;

// Calls whose ids are not UUIDv7 may lie outside of the range of the first partition. They are moved to the default
// one. The triggers that update the sums belong to the partitioned table from now on; migrate() installs them in the
// same transaction.
const PARTITION = `
  ALTER TABLE calls RENAME TO calls_first;
  ALTER INDEX calls_pkey RENAME TO calls_first_pkey;
  ALTER INDEX calls_account_time RENAME TO calls_first_account_time;
  ALTER INDEX calls_request RENAME TO calls_first_request;
  DROP TRIGGER IF EXISTS usage_hours_add ON calls_first;
  DROP TRIGGER IF EXISTS usage_hours_change ON calls_first;

  CREATE TABLE calls (LIKE calls_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id);
  ALTER TABLE calls ADD CONSTRAINT calls_pkey PRIMARY KEY (id);
  CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
  CREATE INDEX calls_request ON calls (request_id, account_id);
  CREATE TABLE calls_default PARTITION OF calls DEFAULT;

  DO $$
  DECLARE
    v_end uuid := ${boundOf(monthAhead('1'))};
  BEGIN
    WITH moved AS (DELETE FROM calls_first WHERE id >= v_end RETURNING *)
      INSERT INTO calls_default SELECT * FROM moved;
    EXECUTE format('ALTER TABLE calls ATTACH PARTITION calls_first FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
  END $$;`;

const MONTHS_AHEAD = `
  DO $$
  DECLARE
    v_name text;
    v_start uuid;
    v_end uuid;
  BEGIN
    FOR v_ahead IN 1..3 LOOP
      v_name := 'calls_' || to_char(${monthAhead('v_ahead')}, 'YYYY_MM');
      v_start := ${boundOf(monthAhead('v_ahead'))};
      v_end := ${boundOf(monthAhead('(v_ahead + 1)'))};
      EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', v_name);
      EXECUTE format('WITH moved AS (DELETE FROM calls_default WHERE id >= %L AND id < %L RETURNING *)
        INSERT INTO %I SELECT * FROM moved', v_start, v_end, v_name);
      EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name, v_start, v_end);
    END LOOP;
  END $$;`;

// The plain table that replaces the partitions gets the same triggers, because without them the sums would not grow.
const PLAIN = `
  CREATE TABLE calls_plain (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
  INSERT INTO calls_plain SELECT * FROM calls;

  DO $$
  DECLARE
    v_triggers text[] := (
      SELECT array_agg(pg_get_triggerdef(oid)) FROM pg_trigger WHERE tgrelid = 'calls'::regclass AND NOT tgisinternal);
    v_trigger text;
  BEGIN
    DROP TABLE calls;
    ALTER TABLE calls_plain RENAME TO calls;
    FOREACH v_trigger IN ARRAY coalesce(v_triggers, '{}') LOOP
      EXECUTE v_trigger;
    END LOOP;
  END $$;

  ALTER TABLE calls ADD CONSTRAINT calls_pkey PRIMARY KEY (id);
  CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
  CREATE INDEX calls_request ON calls (request_id, account_id);`;

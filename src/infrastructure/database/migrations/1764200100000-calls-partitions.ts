import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The calls by month, so that old ones are dropped as whole tables. A call's id is a UUIDv7, whose first 48 bits are the
 * time at which it was made: partitioned by ranges of ids, the primary key stays unique over all months. The table
 * that exists becomes the first partition without a row being copied; the default partition takes whatever has no
 * other, so that no call ever fails for want of one.
 */
export class CallsPartitions1764200100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(BOUND);
    await runner.query(PARTITION);
    await runner.query(TRIGGERS);
    await runner.query(ADD);
    await runner.query(DROP);
    await runner.query(`
      SELECT calls_add_partition((date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + ahead * interval '1 month')::date)
      FROM generate_series(1, 3) AS ahead`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE calls_plain (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS);
      INSERT INTO calls_plain SELECT * FROM calls;
      DROP TABLE calls;
      ALTER TABLE calls_plain RENAME TO calls;
      ALTER TABLE calls ADD CONSTRAINT calls_pkey PRIMARY KEY (id);
      CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
      CREATE INDEX calls_request ON calls (request_id, account_id);
      DROP FUNCTION calls_add_partition, calls_drop_partitions, calls_partition_bound;`);
    await runner.query(TRIGGERS);
  }
}

const BOUND = `
  CREATE FUNCTION calls_partition_bound(p_month date) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT AS $$
    SELECT (lpad(to_hex((extract(epoch FROM p_month::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
  $$`;

// Ids that are no UUIDv7 may lie beyond the first partition: they go into the default one.
const PARTITION = `
  ALTER TABLE calls RENAME TO calls_first;
  ALTER INDEX calls_pkey RENAME TO calls_first_pkey;
  ALTER INDEX calls_account_time RENAME TO calls_first_account_time;
  ALTER INDEX calls_request RENAME TO calls_first_request;
  DROP TRIGGER usage_hours_add ON calls_first;
  DROP TRIGGER usage_hours_change ON calls_first;

  CREATE TABLE calls (LIKE calls_first INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id);
  ALTER TABLE calls ADD CONSTRAINT calls_pkey PRIMARY KEY (id);
  CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
  CREATE INDEX calls_request ON calls (request_id, account_id);
  CREATE TABLE calls_default PARTITION OF calls DEFAULT;

  DO $$
  DECLARE
    v_end uuid := calls_partition_bound(
      (date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + interval '1 month')::date);
  BEGIN
    WITH moved AS (DELETE FROM calls_first WHERE id >= v_end RETURNING *)
      INSERT INTO calls_default SELECT * FROM moved;
    EXECUTE format('ALTER TABLE calls ATTACH PARTITION calls_first FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
  END $$;`;

const TRIGGERS = `
  CREATE TRIGGER usage_hours_add AFTER INSERT ON calls REFERENCING NEW TABLE AS new_calls
    FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_add();
  CREATE TRIGGER usage_hours_change AFTER UPDATE ON calls REFERENCING OLD TABLE AS old_calls NEW TABLE AS new_calls
    FOR EACH STATEMENT EXECUTE FUNCTION usage_hours_change();`;

// The triggers of the whole table do not fire for its parts, so what moves is not counted again. Attaching waits for
// readers of the default partition and makes later ones wait; better to give up soon and try again than to hold all calls.
const ADD = `
  CREATE FUNCTION calls_add_partition(p_month date) RETURNS boolean LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
  DECLARE
    v_name text := 'calls_' || to_char(p_month, 'YYYY_MM');
    v_start uuid := calls_partition_bound(p_month);
    v_end uuid := calls_partition_bound((p_month + interval '1 month')::date);
  BEGIN
    LOCK TABLE calls IN SHARE UPDATE EXCLUSIVE MODE;
    IF to_regclass(v_name) IS NOT NULL THEN
      RETURN false;
    END IF;
    EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', v_name);
    LOCK TABLE calls_default IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM calls_default WHERE id >= %L AND id < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', v_start, v_end, v_name);
    EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name, v_start, v_end);
    RETURN true;
  END $$`;

const DROP = `
  CREATE FUNCTION calls_drop_partitions(p_before date) RETURNS SETOF text LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
  DECLARE
    v_partition regclass;
  BEGIN
    FOR v_partition IN
      SELECT c.oid FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid
      WHERE i.inhparent = 'calls'::regclass AND calls_partition_bound(p_before) >=
        substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([0-9a-f-]{36})''\\)')::uuid
      ORDER BY c.relname
    LOOP
      RETURN NEXT v_partition::text;
      EXECUTE format('DROP TABLE %s', v_partition);
    END LOOP;
  END $$`;

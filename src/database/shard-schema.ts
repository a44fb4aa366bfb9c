import { accountSchema, ALL_ACCOUNTS_SCHEMA } from './account-schemas';

/** The schema is no longer on this server; as retriable as a stopping one. */
export const SCHEMA_MOVED = '57P99';

/** Silent processes may be ended after this time, by `processes` of a schema. */
const PRESENT_FOR = '10 seconds';

/** The advisory lock for making the views; chosen freely. */
const PREPARING = 7_310_006;

/** Raise it with what is made, so that a later build makes it anew. */
const EDITION = 3;

/** Statements name rows by ctid, which a view needs as a column. */
const WITH_PLACES = ['usage_hours', 'ledger_hours'];

export function shardSchema(number: number): string {
  return `${accountSchema(number)}_here`;
}

export function shardPath(number: number): string {
  return `${shardSchema(number)}, ${accountSchema(number)}, public`;
}

export function guardOf(path: string | null): string | null {
  const [schema] = /^acc_[0-9]+_here/.exec(path ?? '') ?? [];
  return schema === undefined ? null : `SELECT ${schema}.here()`;
}

/**
 * Makes views of a schema's shards on their server, so that statements plan as on one server; over
 * distributed tables Citus would plan each anew and refuse some. Each transaction must begin with here(): it
 * takes Citus' own lock, which keeps the schema in place until the commit, and fails where it has moved.
 * Sequences begin beyond all earlier numbers, so that they grow on any server; moved calls are renumbered as
 * in usage_renumber.
 */
export function prepareShardSchema(number: number): string {
  const [schema, here] = [accountSchema(number), shardSchema(number)];
  return `
    BEGIN;
    SET LOCAL citus.enable_ddl_propagation = off;
    SET LOCAL client_min_messages = warning;
    SET LOCAL search_path TO ${schema}, public;
    SELECT pg_advisory_xact_lock(${PREPARING}, ${number});
    ${preparing(schema, here)};
    COMMIT`;
}

const lockShard = (schema: string) => `
    PERFORM lock_shard_metadata(5, ARRAY[v_shard]);
    IF NOT EXISTS (
      SELECT FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_local_group USING (groupid)
      WHERE logicalrelid = to_regclass('${schema}.balances')
    ) THEN
      RAISE EXCEPTION 'the schema ${schema} is on another server' USING ERRCODE = '${SCHEMA_MOVED}';
    END IF;`;

const preparing = (schema: string, here: string) => `DO $do$
  DECLARE
    v_state text;
    v_shard bigint;
    v_reached bigint;
    t record;
  BEGIN
    SELECT shardid INTO v_shard FROM pg_dist_shard WHERE logicalrelid = to_regclass('${schema}.balances');
    ${lockShard(schema)}
    IF to_regnamespace('${ALL_ACCOUNTS_SCHEMA}') IS NOT NULL THEN
      PERFORM pg_advisory_xact_lock(${PREPARING}, -1);
      DROP SCHEMA IF EXISTS ${ALL_ACCOUNTS_SCHEMA} CASCADE;
    END IF;
    SELECT '${EDITION} ' || md5(string_agg(format('%s %s %s', shardid, attnum, attname), ',' ORDER BY shardid, attnum)) INTO v_state
      FROM pg_dist_shard JOIN pg_class AS c ON c.oid = logicalrelid JOIN pg_attribute ON attrelid = c.oid
      WHERE relnamespace = '${schema}'::regnamespace AND attnum > 0 AND NOT attisdropped AND NOT relispartition;
    IF to_regclass('${here}.balances') IS NOT NULL AND obj_description(to_regnamespace('${here}'), 'pg_namespace') = v_state THEN
      RETURN;
    END IF;
    CREATE SCHEMA IF NOT EXISTS ${here};
    FOR t IN SELECT relname FROM pg_class WHERE relnamespace = '${here}'::regnamespace AND relkind = 'v' LOOP
      EXECUTE format('DROP VIEW IF EXISTS ${here}.%I CASCADE', t.relname);
    END LOOP;
    FOR t IN
      SELECT c.oid, relname, shard_name(logicalrelid, shardid) AS shard FROM pg_dist_shard JOIN pg_class AS c ON c.oid = logicalrelid
      WHERE relnamespace = '${schema}'::regnamespace AND NOT relispartition
    LOOP
      EXECUTE format('CREATE VIEW ${here}.%I AS SELECT *%s FROM %s',
        CASE t.relname WHEN 'ledger_processes' THEN 'processes' ELSE t.relname END,
        CASE WHEN t.relname IN ('${WITH_PLACES.join("', '")}') THEN ', tableoid, ctid' END, t.shard);
    END LOOP;
    FOR t IN
      SELECT relname, attname, CASE relname WHEN 'credits' THEN 'ledger_position' ELSE format('%s_%s', relname, attname) END AS numbers
      FROM pg_attribute JOIN pg_class AS c ON c.oid = attrelid JOIN pg_dist_shard ON logicalrelid = c.oid
      WHERE relnamespace = '${schema}'::regnamespace AND attidentity <> ''
    LOOP
      EXECUTE format('CREATE SEQUENCE IF NOT EXISTS ${here}.%I', t.numbers);
      SELECT CASE t.numbers WHEN 'ledger_position' THEN greatest((SELECT max(last_position) FROM ${here}.ledger_hours),
        (SELECT max(position) FROM ${here}.calls WHERE written_by >= (SELECT rolled_to FROM ${here}.roll_ups))) END INTO v_reached;
      PERFORM setval(format('${here}.%I', t.numbers), greatest(
        nextval(format('${here}.%I', t.numbers)), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, v_reached + 1));
      EXECUTE format('ALTER VIEW ${here}.%I ALTER COLUMN %I SET DEFAULT nextval(%L)',
        t.relname, t.attname, format('${here}.%I', t.numbers));
    END LOOP;
    FOR t IN
      SELECT relname, pg_get_viewdef(oid) AS body FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'v'
    LOOP
      PERFORM set_config('search_path', '${here}, ${schema}, public', true);
      EXECUTE format('CREATE VIEW ${here}.%I AS %s', t.relname, t.body);
      PERFORM set_config('search_path', '${schema}, public', true);
    END LOOP;
    ${renumbering(schema, here)}
    ${functions(schema, here)}
    EXECUTE format('COMMENT ON SCHEMA ${here} IS %L', v_state);
  END $do$`;

/** By partition, because a trigger keeps the whole table from being changed. */
const renumbering = (schema: string, here: string) => `
    IF EXISTS (SELECT FROM ${here}.roll_ups WHERE rolled_to > pg_snapshot_xmax(pg_current_snapshot())) THEN
      FOR t IN
        SELECT shard_name(logicalrelid, shardid) AS shard FROM pg_dist_shard JOIN pg_inherits ON inhrelid = logicalrelid
        WHERE inhparent = '${schema}.calls'::regclass
      LOOP
        EXECUTE format('UPDATE %s SET written_by = CASE WHEN written_by >= (SELECT rolled_to FROM ${here}.roll_ups)
          THEN pg_current_xact_id() END WHERE written_by IS NOT NULL', t.shard);
      END LOOP;
      UPDATE ${here}.roll_ups SET rolled_to = pg_current_xact_id(), summed_to = NULL;
    END IF;`;

const functions = (schema: string, here: string) => `
    CREATE OR REPLACE FUNCTION ${here}.here() RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
      v_shard bigint := (SELECT shardid FROM pg_dist_shard WHERE logicalrelid = '${schema}.balances'::regclass);
    BEGIN
      ${lockShard(schema)}
    END $$;
    CREATE OR REPLACE FUNCTION ${here}.ledger_flush(p_process uuid, p_accounts uuid[], p_paid bigint[], p_calls text,
      p_spent_leases uuid[], p_spent bigint[], p_claims json, p_shown uuid[], p_begun json, p_leases json, p_keys uuid[],
      OUT is_fenced boolean, OUT taken_over uuid[], OUT balances bigint[], OUT lent json
    ) LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${here}.here();
      SELECT f.is_fenced, f.taken_over, f.balances, f.lent INTO is_fenced, taken_over, balances, lent
        FROM ${schema}.ledger_flush(p_process, p_accounts, p_paid, p_calls, p_spent_leases, p_spent, p_claims, p_shown, p_begun,
          p_leases, p_keys) AS f;
    END $$;
    CREATE OR REPLACE FUNCTION ${here}.beat(p_process uuid, p_is_new boolean) RETURNS boolean LANGUAGE plpgsql
    SET lock_timeout = '500ms' AS $$
    BEGIN
      PERFORM ${here}.here();
      IF p_is_new THEN
        INSERT INTO ${here}.processes (id, heartbeat_at) VALUES (p_process, clock_timestamp()) ON CONFLICT (id) DO NOTHING;
      END IF;
      UPDATE ${here}.processes SET heartbeat_at = clock_timestamp(), valid_until = clock_timestamp() + interval '${PRESENT_FOR}'
        WHERE id = p_process AND NOT is_dead;
      RETURN FOUND;
    END $$;
    CREATE OR REPLACE FUNCTION ${here}.leave(p_process uuid) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM ${here}.here();
      UPDATE ${here}.processes SET heartbeat_at = clock_timestamp() - interval '40 seconds', valid_until = '-infinity'
        WHERE id = p_process;
    END $$;`;

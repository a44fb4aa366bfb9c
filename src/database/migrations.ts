import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accountSchema } from './account-schemas';

/** Replaced by the baseline, in order. Databases of earlier builds remember these names. */
export const REPLACED_MIGRATIONS: readonly string[] = [
  'AccountsKeysLedger1763700000000',
  'LedgerFunctions1763700100000',
  'Memories1763700200000',
  'LedgerFlush1764100000000',
  'UsageRollUps1764200000000',
  'CallsPartitions1764200100000',
  'Agents1764300000000',
  'InstalledFunctions1764400000000',
  'ReplacedSecrets1764500000000',
  'EmailForms1764500100000',
  'ClientRequestIds1764600000000',
  'EventsWebhooks1764700000000',
  'Sightings1764700100000',
  'Payments1764800000000',
  'Rag1764900000000',
  'RagVectors1764900100000',
  'SearchItems1764900200000',
  'Stories1764900300000',
  'Tasks1764900400000',
  'MemoriesSample1764900500000',
  'Documents1764900600000',
  'DocumentBounds1764900650000',
  'Rooms1764900700000',
  'AdminActions1764900710000',
  'Causes1765000100000',
  'RoomKeys1765000200000',
  'AccountStatistics1765000300000',
  'DocumentsInTurns1765000400000',
  'ForgottenRooms1765000500000',
  'StoredBytes1765000600000',
  'LoginAddresses1765000700000',
  'Processes1765000800000',
];

const LEASES = `
  DROP TRIGGER IF EXISTS ledger_hours_add ON ledger_entries;
  DROP TRIGGER IF EXISTS ledger_entries_append_only ON ledger_entries;
  DROP TRIGGER IF EXISTS usage_hours_add ON calls;
  DROP TRIGGER IF EXISTS usage_hours_change ON calls;
  DROP FUNCTION IF EXISTS usage_hours_add, usage_hours_change, ledger_reserve, ledger_reserve_many, ledger_settle,
    ledger_settle_many, ledger_flush;
  DELETE FROM installed_functions WHERE name IN ('usage_hours_add', 'usage_hours_change', 'ledger_reserve',
    'ledger_reserve_many', 'ledger_settle', 'ledger_settle_many');

  ALTER TABLE processes ADD COLUMN is_dead boolean NOT NULL DEFAULT false;

  -- What a process was lent: contained in reserved_nano of the balance and in the spent sums of the key. Without unused room
  -- where is_exact.
  CREATE TABLE leases (
    process_id uuid NOT NULL,
    id uuid NOT NULL,
    account_id uuid NOT NULL,
    key_id uuid,
    amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
    is_exact boolean NOT NULL,
    spent_day date,
    spent_month date,
    spent_epoch integer,
    PRIMARY KEY (process_id, id)
  ) WITH (fillfactor = 50, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
  CREATE INDEX leases_account ON leases (account_id);

  -- written_by names the transaction that wrote a row: until it is known to have ended, no sum has the row. It has no value in
  -- rows of before, which are in the sums. Only what was charged has a position.
  ALTER TABLE calls ADD COLUMN position bigint, ADD COLUMN balance_after_nano bigint CHECK (balance_after_nano >= 0),
    ADD COLUMN written_by xid8;
  ALTER TABLE calls ALTER COLUMN written_by SET DEFAULT pg_current_xact_id();
  CREATE INDEX calls_position ON calls (account_id, position DESC) WHERE position IS NOT NULL;
  CREATE INDEX calls_written ON calls (written_by) WHERE written_by IS NOT NULL;
  CREATE TABLE roll_ups (rolled_to xid8 NOT NULL);
  INSERT INTO roll_ups VALUES (pg_current_xact_id());

  -- Reservations of before end here, as the sweep would have ended them.
  UPDATE access_keys AS k SET
    day_spent_nano = k.day_spent_nano - held.of_day, month_spent_nano = k.month_spent_nano - held.of_month
  FROM (
    SELECT r.account_id, r.key_id,
      coalesce(sum(amount_nano) FILTER (WHERE r.spent_day = k.spent_day), 0) AS of_day,
      coalesce(sum(amount_nano) FILTER (WHERE r.spent_month = k.spent_month), 0) AS of_month
    FROM reservations AS r JOIN access_keys AS k
      ON k.id = r.key_id AND k.account_id = r.account_id AND k.spent_epoch = r.spent_epoch
    GROUP BY r.account_id, r.key_id
  ) AS held
  WHERE k.id = held.key_id AND k.account_id = held.account_id;
  UPDATE balances AS b SET reserved_nano = b.reserved_nano - held.amount_nano
  FROM (SELECT account_id, sum(amount_nano) AS amount_nano FROM reservations GROUP BY account_id) AS held
  WHERE b.account_id = held.account_id;
  DELETE FROM idempotency_claims WHERE status IS NULL AND call_id IN (SELECT id FROM reservations);
  INSERT INTO calls (id, account_id, key_id, request_id, client_request_id, operation, outcome, price, price_version,
    reserved_nano, latency_ms, created_at, completed_at)
  SELECT id, account_id, key_id, request_id, client_request_id, operation, 'expired', price, price_version, amount_nano,
    greatest(0, least(extract(epoch FROM now() - created_at) * 1000, 2147483647))::integer, created_at,
    greatest(created_at, now())
  FROM reservations ORDER BY id ON CONFLICT DO NOTHING;
  DROP TABLE reservations;

  -- The calls in flight that readers see: those that last, and those that a reader asks for. Their amounts are part of their
  -- leases.
  CREATE TABLE reservations (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL,
    key_id uuid,
    process_id uuid NOT NULL,
    lease_id uuid NOT NULL,
    amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
    operation text NOT NULL,
    request_id text NOT NULL,
    client_request_id text,
    price text NOT NULL,
    price_version text NOT NULL,
    created_at timestamptz NOT NULL,
    lease_until timestamptz NOT NULL
  ) WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0);
  CREATE INDEX reservations_account ON reservations (account_id);

  ALTER TABLE ledger_entries RENAME TO credits;
  ALTER INDEX ledger_entries_pkey RENAME TO credits_pkey;
  ALTER INDEX ledger_entries_account RENAME TO credits_account;
  ALTER INDEX ledger_entries_other RENAME TO credits_other;
  ALTER INDEX ledger_entries_credit RENAME TO credits_reference;
  ALTER SEQUENCE ledger_entries_position_seq RENAME TO ledger_position;
  CREATE VIEW ledger_entries AS
    SELECT id, account_id, position, type, amount_nano, balance_after_nano, description, reference_id, request_id, key_id,
      created_at
    FROM credits
    UNION ALL
    SELECT id, account_id, position, 'charge', -charged_nano, balance_after_nano, operation, id::text, request_id, key_id,
      completed_at
    FROM calls WHERE position IS NOT NULL;

  -- What accounts were charged for calls whose rows were dropped.
  CREATE TABLE carried_charges (
    account_id uuid PRIMARY KEY,
    amount_nano bigint NOT NULL
  )`;

const CONSOLE = `
  -- Of a session's secret there is the hash alone. It ends with the account's token_version.
  CREATE TABLE console_sessions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    secret_hash bytea NOT NULL,
    token_version integer NOT NULL,
    created_at timestamptz NOT NULL,
    proven_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    user_agent text NOT NULL
  );
  CREATE UNIQUE INDEX console_sessions_secret ON console_sessions (secret_hash);
  CREATE INDEX console_sessions_account ON console_sessions (account_id, created_at DESC);
  CREATE INDEX console_sessions_end ON console_sessions (expires_at);

  ALTER TABLE access_keys ADD COLUMN is_playground boolean NOT NULL DEFAULT false;

  CREATE INDEX upgrade_requests_account ON upgrade_requests (account_id, created_at DESC);

  ALTER TABLE calls ADD COLUMN model text;
  ALTER TABLE usage_hours ADD COLUMN model text, DROP CONSTRAINT usage_hours_key,
    ADD CONSTRAINT usage_hours_key UNIQUE NULLS NOT DISTINCT (account_id, hour, key_id, operation, price, model);
  ALTER TABLE usage_days ADD COLUMN model text, DROP CONSTRAINT usage_days_key,
    ADD CONSTRAINT usage_days_key UNIQUE NULLS NOT DISTINCT (account_id, day, key_id, operation, price, model)`;

const KEYS_OF_HOURS = `
  ALTER TABLE usage_hours ADD CONSTRAINT usage_hours_key
    UNIQUE NULLS NOT DISTINCT (account_id, hour, key_id, operation, price, model);
  CREATE INDEX usage_hours_open ON usage_hours (account_id, hour) WHERE NOT in_day`;

const PARTITIONED_HOURS = `
  -- usage_roll_up leaves out what it finds locked. Readers lock usage_hours before roll_ups, and so does this.
  SELECT FROM roll_ups FOR UPDATE;
  LOCK TABLE usage_hours IN ACCESS EXCLUSIVE MODE;
  -- Hours before this may be gone.
  ALTER TABLE roll_ups ADD COLUMN hours_from timestamptz NOT NULL DEFAULT '-infinity';

  ALTER TABLE usage_hours RENAME TO usage_hours_first;
  ALTER TABLE usage_hours_first RENAME CONSTRAINT usage_hours_key TO usage_hours_first_key;
  ALTER INDEX usage_hours_open RENAME TO usage_hours_first_open;
  CREATE TABLE usage_hours (LIKE usage_hours_first INCLUDING DEFAULTS) PARTITION BY RANGE (hour);
  ${KEYS_OF_HOURS};
  CREATE TABLE usage_hours_default PARTITION OF usage_hours DEFAULT;
  DO $$
  DECLARE
    v_newest timestamp := (SELECT greatest(max(hour), now()) AT TIME ZONE 'UTC' FROM usage_hours_first);
    v_month timestamptz := (date_trunc('month', v_newest) + interval '1 month') AT TIME ZONE 'UTC';
    v_next timestamptz;
  BEGIN
    EXECUTE format('ALTER TABLE usage_hours ATTACH PARTITION usage_hours_first FOR VALUES FROM (MINVALUE) TO (%L)', v_month);
    FOR v_ahead IN 1..3 LOOP
      v_next := (v_month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC';
      EXECUTE format('CREATE TABLE %I PARTITION OF usage_hours FOR VALUES FROM (%L) TO (%L) WITH (fillfactor = 50)',
        'usage_hours_' || to_char(v_month AT TIME ZONE 'UTC', 'YYYY_MM'), v_month, v_next);
      v_month := v_next;
    END LOOP;
  END $$`;

const UNPARTITIONED_HOURS = `
      CREATE TABLE hours_of_before (LIKE usage_hours INCLUDING DEFAULTS) WITH (fillfactor = 50);
      INSERT INTO hours_of_before SELECT * FROM usage_hours;
      DROP TABLE usage_hours;
      DROP FUNCTION IF EXISTS usage_hours_keep;
      DELETE FROM installed_functions WHERE name = 'usage_hours_keep';
      ALTER TABLE hours_of_before RENAME TO usage_hours;
      ${KEYS_OF_HOURS};
      ALTER TABLE roll_ups DROP COLUMN hours_from`;

type Change = string | ((runner: QueryRunner) => Promise<unknown>);

interface Migration {
  name: string;
  up: Change;
  down: Change;
  /** Changes installation tables, so runs only in the first schema of accounts. */
  isForAll?: true;
}

const ALL: readonly Migration[] = [
  {
    // A database with all replaced migrations has this schema; migrate() refuses only some.
    name: 'Baseline1765100000000',
    up: async (runner) => {
      const earlier = 'SELECT FROM migrations WHERE name = ANY ($1) LIMIT 1';
      const replaced: unknown[] = await runner.manager.query(earlier, [REPLACED_MIGRATIONS]);
      if (replaced.length === 0) {
        await runner.query(await readFile(join(__dirname, 'baseline.sql'), 'utf8'));
      }
    },
    down: neverBack('Without the baseline there is no schema: drop the database instead.'),
  },
  {
    // `valid_until` bounds the wait for a process; `must_reread`: it missed a taken right.
    name: 'ProcessLeases1765200000000',
    up: `ALTER TABLE processes ADD COLUMN valid_until timestamptz NOT NULL DEFAULT '-infinity',
      ADD COLUMN must_reread boolean NOT NULL DEFAULT false`,
    down: 'ALTER TABLE processes DROP COLUMN valid_until, DROP COLUMN must_reread',
  },
  {
    // Older entries stay: `credits` has those without a call's row, and the view ledger_entries both. Earlier
    // builds must be stopped first: they cannot settle their calls any more.
    name: 'Leases1765300000000',
    up: LEASES,
    down: neverBack('the ledger of leases cannot be taken back; restore a backup'),
  },
  {
    name: 'CachedTokens1765400000000',
    up: 'ALTER TABLE calls ADD COLUMN IF NOT EXISTS cached_tokens integer NOT NULL DEFAULT 0',
    down: 'ALTER TABLE calls DROP COLUMN cached_tokens',
  },
  {
    name: 'CacheWriteTokens1765500000000',
    up: 'ALTER TABLE calls ADD COLUMN IF NOT EXISTS cache_write_tokens integer NOT NULL DEFAULT 0',
    down: 'ALTER TABLE calls DROP COLUMN cache_write_tokens',
  },
  {
    // Browser sessions, playground keys and models of calls. Sums by model do not fit a table without it.
    name: 'Console1765600000000',
    up: CONSOLE,
    down: neverBack('sums by model cannot be taken back; restore a backup'),
  },
  {
    name: 'DaysOfAllAccounts1765700000000',
    up: `CREATE INDEX usage_days_day ON usage_days (day);
      CREATE INDEX ledger_hours_hour ON ledger_hours (hour)`,
    down: 'DROP INDEX usage_days_day, ledger_hours_hour',
  },
  {
    // The caps of all playground keys made on the account's last such UTC day.
    name: 'PlaygroundCaps1765800000000',
    up: `ALTER TABLE accounts ADD COLUMN playground_day date NOT NULL DEFAULT '-infinity',
      ADD COLUMN playground_nano bigint NOT NULL DEFAULT 0`,
    down: 'ALTER TABLE accounts DROP COLUMN playground_day, DROP COLUMN playground_nano',
  },
  {
    // Working processes; their number bounds the work in hand.
    name: 'WorkingProcesses1765900000000',
    up: 'ALTER TABLE processes ADD COLUMN works boolean NOT NULL DEFAULT false',
    down: 'ALTER TABLE processes DROP COLUMN works',
  },
  {
    // Charges up to a transaction, so that checks of the balance read only later calls.
    name: 'SummedCharges1766000000000',
    up: `ALTER TABLE carried_charges ADD COLUMN summed_nano bigint NOT NULL DEFAULT 0;
      ALTER TABLE roll_ups ADD COLUMN summed_to xid8`,
    down: `ALTER TABLE roll_ups DROP COLUMN summed_to;
      ALTER TABLE carried_charges DROP COLUMN summed_nano`,
  },
  {
    // The old table becomes the first partition, up to its newest month: reports wait, nothing is copied.
    name: 'PartitionedHours1766100000000',
    up: PARTITIONED_HOURS,
    down: async (runner) => {
      const dropped: unknown[] = await runner.manager.query(
        `SELECT FROM roll_ups WHERE hours_from > '-infinity'`,
      );
      if (dropped.length > 0) {
        throw new Error('hours that were dropped cannot be had back; restore a backup');
      }
      await runner.query(UNPARTITIONED_HOURS);
    },
  },
  {
    // How far the ledger's hourly sums became daily. Earlier daily sums stand in their day's first hour.
    name: 'DaysOfTheLedger1766200000000',
    up: `ALTER TABLE roll_ups ADD COLUMN ledger_days_to timestamptz NOT NULL DEFAULT '-infinity'`,
    down: 'ALTER TABLE roll_ups DROP COLUMN ledger_days_to',
  },
  {
    name: 'ReceiversAndReplicasOfSchemas1766300000000',
    up: async (runner) => {
      await runner.query(`
        CREATE TABLE IF NOT EXISTS slow_receivers (receiver text PRIMARY KEY, since timestamptz NOT NULL);
        CREATE TABLE IF NOT EXISTS room_replicas (replica_id uuid PRIMARY KEY, alive_until timestamptz NOT NULL)`);
      if ((await runner.getCurrentSchema()) === accountSchema(0)) {
        await runner.query('DROP TABLE IF EXISTS public.slow_receivers, public.room_replicas');
      }
    },
    down: async (runner) => {
      const schema = await runner.getCurrentSchema();
      for (const table of schema === 'public' ? [] : ['slow_receivers', 'room_replicas']) {
        await runner.query(`CREATE TABLE IF NOT EXISTS public.${table} (LIKE ${table} INCLUDING ALL)`);
        await runner.query(`DROP TABLE ${schema}.${table}`);
      }
    },
  },
  {
    name: 'RetriedRotations1766400000000',
    up: 'ALTER TABLE webhooks ADD COLUMN rotation_call text',
    down: 'ALTER TABLE webhooks DROP COLUMN rotation_call',
  },
];

export const MIGRATIONS = ALL.map(
  ({ name, up, down, isForAll }) =>
    ({
      [name]: class implements MigrationInterface {
        up = changing(up, isForAll);
        down = changing(down, isForAll);
      },
    })[name] as new () => MigrationInterface,
);

function changing(change: Change, isForAll = false) {
  return async (runner: QueryRunner) => {
    const isDone = isForAll && !['public', 'acc_0'].includes((await runner.getCurrentSchema()) ?? '');
    if (!isDone) {
      await (typeof change === 'string' ? runner.query(change) : change(runner));
    }
  };
}

function neverBack(why: string) {
  return () => Promise.reject(new Error(why));
}

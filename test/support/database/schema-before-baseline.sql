-- What the migrations before the baseline ran, in their order, without what changes only rows: the schema of a database
-- that builds before the baseline have made. It lacks the functions and the triggers, which come from files.

-- AccountsKeysLedger1763700000000
CREATE TABLE accounts (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  username text NOT NULL,
  password_hash text NOT NULL,
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  tier text NOT NULL DEFAULT 'free',
  rate_limits jsonb,
  is_active boolean NOT NULL DEFAULT true,
  is_email_verified boolean NOT NULL DEFAULT false,
  token_version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX accounts_email ON accounts (lower(email));
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));

CREATE TABLE ended_tokens (
  token_id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

CREATE TABLE upgrade_requests (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  requested_tier text NOT NULL,
  reason text NOT NULL,
  estimated_requests_per_day bigint,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX upgrade_requests_pending ON upgrade_requests (account_id) WHERE status = 'pending';
CREATE TABLE access_keys (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  preview text NOT NULL,
  secret_hash bytea NOT NULL,
  previous_secret_hash bytea,
  previous_valid_until timestamptz,
  is_active boolean NOT NULL DEFAULT true,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL,
  daily_limit_nano bigint CHECK (daily_limit_nano >= 0),
  monthly_limit_nano bigint CHECK (monthly_limit_nano >= 0),
  per_request_limit_nano bigint CHECK (per_request_limit_nano >= 0),
  timezone text NOT NULL DEFAULT 'UTC',
  spent_day date NOT NULL DEFAULT '-infinity',
  day_spent_nano bigint NOT NULL DEFAULT 0 CHECK (day_spent_nano >= 0),
  spent_month date NOT NULL DEFAULT '-infinity',
  month_spent_nano bigint NOT NULL DEFAULT 0 CHECK (month_spent_nano >= 0),
  spent_epoch integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX access_keys_secret ON access_keys (secret_hash);
CREATE UNIQUE INDEX access_keys_previous_secret ON access_keys (previous_secret_hash)
  WHERE previous_secret_hash IS NOT NULL;
CREATE INDEX access_keys_account ON access_keys (account_id, created_at DESC);
CREATE TABLE balances (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  is_open boolean NOT NULL DEFAULT true,
  balance_nano bigint NOT NULL DEFAULT 0,
  reserved_nano bigint NOT NULL DEFAULT 0 CHECK (reserved_nano >= 0),
  CONSTRAINT balances_cover_reservations CHECK (balance_nano >= reserved_nano)
) WITH (fillfactor = 50);

CREATE TABLE ledger_entries (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY,
  type text NOT NULL CHECK (type IN ('deposit', 'charge', 'refund', 'adjustment', 'bonus')),
  amount_nano bigint NOT NULL,
  balance_after_nano bigint NOT NULL CHECK (balance_after_nano >= 0),
  description text NOT NULL,
  reference_id text,
  request_id text,
  key_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX ledger_entries_account ON ledger_entries (account_id, position DESC);
CREATE UNIQUE INDEX ledger_entries_credit ON ledger_entries (account_id, reference_id)
  WHERE type IN ('deposit', 'adjustment', 'bonus');
CREATE TABLE reservations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid,
  amount_nano bigint NOT NULL CHECK (amount_nano >= 0),
  spent_day date,
  spent_month date,
  spent_epoch integer,
  operation text NOT NULL,
  request_id text NOT NULL,
  price text NOT NULL,
  price_version text NOT NULL,
  created_at timestamptz NOT NULL,
  lease_until timestamptz NOT NULL
);
CREATE INDEX reservations_lease ON reservations (lease_until);
CREATE INDEX reservations_account ON reservations (account_id);

CREATE TABLE calls (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  key_id uuid,
  request_id text NOT NULL,
  operation text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('settled', 'released', 'refused', 'expired')),
  status integer,
  price text,
  price_version text,
  input_tokens integer NOT NULL DEFAULT 0,
  output_tokens integer NOT NULL DEFAULT 0,
  reserved_nano bigint NOT NULL DEFAULT 0,
  charged_nano bigint NOT NULL DEFAULT 0,
  entry_id uuid,
  latency_ms integer,
  created_at timestamptz NOT NULL,
  completed_at timestamptz NOT NULL
);
CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
CREATE INDEX calls_account_request ON calls (account_id, request_id);

CREATE TABLE idempotency_claims (
  id text PRIMARY KEY,
  account_id uuid NOT NULL,
  request_hash text NOT NULL,
  call_id uuid NOT NULL,
  status integer,
  answer text,
  lease_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX idempotency_claims_call ON idempotency_claims (call_id);
CREATE INDEX idempotency_claims_expiry ON idempotency_claims (expires_at);

-- Memories1763700200000
CREATE TABLE memories (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  namespace text NOT NULL,
  key text NOT NULL,
  value text NOT NULL,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  expires_at timestamptz,
  search tsvector NOT NULL DEFAULT '',
  UNIQUE (account_id, namespace, key)
);
CREATE INDEX memories_account_time ON memories (account_id, created_at DESC, id DESC);
CREATE INDEX memories_search ON memories USING gin (search);
CREATE INDEX memories_metadata ON memories USING gin (metadata jsonb_path_ops);
CREATE INDEX memories_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;

-- LedgerFlush1764100000000
DROP INDEX reservations_account, reservations_lease;
ALTER TABLE reservations SET (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0);

-- UsageRollUps1764200000000
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
) WITH (fillfactor = 50);
CREATE INDEX ledger_entries_other ON ledger_entries (account_id, position DESC) WHERE type <> 'charge';
DROP INDEX calls_account_request;
CREATE INDEX calls_request ON calls (request_id, account_id);

-- CallsPartitions1764200100000
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
  v_end uuid := (lpad(to_hex((extract(epoch FROM ((date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + 1 * interval '1 month')::date)::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
BEGIN
  WITH moved AS (DELETE FROM calls_first WHERE id >= v_end RETURNING *)
    INSERT INTO calls_default SELECT * FROM moved;
  EXECUTE format('ALTER TABLE calls ATTACH PARTITION calls_first FOR VALUES FROM (MINVALUE) TO (%L)', v_end);
END $$;
DO $$
DECLARE
  v_name text;
  v_start uuid;
  v_end uuid;
BEGIN
  FOR v_ahead IN 1..3 LOOP
    v_name := 'calls_' || to_char((date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + v_ahead * interval '1 month')::date, 'YYYY_MM');
    v_start := (lpad(to_hex((extract(epoch FROM ((date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + v_ahead * interval '1 month')::date)::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    v_end := (lpad(to_hex((extract(epoch FROM ((date_trunc('month', now(), 'UTC') AT TIME ZONE 'UTC' + (v_ahead + 1) * interval '1 month')::date)::timestamp) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    EXECUTE format('CREATE TABLE %I (LIKE calls INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)', v_name);
    EXECUTE format('WITH moved AS (DELETE FROM calls_default WHERE id >= %L AND id < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', v_start, v_end, v_name);
    EXECUTE format('ALTER TABLE calls ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', v_name, v_start, v_end);
  END LOOP;
END $$;

-- Agents1764300000000
CREATE TABLE agents (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  system_prompt text,
  model text,
  temperature double precision,
  max_tokens integer,
  tools text[] NOT NULL,
  memory_enabled boolean NOT NULL,
  memory_namespace text NOT NULL,
  memory_top_k integer NOT NULL,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX agents_account_time ON agents (account_id, created_at DESC, id DESC);

-- InstalledFunctions1764400000000
CREATE TABLE installed_functions (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  installed_at timestamptz NOT NULL
);

-- ReplacedSecrets1764500000000
CREATE TABLE replaced_secrets (
  secret_hash bytea PRIMARY KEY,
  key_id uuid NOT NULL,
  valid_until timestamptz NOT NULL
);
CREATE INDEX replaced_secrets_key ON replaced_secrets (key_id);

-- EmailForms1764500100000
DROP INDEX accounts_email;
CREATE UNIQUE INDEX accounts_email ON accounts (email);

-- ClientRequestIds1764600000000
ALTER TABLE reservations ADD COLUMN client_request_id text;
ALTER TABLE calls ADD COLUMN client_request_id text;
CREATE INDEX calls_client_request ON calls (client_request_id, account_id, created_at DESC)
  WHERE client_request_id IS NOT NULL;

-- EventsWebhooks1764700000000
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  url text NOT NULL,
  receiver text NOT NULL,
  events text[] NOT NULL,
  description text,
  secret text NOT NULL,
  previous_secret text,
  previous_secret_until timestamptz,
  is_active boolean NOT NULL,
  disabled_reason text,
  failing_since timestamptz,
  last_delivered_at timestamptz,
  created_at timestamptz NOT NULL
);
CREATE INDEX webhooks_account ON webhooks (account_id, created_at);

CREATE TABLE event_subscriptions (
  account_id uuid PRIMARY KEY,
  event_types integer NOT NULL
);

CREATE TABLE events (
  id uuid PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  operation text,
  webhook_id uuid,
  occurred_at timestamptz NOT NULL,
  relayed_at timestamptz
);
CREATE INDEX events_waiting ON events (account_id, position) WHERE relayed_at IS NULL;
CREATE INDEX events_relayed ON events (relayed_at) WHERE relayed_at IS NOT NULL;

CREATE TABLE event_marks (
  account_id uuid NOT NULL,
  mark text NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (account_id, mark)
);
CREATE INDEX event_marks_held ON event_marks (held_until);

CREATE TABLE deliveries (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  webhook_id uuid NOT NULL REFERENCES webhooks ON DELETE CASCADE,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  url text NOT NULL,
  receiver text NOT NULL,
  stage text NOT NULL CHECK (stage IN ('due', 'handed', 'later', 'over')),
  status text NOT NULL CHECK (status IN ('pending', 'success', 'failed')),
  attempts_max smallint NOT NULL,
  attempt_count integer NOT NULL DEFAULT 0,
  automatic_attempts integer NOT NULL DEFAULT 0,
  is_manual boolean NOT NULL DEFAULT false,
  attempts jsonb NOT NULL DEFAULT '[]',
  response_status integer,
  response_body text,
  error_message text,
  next_attempt_at timestamptz,
  scheduled_at timestamptz,
  handed_until timestamptz,
  claimed_until timestamptz,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  failed_at timestamptz,
  abandoned_at timestamptz
);
CREATE INDEX deliveries_due ON deliveries (receiver, account_id, next_attempt_at, id) WHERE stage = 'due';
CREATE INDEX deliveries_later ON deliveries (next_attempt_at) WHERE stage = 'later';
CREATE INDEX deliveries_handed ON deliveries (handed_until) WHERE stage = 'handed';
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX deliveries_event ON deliveries (event_id);
CREATE INDEX deliveries_failed ON deliveries (failed_at) WHERE failed_at IS NOT NULL;

CREATE TABLE slow_receivers (
  receiver text PRIMARY KEY,
  since timestamptz NOT NULL
);

-- Sightings1764700100000
CREATE TABLE sightings (
  key_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('invalid_credentials', 'many_addresses')),
  seen text NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (key_id, hour, kind, seen)
);
CREATE INDEX sightings_hour ON sightings (hour);
CREATE INDEX access_keys_named ON access_keys (left(preview, 13));

-- Payments1764800000000
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  currency text NOT NULL CHECK (currency IN ('BTC', 'ETH', 'SOL')),
  network text NOT NULL,
  is_sandbox boolean NOT NULL,
  amount_nano bigint NOT NULL CHECK (amount_nano > 0),
  expected_base numeric(40, 0) NOT NULL CHECK (expected_base > 0),
  rate_nano bigint NOT NULL CHECK (rate_nano > 0),
  price_sources jsonb NOT NULL,
  places_id text NOT NULL,
  derivation_index integer NOT NULL,
  address text NOT NULL,
  reference text,
  request_id text NOT NULL,
  idempotency_id text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  status text NOT NULL CHECK (status IN ('created', 'confirming', 'confirmed', 'failed', 'expired')),
  failure_reason text,
  credits integer NOT NULL,
  credited_nano bigint NOT NULL CHECK (credited_nano >= 0),
  credited_base numeric(40, 0) NOT NULL,
  received_base numeric(40, 0) NOT NULL,
  confirmations integer NOT NULL,
  required_confirmations integer NOT NULL,
  tx_hash text,
  is_underpaid boolean NOT NULL,
  is_overpaid boolean NOT NULL,
  is_late boolean NOT NULL,
  was_confirming boolean NOT NULL,
  detected_at timestamptz,
  confirmed_at timestamptz,
  watch_until timestamptz NOT NULL,
  is_active boolean NOT NULL,
  looked_at timestamptz NOT NULL,
  version integer NOT NULL,
  review_needed boolean NOT NULL,
  review_reason text,
  review_since timestamptz,
  review_resolved_at timestamptz,
  review_resolved_by uuid,
  review_note text,
  UNIQUE (places_id, derivation_index)
);
CREATE INDEX payments_account ON payments (account_id, created_at DESC, id DESC);
CREATE INDEX payments_created ON payments (created_at DESC, id DESC);
CREATE INDEX payments_active ON payments (currency, looked_at) WHERE is_active;
CREATE INDEX payments_resting ON payments (currency, looked_at, watch_until) WHERE NOT is_active;
CREATE INDEX payments_review ON payments (created_at DESC, id DESC) WHERE review_needed;
CREATE UNIQUE INDEX payments_address ON payments (currency, network, address) WHERE reference IS NULL;
CREATE UNIQUE INDEX payments_reference ON payments (reference) WHERE reference IS NOT NULL;

CREATE TABLE payment_transfers (
  currency text NOT NULL,
  network text NOT NULL,
  transfer_id text NOT NULL,
  payment_id uuid NOT NULL REFERENCES payments,
  tx_hash text,
  amount_base numeric(40, 0) NOT NULL CHECK (amount_base >= 0),
  state text NOT NULL CHECK (state IN ('pending', 'included', 'missing', 'replaced', 'failed')),
  confirmations integer NOT NULL,
  is_final boolean NOT NULL,
  block_time timestamptz,
  first_seen_at timestamptz NOT NULL,
  is_late boolean NOT NULL,
  credited_nano bigint,
  entry_id uuid,
  position bigint GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (currency, network, transfer_id)
);
CREATE INDEX payment_transfers_payment ON payment_transfers (payment_id, position);

CREATE TABLE payment_places (
  places_id text PRIMARY KEY,
  next_index integer NOT NULL
);

CREATE TABLE chain_watches (
  currency text PRIMARY KEY,
  succeeded_at timestamptz,
  failed_at timestamptz,
  fault text,
  tip_height bigint,
  tip_time timestamptz
);

-- Rag1764900000000
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE TABLE rag_documents (
  account_id uuid NOT NULL REFERENCES accounts,
  document_id text COLLATE "C" NOT NULL,
  is_named boolean NOT NULL,
  call_id text,
  collection text NOT NULL,
  content text NOT NULL,
  content_hash bytea NOT NULL,
  metadata jsonb NOT NULL,
  language text,
  tokens integer NOT NULL,
  bytes integer NOT NULL,
  chunks integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, document_id)
);
CREATE UNIQUE INDEX rag_documents_content ON rag_documents (account_id, collection, content_hash) WHERE NOT is_named;
CREATE INDEX rag_documents_time ON rag_documents (account_id, created_at DESC, document_id DESC);
CREATE INDEX rag_documents_metadata ON rag_documents USING gin (account_id, metadata jsonb_path_ops);
CREATE TABLE rag_chunks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  document_id text COLLATE "C" NOT NULL,
  collection text NOT NULL,
  position integer NOT NULL,
  starts_at integer NOT NULL,
  ends_at integer NOT NULL,
  heading text,
  content text NOT NULL,
  search tsvector NOT NULL,
  FOREIGN KEY (account_id, document_id) REFERENCES rag_documents ON DELETE CASCADE,
  UNIQUE (account_id, document_id, position)
);
CREATE INDEX rag_chunks_search ON rag_chunks USING gin (account_id, collection, search)
  WITH (fastupdate = off);
CREATE INDEX rag_chunks_sample ON rag_chunks USING gin (account_id, collection, search)
  WITH (fastupdate = off) WHERE get_byte(uuid_send(id), 15) < 4;
CREATE TABLE rag_totals (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  documents integer NOT NULL,
  chunks integer NOT NULL
);

-- RagVectors1764900100000
CREATE TABLE rag_vectors (
  chunk_id uuid PRIMARY KEY REFERENCES rag_chunks ON DELETE CASCADE,
  account_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  dimensions integer NOT NULL,
  vector bytea NOT NULL,
  written xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CHECK (dimensions BETWEEN 1 AND 4096 AND octet_length(vector) = 4 * dimensions)
);
ALTER TABLE rag_vectors ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX rag_vectors_written ON rag_vectors (account_id, model, dimensions, written, chunk_id);

-- SearchItems1764900200000
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE TABLE search_totals (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  items integer NOT NULL
);
CREATE TABLE search_items (
  account_id uuid NOT NULL REFERENCES accounts,
  id text COLLATE "C" NOT NULL,
  title text,
  content text NOT NULL,
  url text,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  is_stemmed boolean NOT NULL,
  known_words text[] NOT NULL,
  search tsvector NOT NULL,
  is_sampled boolean NOT NULL DEFAULT random() < 1.0 / 64,
  PRIMARY KEY (account_id, id)
);
CREATE INDEX search_items_search ON search_items USING gin (account_id, search) WITH (fastupdate = off);
CREATE INDEX search_items_sample ON search_items USING gin (account_id, search) WITH (fastupdate = off)
  WHERE is_sampled;
CREATE INDEX search_items_metadata ON search_items USING gin (account_id, metadata jsonb_path_ops);
CREATE TABLE search_words (
  account_id uuid NOT NULL REFERENCES accounts,
  word text COLLATE "C" NOT NULL,
  shape text COLLATE "C" NOT NULL,
  items integer NOT NULL,
  PRIMARY KEY (word, account_id)
) WITH (fillfactor = 80);
CREATE INDEX search_words_shape ON search_words USING gin (account_id, shape gin_trgm_ops);

-- Stories1764900300000
CREATE TABLE stories (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  idempotency_id text,
  title text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('outline', 'prose')),
  content text NOT NULL,
  acts jsonb NOT NULL,
  prompt text NOT NULL,
  genre text,
  characters jsonb NOT NULL,
  length text NOT NULL,
  tone text,
  model text NOT NULL,
  finish_reason text,
  input_tokens integer NOT NULL,
  output_tokens integer NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX stories_account_time ON stories (account_id, created_at DESC, id DESC);
CREATE INDEX stories_idempotency ON stories (idempotency_id) WHERE idempotency_id IS NOT NULL;

-- Tasks1764900400000
CREATE TABLE tasks (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  key_id uuid NOT NULL,
  task_type text NOT NULL,
  parameters text NOT NULL,
  priority smallint NOT NULL,
  status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
  stage text NOT NULL CHECK (stage IN ('waiting', 'handed', 'running', 'over')),
  progress smallint NOT NULL DEFAULT 0,
  attempts smallint NOT NULL DEFAULT 0,
  call_id uuid,
  held_until timestamptz,
  not_before timestamptz,
  cancel_requested_at timestamptz,
  submission text,
  cost_nano_usd bigint NOT NULL DEFAULT 0,
  result text,
  error jsonb,
  created_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz
);
CREATE INDEX tasks_waiting ON tasks (account_id, key_id, task_type, priority DESC, created_at, id) WHERE stage = 'waiting';
CREATE INDEX tasks_in_hand ON tasks (held_until) WHERE stage IN ('handed', 'running');
CREATE INDEX tasks_unfinished ON tasks (account_id) WHERE stage <> 'over';
CREATE INDEX tasks_time ON tasks (account_id, created_at DESC, id DESC);
CREATE INDEX tasks_submission ON tasks (submission) WHERE submission IS NOT NULL;
CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE task_pauses (
  key_id uuid NOT NULL,
  task_type text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (key_id, task_type)
);
CREATE INDEX task_pauses_until ON task_pauses (until);

-- MemoriesSample1764900500000
DROP INDEX memories_search;
CREATE INDEX memories_search ON memories USING gin (account_id, search) WITH (fastupdate = off);
CREATE INDEX memories_sample ON memories USING gin (account_id, search) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(id), 15) < 4;

-- Documents1764900600000
CREATE TABLE documents (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  title text NOT NULL,
  kind text NOT NULL,
  size_bytes integer NOT NULL,
  checksum bytea NOT NULL,
  metadata jsonb NOT NULL,
  status text NOT NULL CHECK (status IN ('uploaded', 'processing', 'ready', 'failed')),
  progress smallint NOT NULL DEFAULT 0,
  error text,
  pages integer,
  language text,
  characters integer,
  tokens integer,
  chunks integer,
  is_truncated boolean NOT NULL DEFAULT false,
  is_paid boolean NOT NULL DEFAULT false,
  upload_call text,
  process_call text,
  stage text NOT NULL DEFAULT 'idle' CHECK (stage IN ('idle', 'waiting', 'handed', 'running')),
  attempts smallint NOT NULL DEFAULT 0,
  run_id uuid,
  held_until timestamptz,
  not_before timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  processed_at timestamptz
);
CREATE UNIQUE INDEX documents_checksum ON documents (account_id, checksum, kind);
CREATE INDEX documents_time ON documents (account_id, created_at DESC, id DESC);
CREATE INDEX documents_waiting ON documents (updated_at) WHERE stage = 'waiting';
CREATE INDEX documents_in_hand ON documents (held_until) WHERE stage IN ('handed', 'running');

CREATE TABLE document_bytes (
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (document_id, position)
);
ALTER TABLE document_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE document_texts (
  document_id uuid PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  content text NOT NULL,
  characters integer NOT NULL,
  title text,
  pages integer,
  tokens integer NOT NULL,
  is_cut boolean NOT NULL,
  tables jsonb NOT NULL
);

-- DocumentBounds1764900650000
ALTER TABLE documents ADD COLUMN faults smallint NOT NULL DEFAULT 0,
ADD COLUMN read_bytes integer NOT NULL DEFAULT 0;

-- Rooms1764900700000
CREATE TABLE rooms (
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  seq bigint NOT NULL,
  version bigint NOT NULL,
  state text NOT NULL,
  used_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, name)
);
CREATE INDEX rooms_used ON rooms (used_at);

CREATE TABLE room_events (
  account_id uuid NOT NULL,
  room text NOT NULL,
  seq bigint NOT NULL,
  version bigint,
  member_id uuid NOT NULL,
  data text NOT NULL,
  idempotency_key text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, room, seq),
  FOREIGN KEY (account_id, room) REFERENCES rooms ON DELETE CASCADE
);
CREATE UNIQUE INDEX room_events_once ON room_events (account_id, room, idempotency_key)
  WHERE idempotency_key IS NOT NULL;
CREATE INDEX room_events_time ON room_events (created_at);

CREATE TABLE room_replicas (
  replica_id uuid PRIMARY KEY,
  alive_until timestamptz NOT NULL
);

CREATE TABLE room_members (
  account_id uuid NOT NULL,
  room text NOT NULL,
  member_id uuid NOT NULL,
  replica_id uuid NOT NULL,
  presence text NOT NULL,
  joined_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, room, member_id),
  FOREIGN KEY (account_id, room) REFERENCES rooms ON DELETE CASCADE
);
CREATE INDEX room_members_replica ON room_members (replica_id);

-- AdminActions1764900710000
CREATE TABLE admin_actions (
  id uuid PRIMARY KEY,
  admin_id uuid NOT NULL,
  operation text NOT NULL,
  account_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  reason text,
  before jsonb NOT NULL,
  after jsonb NOT NULL,
  request_id text NOT NULL,
  idempotency_id text,
  created_at timestamptz NOT NULL
);
CREATE INDEX admin_actions_time ON admin_actions (created_at, id);
CREATE INDEX admin_actions_account ON admin_actions (account_id, created_at, id);
CREATE INDEX admin_actions_subject ON admin_actions (subject_id, created_at);

ALTER TABLE upgrade_requests
  ADD COLUMN decided_at timestamptz,
  ADD COLUMN decided_by uuid,
  ADD COLUMN note text;
CREATE INDEX upgrade_requests_time ON upgrade_requests (created_at, id);

CREATE INDEX deliveries_abandoned ON deliveries (abandoned_at, id) WHERE abandoned_at IS NOT NULL;

-- Causes1765000100000
ALTER TABLE events ADD COLUMN request_id text;
ALTER TABLE tasks ADD COLUMN request_id text;
ALTER TABLE documents ADD COLUMN request_id text;
CREATE TABLE call_traces (
  request_id text PRIMARY KEY,
  traceparent text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX call_traces_time ON call_traces (noted_at);

-- RoomKeys1765000200000
CREATE TABLE room_keys (
  account_id uuid NOT NULL,
  room text NOT NULL,
  key_hash bytea NOT NULL,
  seq bigint NOT NULL,
  version bigint,
  data_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, room, key_hash),
  FOREIGN KEY (account_id, room) REFERENCES rooms ON DELETE CASCADE
);
CREATE INDEX room_keys_place ON room_keys (account_id, room, seq);
CREATE INDEX room_keys_time ON room_keys (created_at);

-- AccountStatistics1765000300000
ALTER TABLE search_items ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE memories ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE rag_documents ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE rag_chunks ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0;
ALTER TABLE rag_vectors ALTER COLUMN account_id TYPE uuid, ALTER COLUMN account_id SET STATISTICS 0;

-- DocumentsInTurns1765000400000
DROP INDEX documents_waiting;
CREATE INDEX documents_waiting ON documents (account_id, updated_at, id) WHERE stage = 'waiting';

-- ForgottenRooms1765000500000
CREATE TABLE forgotten_rooms (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  seq bigint NOT NULL,
  version bigint NOT NULL
);

-- StoredBytes1765000600000
CREATE TABLE stored_bytes (
  account_id uuid NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);
ALTER TABLE accounts ADD COLUMN storage_bytes_max bigint CHECK (storage_bytes_max >= 0);
ALTER TABLE agents ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(name) + coalesce(octet_length(system_prompt), 0) + octet_length(memory_namespace)
+ octet_length(metadata::text) + 256) STORED;
ALTER TABLE memories ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(namespace) + octet_length(key) + octet_length(value) + octet_length(metadata::text) + 256) STORED;
ALTER TABLE stories ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(title) + octet_length(content) + octet_length(acts::text) + octet_length(prompt)
+ octet_length(characters::text) + 256) STORED;
ALTER TABLE documents ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (size_bytes::bigint + read_bytes + octet_length(name) + octet_length(title) + octet_length(metadata::text)
+ coalesce(octet_length(error), 0) + 256) STORED;
ALTER TABLE rag_documents ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(content) + octet_length(metadata::text) + 256) STORED;
ALTER TABLE rag_chunks ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(content) + coalesce(octet_length(heading), 0) + 4096 + 256) STORED;
ALTER TABLE search_items ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (coalesce(octet_length(title), 0) + octet_length(content) + coalesce(octet_length(url), 0)
+ octet_length(metadata::text) + 256) STORED;
ALTER TABLE search_words ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(word) + octet_length(shape) + 64) STORED;
ALTER TABLE webhooks ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(url) + coalesce(octet_length(description), 0) + 256) STORED;
ALTER TABLE rooms ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(name) + octet_length(state) + 256) STORED;
ALTER TABLE room_events ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(data) + coalesce(octet_length(idempotency_key), 0) + 256) STORED;
ALTER TABLE tasks ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(parameters) + coalesce(octet_length(result), 0) + coalesce(octet_length(error::text), 0)
+ 256) STORED;
ALTER TABLE idempotency_claims ADD COLUMN counted_bytes bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN answer IS NULL THEN 0 ELSE octet_length(answer) + 256 END) STORED;
ALTER TABLE agents SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE memories SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE stories SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE documents SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE rag_documents SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE rag_chunks SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE search_items SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE search_words SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE webhooks SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE rooms SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE room_events SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE tasks SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE idempotency_claims SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE document_bytes SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE document_texts SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);
ALTER TABLE rag_vectors SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000);

-- LoginAddresses1765000700000
CREATE TABLE login_addresses (
  account_id uuid NOT NULL REFERENCES accounts,
  address_hash text NOT NULL,
  logged_in_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, address_hash)
);
CREATE INDEX login_addresses_age ON login_addresses (logged_in_at);

-- Processes1765000800000
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  heartbeat_at timestamptz NOT NULL
);
ALTER TABLE reservations ADD COLUMN process_id uuid;

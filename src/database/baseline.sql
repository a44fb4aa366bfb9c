-- The schema, without functions and triggers: migrate() installs those from the sql/ folders of rooms and features.
-- Amounts of money are nano-USD in 64 bits. JSON that has to leave as it came is text; a row of text is kept by its bytes.

-- They come with Postgres, and the owner of a database may install them. btree_gin puts an account and its words into one
-- index, so that a search reads no words of other accounts; pg_trgm finds the words that a mistyped one may mean.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Of each function that migrate() has installed, the file's SHA-256.
CREATE TABLE installed_functions (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  installed_at timestamptz NOT NULL
);

-- The processes of the service, with when each was heard of last by the database's clock.
CREATE TABLE processes (
  id uuid PRIMARY KEY,
  heartbeat_at timestamptz NOT NULL
);

-- Accounts and their access keys -------------------------------------------------------------------------------------

-- `email` is in its normal form (Unicode NFKC, lower case). `storage_bytes_max` is null where the bound follows from what
-- the account has paid.
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
  created_at timestamptz NOT NULL,
  storage_bytes_max bigint CHECK (storage_bytes_max >= 0)
);
CREATE UNIQUE INDEX accounts_email ON accounts (email);
CREATE UNIQUE INDEX accounts_username ON accounts (lower(username));

CREATE TABLE ended_tokens (
  token_id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- From which blocks of addresses each account was logged into lately. The second index is for forgetting, which goes over all
-- accounts.
CREATE TABLE login_addresses (
  account_id uuid NOT NULL REFERENCES accounts,
  address_hash text NOT NULL,
  logged_in_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, address_hash)
);
CREATE INDEX login_addresses_age ON login_addresses (logged_in_at);

CREATE TABLE upgrade_requests (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES accounts,
  requested_tier text NOT NULL,
  reason text NOT NULL,
  estimated_requests_per_day bigint,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at timestamptz NOT NULL,
  decided_at timestamptz,
  decided_by uuid,
  note text
);
CREATE UNIQUE INDEX upgrade_requests_pending ON upgrade_requests (account_id) WHERE status = 'pending';
CREATE INDEX upgrade_requests_time ON upgrade_requests (created_at, id);

-- What admins did. No foreign keys: the actions outlive what they concern. An idempotency id may return after a day, for
-- another action.
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

-- The state of a key and the sums it has spent share one row, so that a charge and a revocation exclude each other. Half of
-- each page stays free, so that the sums change within it. The previous secret is unused: replaced_secrets has it. The last
-- index finds the keys that the beginning of a secret names.
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
CREATE UNIQUE INDEX access_keys_previous_secret ON access_keys (previous_secret_hash) WHERE previous_secret_hash IS NOT NULL;
CREATE INDEX access_keys_account ON access_keys (account_id, created_at DESC);
CREATE INDEX access_keys_named ON access_keys (left(preview, 13));

-- The secrets that rotations have replaced, while their overlap runs. No foreign key: its triggers would be asked at each
-- charge that updates a key's sums. Whoever deletes a key deletes these rows in the same transaction.
CREATE TABLE replaced_secrets (
  secret_hash bytea PRIMARY KEY,
  key_id uuid NOT NULL,
  valid_until timestamptz NOT NULL
);
CREATE INDEX replaced_secrets_key ON replaced_secrets (key_id);

-- What was observed of an access key in an hour, of accounts that subscribe to anomalies: how many calls with a wrong secret
-- named it, and from which addresses it was used. `seen` is the fingerprint of an address where the kind is many_addresses,
-- and empty otherwise.
CREATE TABLE sightings (
  key_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('invalid_credentials', 'many_addresses')),
  seen text NOT NULL,
  calls integer NOT NULL,
  PRIMARY KEY (key_id, hour, kind, seen)
);
CREATE INDEX sightings_hour ON sightings (hour);

-- The ledger ---------------------------------------------------------------------------------------------------------

CREATE TABLE balances (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  is_open boolean NOT NULL DEFAULT true,
  balance_nano bigint NOT NULL DEFAULT 0,
  reserved_nano bigint NOT NULL DEFAULT 0 CHECK (reserved_nano >= 0),
  CONSTRAINT balances_cover_reservations CHECK (balance_nano >= reserved_nano)
) WITH (fillfactor = 50);

-- The index of what is no charge costs nothing to charges, which are nearly all entries.
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
CREATE INDEX ledger_entries_other ON ledger_entries (account_id, position DESC) WHERE type <> 'charge';
CREATE UNIQUE INDEX ledger_entries_credit ON ledger_entries (account_id, reference_id)
  WHERE type IN ('deposit', 'adjustment', 'bonus');

-- The calls in flight. They are few enough to be read as a whole, so that another index would only make each call more
-- expensive. Each call leaves a dead row behind, so autovacuum comes often. A reservation without a process ends with its
-- lease.
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
  lease_until timestamptz NOT NULL,
  client_request_id text,
  process_id uuid
) WITH (autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_scale_factor = 0);

CREATE TABLE idempotency_claims (
  id text PRIMARY KEY,
  account_id uuid NOT NULL,
  request_hash text NOT NULL,
  call_id uuid NOT NULL,
  status integer,
  answer text,
  lease_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN answer IS NULL THEN 0 ELSE octet_length(answer) + 256 END) STORED
);
CREATE INDEX idempotency_claims_call ON idempotency_claims (call_id);
CREATE INDEX idempotency_claims_expiry ON idempotency_claims (expires_at);

-- Calls and their sums -----------------------------------------------------------------------------------------------

-- Partitioned by month, so that old calls are dropped as whole tables. An id is a UUIDv7, whose first 48 bits are the time at
-- which it was made: so a range of ids is a span of time, and the primary key is unique over all months. The ids of requests
-- grow with time too; as the first column of an index they put the new rows of all accounts to one end of it. A caller may
-- give one id of its own to many calls, so that index has the time: the newest of a million is found as fast as an only one.
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
  completed_at timestamptz NOT NULL,
  client_request_id text
) PARTITION BY RANGE (id);
CREATE INDEX calls_account_time ON calls (account_id, created_at DESC);
CREATE INDEX calls_request ON calls (request_id, account_id);
CREATE INDEX calls_client_request ON calls (client_request_id, account_id, created_at DESC)
  WHERE client_request_id IS NOT NULL;

-- The first partition ends with the present month, and three months ahead have their own. The default partition takes the
-- calls that fit no other one, so that no call fails for lack of a partition.
CREATE TABLE calls_default PARTITION OF calls DEFAULT;
DO $$
DECLARE
  v_month timestamp := date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month';
  v_name text := 'calls_first';
  v_start text := 'MINVALUE';
  v_end uuid;
BEGIN
  FOR v_ahead IN 0..3 LOOP
    v_end := (lpad(to_hex((extract(epoch FROM v_month) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;
    EXECUTE format('CREATE TABLE %I PARTITION OF calls FOR VALUES FROM (%s) TO (%L)', v_name, v_start, v_end);
    v_name := 'calls_' || to_char(v_month, 'YYYY_MM');
    v_start := quote_literal(v_end);
    v_month := v_month + interval '1 month';
  END LOOP;
END $$;
ALTER INDEX calls_first_account_id_created_at_idx RENAME TO calls_first_account_time;
ALTER INDEX calls_first_request_id_account_id_idx RENAME TO calls_first_request;

-- The trace of a request follows from its id; only where the request was part of another trace, this table tells which.
CREATE TABLE call_traces (
  request_id text PRIMARY KEY,
  traceparent text NOT NULL,
  noted_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX call_traces_time ON call_traces (noted_at);

-- Hourly sums of calls and ledger, which triggers update in the transaction that writes the rows. The sums of a day are made
-- of its hours by a background job, once the day is over. Half of each page of the hours stays free, so that the sums change
-- within their page and without touching an index; only the rows of the current hour do.
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

-- Events and their deliveries ----------------------------------------------------------------------------------------

-- `receiver` is host and port of the URL. `failing_since` is the first failure since the last success.
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
  created_at timestamptz NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(url) + coalesce(octet_length(description), 0) + 256) STORED
);
CREATE INDEX webhooks_account ON webhooks (account_id, created_at);

-- For each account the union of what its active webhooks subscribe to, as bits (event_bit), and no row for none.
CREATE TABLE event_subscriptions (
  account_id uuid PRIMARY KEY,
  event_types integer NOT NULL
);

-- The outbox: what changes a fact writes its event in the same transaction, and the relay makes one delivery of it for each
-- webhook. An event with a webhook_id is for that webhook alone, subscribed or not: it is a test. `operation` names the
-- operation that caused it, from which the payload gets its route and method.
CREATE TABLE events (
  id uuid PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  account_id uuid NOT NULL,
  event_type text NOT NULL,
  data json NOT NULL,
  operation text,
  webhook_id uuid,
  occurred_at timestamptz NOT NULL,
  relayed_at timestamptz,
  request_id text
);
CREATE INDEX events_waiting ON events (account_id, position) WHERE relayed_at IS NULL;
CREATE INDEX events_relayed ON events (relayed_at) WHERE relayed_at IS NOT NULL;

-- A mark is held until a time; whoever takes it writes the event, so that it is written once in that time.
CREATE TABLE event_marks (
  account_id uuid NOT NULL,
  mark text NOT NULL,
  held_until timestamptz NOT NULL,
  PRIMARY KEY (account_id, mark)
);
CREATE INDEX event_marks_held ON event_marks (held_until);

-- The truth about deliveries: what the queue knows can be lost, and is queued again. `stage`: due (waits to be queued), handed
-- (is with the queue, until handed_until at the latest), later (its next attempt is at next_attempt_at) or over.
-- `scheduled_at` is the time of the next automatic attempt, which a manual retry in between does not change; null where
-- there is none. While it is claimed, one job makes its attempt. Abandoned ones are listed over all accounts.
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
CREATE INDEX deliveries_abandoned ON deliveries (abandoned_at, id) WHERE abandoned_at IS NOT NULL;

CREATE TABLE slow_receivers (
  receiver text PRIMARY KEY,
  since timestamptz NOT NULL
);

-- Payments -----------------------------------------------------------------------------------------------------------

-- Amounts of coins are in the smallest unit, of which a wei does not fit into 64 bits. `is_active`: its end, or the credit of
-- a transfer, waits for the chain; the others are looked at less often, until watch_until. An address is shared only where
-- each payment has a reference of its own. `version` grows with each change.
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

-- A transfer belongs to one payment, whichever claims it first: one that carries two references would else be credited
-- twice. `credited_nano` is null until it is settled, 0 where that brought nothing.
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

-- The next index of each key that addresses are derived from, counted up in the transaction of the payment: a sequence would
-- leave gaps, and wallets stop looking for coins after 20 unused addresses.
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

-- What accounts store ------------------------------------------------------------------------------------------------

-- How many bytes each account stores in all, in several rows that are added up (storage_add). A row of a table below counts
-- for its `counted_bytes`: those of its texts, and 256 for the rest of it and its place in indexes. A document counts for its
-- parts as well, a chunk 4 KiB for its vector, and a claim for the answer that is kept. No foreign key: its check would lock
-- the account in each settlement that keeps an answer.
CREATE TABLE stored_bytes (
  account_id uuid NOT NULL,
  slot bigint GENERATED ALWAYS AS IDENTITY,
  bytes bigint NOT NULL,
  PRIMARY KEY (account_id, slot)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200);

-- An account has 1,000 agents at most, so one index is enough for every order of their list.
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
  updated_at timestamptz NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(name) + coalesce(octet_length(system_prompt), 0)
    + octet_length(memory_namespace) + octet_length(metadata::text) + 256) STORED
);
CREATE INDEX agents_account_time ON agents (account_id, created_at DESC, id DESC);

-- In the tables that are searched, the index of the words has no pending list, which every search would have to read, and one
-- row of 64 is in the sample, from which a search learns how frequent a word is. The last byte of an id is random. They
-- gather no statistics of their accounts: those gathered before an account stored most of its rows would say that it has
-- hardly any, and a plan for one row takes longer for thousands than a statement may. Without them Postgres takes every
-- account for a large one.
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
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(namespace) + octet_length(key) + octet_length(value)
    + octet_length(metadata::text) + 256) STORED,
  UNIQUE (account_id, namespace, key)
);
ALTER TABLE memories ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX memories_account_time ON memories (account_id, created_at DESC, id DESC);
CREATE INDEX memories_search ON memories USING gin (account_id, search) WITH (fastupdate = off);
CREATE INDEX memories_sample ON memories USING gin (account_id, search) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(id), 15) < 4;
CREATE INDEX memories_metadata ON memories USING gin (metadata jsonb_path_ops);
CREATE INDEX memories_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;

-- Indexed documents, their chunks and the vectors of these.
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
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(content) + octet_length(metadata::text) + 256) STORED,
  PRIMARY KEY (account_id, document_id)
);
ALTER TABLE rag_documents ALTER COLUMN account_id SET STATISTICS 0;
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
  counted_bytes bigint NOT NULL
    GENERATED ALWAYS AS (octet_length(content) + coalesce(octet_length(heading), 0) + 4096 + 256) STORED,
  FOREIGN KEY (account_id, document_id) REFERENCES rag_documents ON DELETE CASCADE,
  UNIQUE (account_id, document_id, position)
);
ALTER TABLE rag_chunks ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX rag_chunks_search ON rag_chunks USING gin (account_id, collection, search) WITH (fastupdate = off);
CREATE INDEX rag_chunks_sample ON rag_chunks USING gin (account_id, collection, search) WITH (fastupdate = off)
  WHERE get_byte(uuid_send(id), 15) < 4;

CREATE TABLE rag_totals (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  documents integer NOT NULL,
  chunks integer NOT NULL
);

-- A vector is 32-bit floats, little-endian, of length 1. Numbers do not compress, so Postgres does not try to. `written` says
-- to those who keep vectors in memory which ones are new. Where the server has pgvector, the service itself adds a column in
-- which pgvector can search (src/retrieval).
CREATE TABLE rag_vectors (
  chunk_id uuid PRIMARY KEY REFERENCES rag_chunks ON DELETE CASCADE,
  account_id uuid NOT NULL,
  model text COLLATE "C" NOT NULL,
  dimensions integer NOT NULL,
  vector bytea NOT NULL,
  written xid8 NOT NULL DEFAULT pg_current_xact_id(),
  CHECK (dimensions BETWEEN 1 AND 4096 AND octet_length(vector) = 4 * dimensions)
);
ALTER TABLE rag_vectors ALTER COLUMN account_id SET STATISTICS 0, ALTER COLUMN vector SET STORAGE EXTERNAL;
CREATE INDEX rag_vectors_written ON rag_vectors (account_id, model, dimensions, written, chunk_id);

-- Items that are searched, and the words by which mistyped queries are corrected, each with the number of items that have it.
-- The key of the words begins with the word: were it the account, Postgres would read all words of an account of which it has
-- no statistics yet.
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
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (coalesce(octet_length(title), 0) + octet_length(content)
    + coalesce(octet_length(url), 0) + octet_length(metadata::text) + 256) STORED,
  PRIMARY KEY (account_id, id)
);
ALTER TABLE search_items ALTER COLUMN account_id SET STATISTICS 0;
CREATE INDEX search_items_search ON search_items USING gin (account_id, search) WITH (fastupdate = off);
CREATE INDEX search_items_sample ON search_items USING gin (account_id, search) WITH (fastupdate = off) WHERE is_sampled;
CREATE INDEX search_items_metadata ON search_items USING gin (account_id, metadata jsonb_path_ops);

CREATE TABLE search_words (
  account_id uuid NOT NULL REFERENCES accounts,
  word text COLLATE "C" NOT NULL,
  shape text COLLATE "C" NOT NULL,
  items integer NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(word) + octet_length(shape) + 64) STORED,
  PRIMARY KEY (word, account_id)
) WITH (fillfactor = 80);
CREATE INDEX search_words_shape ON search_words USING gin (account_id, shape gin_trgm_ops);

CREATE TABLE search_totals (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  items integer NOT NULL
);

-- An account has 10,000 stories at most, so one index is enough for every order of their list. A retry of a call finds by the
-- other index the story that an earlier try has stored.
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
  created_at timestamptz NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(title) + octet_length(content) + octet_length(acts::text)
    + octet_length(prompt) + octet_length(characters::text) + 256) STORED
);
CREATE INDEX stories_account_time ON stories (account_id, created_at DESC, id DESC);
CREATE INDEX stories_idempotency ON stories (idempotency_id) WHERE idempotency_id IS NOT NULL;

-- Operations that run in the background. This table is the truth: what the queue knows can be lost, and is queued again.
-- `stage` is what the relay goes by, where `status` is what the owner sees: waiting (may be queued), handed (is with the
-- queue) or running (is with a worker), both until held_until at the latest, or over. A task whose worker died waits again,
-- and its status stays `running`. `call_id` is the call of the latest attempt: whoever has another one may not write.
-- `submission` names the call that submitted the task, so that a retry of that call finds it.
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
  expires_at timestamptz,
  request_id text,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(parameters) + coalesce(octet_length(result), 0)
    + coalesce(octet_length(error::text), 0) + 256) STORED
);
CREATE INDEX tasks_waiting ON tasks (account_id, key_id, task_type, priority DESC, created_at, id) WHERE stage = 'waiting';
CREATE INDEX tasks_in_hand ON tasks (held_until) WHERE stage IN ('handed', 'running');
CREATE INDEX tasks_unfinished ON tasks (account_id) WHERE stage <> 'over';
CREATE INDEX tasks_time ON tasks (account_id, created_at DESC, id DESC);
CREATE INDEX tasks_submission ON tasks (submission) WHERE submission IS NOT NULL;
CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;

-- Until when calls of a key and of one type would be beyond their rate.
CREATE TABLE task_pauses (
  key_id uuid NOT NULL,
  task_type text NOT NULL,
  until timestamptz NOT NULL,
  PRIMARY KEY (key_id, task_type)
);
CREATE INDEX task_pauses_until ON task_pauses (until);

-- Uploaded files. `stage` is what the relay goes by, where `status` is what the owner sees: idle (nothing is to be done),
-- waiting (may be queued), handed (is with the queue) or running (is with a worker), both until held_until at the latest.
-- `run_id` is the latest attempt: whoever has another one may not write; `faults` is how many attempts have ended in a fault
-- of the service. `upload_call` and `process_call` are those by which the document was uploaded and processed, so that their
-- retries get the same answer. By documents_waiting the relay finds the accounts that have waiting documents, and the oldest
-- of each, without reading the others: thousands of one account would keep it from the later ones of another.
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
  processed_at timestamptz,
  faults smallint NOT NULL DEFAULT 0,
  read_bytes integer NOT NULL DEFAULT 0,
  request_id text,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (size_bytes::bigint + read_bytes + octet_length(name)
    + octet_length(title) + octet_length(metadata::text) + coalesce(octet_length(error), 0) + 256) STORED
);
CREATE UNIQUE INDEX documents_checksum ON documents (account_id, checksum, kind);
CREATE INDEX documents_time ON documents (account_id, created_at DESC, id DESC);
CREATE INDEX documents_waiting ON documents (account_id, updated_at, id) WHERE stage = 'waiting';
CREATE INDEX documents_in_hand ON documents (held_until) WHERE stage IN ('handed', 'running');

-- In pieces and uncompressed: most formats are compressed already, and a range is read without the rest. The bytes are stored
-- before the document, so that calls which store the same file at once wait for each other only at the end.
CREATE TABLE document_bytes (
  document_id uuid NOT NULL REFERENCES documents ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (document_id, position)
);
ALTER TABLE document_bytes ALTER COLUMN bytes SET STORAGE EXTERNAL;

-- The text of a document is read before the call that reads it is paid for, and then has no owner yet: `documents` says what
-- was paid.
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

-- Rooms --------------------------------------------------------------------------------------------------------------

CREATE TABLE rooms (
  account_id uuid NOT NULL REFERENCES accounts,
  name text NOT NULL,
  seq bigint NOT NULL,
  version bigint NOT NULL,
  state text NOT NULL,
  used_at timestamptz NOT NULL,
  counted_bytes bigint NOT NULL GENERATED ALWAYS AS (octet_length(name) + octet_length(state) + 256) STORED,
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
  counted_bytes bigint NOT NULL
    GENERATED ALWAYS AS (octet_length(data) + coalesce(octet_length(idempotency_key), 0) + 256) STORED,
  PRIMARY KEY (account_id, room, seq),
  FOREIGN KEY (account_id, room) REFERENCES rooms ON DELETE CASCADE
);
CREATE UNIQUE INDEX room_events_once ON room_events (account_id, room, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE INDEX room_events_time ON room_events (created_at);

-- The idempotency keys of events that are kept no more, as hashes, so that a row is small whatever a client sends.
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

-- The highest place and version of the rooms of an account that were deleted: a room that is made later begins after them.
CREATE TABLE forgotten_rooms (
  account_id uuid PRIMARY KEY REFERENCES accounts,
  seq bigint NOT NULL,
  version bigint NOT NULL
);

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

-- What is stored is vacuumed once 2 % of its rows and 200 more are dead, where Postgres waits for 20 %, and what it keeps of
-- long texts, in pieces of 2 KB, once 2 % and 1,000 are: so that deleted bytes are soon free for others.
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['agents', 'memories', 'stories', 'documents', 'document_bytes', 'document_texts',
    'rag_documents', 'rag_chunks', 'rag_vectors', 'search_items', 'search_words', 'webhooks', 'rooms', 'room_events', 'tasks',
    'idempotency_claims'] LOOP
    EXECUTE format('ALTER TABLE %I SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 200,
      autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_vacuum_insert_threshold = 1000,
      toast.autovacuum_vacuum_scale_factor = 0.02, toast.autovacuum_vacuum_threshold = 1000)', v_table);
  END LOOP;
END $$;

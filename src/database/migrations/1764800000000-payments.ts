import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Payments, the transfers that arrived for them, the next index of each key that addresses are derived from, and when each
 * chain was looked at last.
 */
export class Payments1764800000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query([PAYMENTS, TRANSFERS, PLACES, WATCHES].join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE chain_watches, payment_places, payment_transfers, payments');
  }
}

// Amounts of coins are in the smallest unit, of which a wei does not fit into 64 bits. `is_active`: its end, or the credit of a
// transfer, waits for the chain; the others are looked at less often, until watch_until. An address is shared only where each
// payment has a reference of its own. `version` grows with each change.
const PAYMENTS = `
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
  CREATE UNIQUE INDEX payments_reference ON payments (reference) WHERE reference IS NOT NULL;`;

// A transfer belongs to one payment, whichever claims it first: one that carries two references would else be credited twice.
// `credited_nano` is null until it is settled, 0 where that brought nothing.
const TRANSFERS = `
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
  CREATE INDEX payment_transfers_payment ON payment_transfers (payment_id, position);`;

// A row that is counted up in the transaction of the payment: a sequence would leave gaps, and wallets stop looking for
// coins after 20 unused addresses.
const PLACES = `
  CREATE TABLE payment_places (
    places_id text PRIMARY KEY,
    next_index integer NOT NULL
  );`;

const WATCHES = `
  CREATE TABLE chain_watches (
    currency text PRIMARY KEY,
    succeeded_at timestamptz,
    failed_at timestamptz,
    fault text,
    tip_height bigint,
    tip_time timestamptz
  );`;

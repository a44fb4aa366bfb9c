import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The outbox of events, the webhooks and their deliveries. What changes a fact writes its event into `events` in the same
 * transaction; the relay makes one delivery of it for each webhook, and hands the deliveries that are due to the queue.
 * These tables are the truth: what the queue knows can be lost and is handed over again.
 */
export class EventsWebhooks1764700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query([WEBHOOKS, EVENTS, DELIVERIES].join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE slow_receivers, deliveries, event_marks, events, event_subscriptions, webhooks;
      DROP FUNCTION IF EXISTS events_wake`);
  }
}

// `receiver` is host and port of the URL. `failing_since` is the first failure since the last success. event_subscriptions
// holds for each account the union of what its active webhooks subscribe to, as bits (event_bit), and no row for none.
const WEBHOOKS = `
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
  );`;

// An event with a webhook_id is for that webhook alone, subscribed or not: it is a test. `operation` names the operation
// that caused the event, from which the payload gets its route and method. A mark is held until a time; whoever takes it
// writes the event, so that it is written once in that time.
const EVENTS = `
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
  CREATE INDEX event_marks_held ON event_marks (held_until);`;

// `stage`: due (waits to be handed to the queue), handed (is with the queue, until handed_until at the latest), later (its
// next attempt is at next_attempt_at) or over. `scheduled_at` is the time of the next automatic attempt, which a manual
// retry in between does not change; null where there is none. While it is claimed, one job makes its attempt.
const DELIVERIES = `
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
  );`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Rooms of accounts, what was said and changed in them, and who is there through which replica. JSON is kept as text, so
 * that it leaves as it came.
 */
export class Rooms1764900700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROOMS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE room_replicas, room_members, room_events, rooms');
  }
}

const ROOMS = `
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
  CREATE INDEX room_members_replica ON room_members (replica_id);`;

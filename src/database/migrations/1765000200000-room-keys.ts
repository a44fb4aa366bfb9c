import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The idempotency keys of what was said in rooms and is kept no more. Hashes in place of keys and data, so that a row is small
 * whatever a client sends. Keys of what is kept stay in room_events, where builds before this one look for them.
 */
export class RoomKeys1765000200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(ROOM_KEYS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE room_keys');
  }
}

const ROOM_KEYS = `
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
  CREATE INDEX room_keys_time ON room_keys (created_at);`;

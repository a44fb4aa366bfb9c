import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The files that accounts upload, and what was read from them. Bytes are stored in pieces, uncompressed: most formats are
 * compressed already, and a range is then read without the rest.
 */
export class Documents1764900600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(DOCUMENTS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE document_texts, document_bytes, documents');
  }
}

// `stage` is what the relay goes by, where `status` is what the owner sees: idle (nothing is to be done), waiting (may be
// handed to the queue), handed (is with the queue) or running (is with a worker), both until held_until at the latest.
// `run_id` is the latest attempt: whoever has another one may not write. `upload_call` and `process_call` are those by which
// the document was uploaded and processed, so that their retries are told the same. The text of a document is read before
// the call that reads it is paid for, and then has no owner yet: `documents` says what was paid. The bytes are stored before
// the document, so that calls which store the same file at once wait for each other only at the end.
const DOCUMENTS = `
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
  );`;

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The indexed documents of accounts and their chunks. An index over account and words together looks at no words of other
 * accounts; it needs btree_gin, which comes with Postgres and which the owner of a database may install. The indices have
 * no pending lists, which every search would have to read. One chunk of 64 is in the sample, from which a search learns
 * how frequent a word is.
 */
export class Rag1764900000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      );`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rag_totals; DROP TABLE rag_chunks; DROP TABLE rag_documents');
  }
}

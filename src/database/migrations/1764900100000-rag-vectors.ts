import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The vectors of chunks: 32-bit floats, little-endian, of length 1. `written` tells those who keep vectors in memory
 * which ones are new. Numbers do not compress, so Postgres does not try to. Where the server has pgvector, the service
 * itself adds a column in which pgvector can search (src/retrieval).
 */
export class RagVectors1764900100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
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
      CREATE INDEX rag_vectors_written ON rag_vectors (account_id, model, dimensions, written, chunk_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE rag_vectors');
  }
}

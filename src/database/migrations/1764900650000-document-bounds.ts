import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What bounds a document apart from how often it was begun: how many of these attempts have ended in a fault of the service, and
 * how many bytes the text and the tables have that were read from it, which count among those of its account.
 */
export class DocumentBounds1764900650000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE documents ADD COLUMN faults smallint NOT NULL DEFAULT 0,
        ADD COLUMN read_bytes integer NOT NULL DEFAULT 0;
      UPDATE documents d SET read_bytes = octet_length(t.content) + octet_length(t.tables::text)
      FROM document_texts t WHERE t.document_id = d.id;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE documents DROP COLUMN faults, DROP COLUMN read_bytes');
  }
}

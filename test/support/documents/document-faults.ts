import type { DataSource } from 'typeorm';

/** What is wrong with documents whose processing should have ended, one line per fault. */
export async function faultsInDocuments(database: DataSource): Promise<string[]> {
  const checks = await Promise.all(
    Object.entries(CHECKS).map(async ([name, sql]) => {
      const rows: unknown[] = await database.query(sql);
      return rows.map((row) => `${name}: ${JSON.stringify(row)}`);
    }),
  );
  return checks.flat();
}

/** What a document that has ended would leave behind: a worker's hold, chunks that belong to nobody. */
const CHECKS = {
  'a document has not ended': `SELECT id, status, stage FROM documents WHERE status = 'processing'`,
  'a document is still held': `
    SELECT id, status, stage FROM documents WHERE stage <> 'idle' OR run_id IS NOT NULL OR held_until IS NOT NULL`,
  'a document and its index differ': `
    SELECT d.id, d.status, d.chunks FROM documents d LEFT JOIN rag_documents r ON r.document_id = d.id::text
    WHERE (d.status = 'ready') <> (r.document_id IS NOT NULL)
      OR d.chunks <> (SELECT count(*) FROM rag_chunks c WHERE c.document_id = d.id::text)`,
  'chunks are left of a document that is gone': `
    SELECT DISTINCT document_id FROM rag_chunks
    WHERE collection = 'documents' AND document_id NOT IN (SELECT id::text FROM documents)`,
};

import { withClient } from '../bench-postgres';

/**
 * Fills up an account's chunks with copies of those that it has, in one further document, and has the tables cleaned up as
 * Postgres does by itself in time.
 */
export async function fillWithCopies(databaseUrl: string, accountId: string, chunks: number): Promise<void> {
  const values = [accountId, `copies-up-to-${chunks}`];
  // A connection of its own, because the service's statements have little time.
  await withClient(databaseUrl, async (client) => {
    await client.query(DOCUMENT, values);
    await client.query(CHUNKS, [...values, chunks]);
    await client.query('VACUUM ANALYZE rag_chunks');
  });
}

const DOCUMENT = `
  INSERT INTO rag_documents (account_id, document_id, is_named, collection, content, content_hash, metadata, tokens, bytes,
    chunks, created_at, updated_at)
  VALUES ($1, $2, true, 'default', '', '', '{}', 0, 0, 0, now(), now())`;

const CHUNKS = `
  WITH present AS MATERIALIZED (
    SELECT * FROM rag_chunks WHERE account_id = $1
  ), missing AS (
    SELECT greatest(0, $3 - count(*)) AS count, ceil($3 / count(*)::numeric)::integer AS times FROM present
  )
  INSERT INTO rag_chunks (id, account_id, document_id, collection, position, starts_at, ends_at, heading, content, search)
  SELECT gen_random_uuid(), account_id, $2, collection, row_number() OVER (), starts_at, ends_at, heading, content, search
  FROM missing, generate_series(1, times), present LIMIT (SELECT count FROM missing)`;

import type { IndexedRagDocument, IndexRagDocumentRequest, RagRetrieval } from '../../../generated/types';
import type { RetrieveRagChunksRequest } from '../../../generated/types';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';

/** Indexes a document by the API, the owner's unless another account is named. */
export async function indexDocument(
  world: World,
  body: Partial<IndexRagDocumentRequest> = {},
  account: TestAccount = world.owner,
): Promise<IndexedRagDocument> {
  const sent = { content: 'The library opens at nine.', ...body };
  const answer = await callAs('indexRagDocument', world, { body: sent }, account);
  expect([answer.status, answer.body.message]).toEqual([201, undefined]);
  return answer.body.data;
}

/** Retrieves by the API what the owner has indexed. */
export async function retrieveChunks(
  world: World,
  body: Partial<RetrieveRagChunksRequest> = {},
): Promise<RagRetrieval['results']> {
  const answer = await callAs('retrieveRagChunks', world, { body: { query: 'library', ...body } });
  expect(answer.status).toBe(200);
  return answer.body.data.results;
}

/** The id of a document of the owner's that no call has stored, so that no rate counts it and nothing knows the key. */
export async function documentOf(world: World): Promise<string> {
  const documentId = `stored-${world.owner.id}`;
  const now = world.service.clock.now();
  await world.service.database.query(
    `INSERT INTO rag_documents VALUES ($1, $2, true, null, 'default', 'Stored.', '', '{}', null, 2, 7, 1, $3, $3)
     ON CONFLICT DO NOTHING`,
    [world.owner.id, documentId, now],
  );
  return documentId;
}

/** The ids of what the owner has indexed, past every layer that could hide some of it. */
export async function storedDocuments(world: World): Promise<string[]> {
  const rows: { document_id: string }[] = await world.service.database.query(
    'SELECT document_id FROM rag_documents WHERE account_id = $1 ORDER BY created_at, document_id',
    [world.owner.id],
  );
  return rows.map((row) => row.document_id);
}

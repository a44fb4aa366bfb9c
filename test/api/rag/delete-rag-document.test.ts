import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { documentOf, indexDocument, storedDocuments } from '../../support/api/index-document';
import { documentOf as uploadedDocumentOf } from '../../support/api/store-document';

describeOperation(
  'deleteRagDocument',
  async (world) => ({ params: { document_id: await documentOf(world) } }),
  (status) => {
    status(
      409,
      'leaves the entry of an uploaded document, and names the call that deletes it',
      async (world) => {
        const document_id = await uploadedDocumentOf(world);
        const none = await callAs('deleteRagDocument', world, { params: { document_id } });
        expect(none.status).toBe(404);
        await world.service.database.query(
          `INSERT INTO rag_documents VALUES ($1, $2, true, null, 'documents', 'Mara.', '', '{}', null, 2, 5, 1, $3, $3)`,
          [world.owner.id, document_id, world.service.clock.now()],
        );
        const answer = await callAs('deleteRagDocument', world, { params: { document_id } });
        expect([answer.status, answer.body.message]).toEqual([
          409,
          `The entry belongs to an uploaded document; DELETE /api/documents/${document_id} deletes both.`,
        ]);
        expect(await storedDocuments(world)).toEqual([document_id]);
        const strangers = await callAs(
          'deleteRagDocument',
          world,
          { params: { document_id } },
          world.stranger,
        );
        expect(strangers.status).toBe(404);
        await callAs('deleteDocument', world, { params: { doc_id: document_id } });
        expect(await storedDocuments(world)).toEqual([]);
      },
    );

    status(204, 'deletes this document alone, with its chunks', async (world) => {
      await indexDocument(world, { document_id: 'gone' });
      await indexDocument(world, { document_id: 'kept' });
      await indexDocument(world, { document_id: 'gone' }, world.stranger);
      const answer = await callAs('deleteRagDocument', world, { params: { document_id: 'gone' } });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(await storedDocuments(world)).toEqual(['kept']);
      const { data } = (await callAs('getRagStats', world, {})).body;
      expect(data).toMatchObject({ documents: 1, chunks: 1 });
    });

    status(204, 'deletes once when ten deletions race', async (world) => {
      const params = { document_id: (await indexDocument(world)).document_id };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => callAs('deleteRagDocument', world, { params })),
      );
      expect(answers.map((answer) => answer.status).sort()).toEqual([204, ...Array<number>(9).fill(404)]);
      expect((await indexDocument(world)).deduplicated).toBe(false);
    });

    status(204, 'leaves all of a document or nothing when it is indexed at the same time', async (world) => {
      const content = 'The library opens at nine. '.repeat(200);
      const calls = Array.from({ length: 6 }, (_, turn) => [
        indexDocument(world, { document_id: 'd', content: `${turn} ${content}` }),
        callAs('deleteRagDocument', world, { params: { document_id: 'd' } }),
      ]);
      await Promise.all(calls.flat());
      const found = await callAs('getRagDocument', world, { params: { document_id: 'd' } });
      const chunks: { count: string }[] = await world.service.database.query(
        'SELECT count(*) FROM rag_chunks WHERE account_id = $1',
        [world.owner.id],
      );
      expect(Number(chunks[0]?.count)).toBe(found.status === 200 ? found.body.data.chunks : 0);
    });
  },
);

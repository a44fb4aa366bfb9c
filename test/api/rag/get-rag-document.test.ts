import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { documentOf, indexDocument } from '../../support/api/index-document';

describeOperation(
  'getRagDocument',
  async (world) => ({ params: { document_id: await documentOf(world) } }),
  (status) => {
    status(404, 'finds no document by an id that none can have', async (world) => {
      for (const id of ['a b', 'é', 'x'.repeat(129), "'", '%00', '..%2f']) {
        const answer = await callAs('getRagDocument', world, { params: { document_id: id } });
        expect([id, answer.status]).toEqual([id, 404]);
      }
    });

    status(200, 'returns the document as it was indexed, free of charge', async (world) => {
      const content = ' Die Bibliothek öffnet um neun Uhr und schließt am Abend um acht. \r\n😀\n';
      const body = { content, collection: 'c', metadata: { a: [null] }, document_id: 'A-z_0.9:@~' };
      const { tokens } = await indexDocument(world, body);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getRagDocument', world, { params: { document_id: body.document_id } });
      const now = world.service.clock.now().toISOString();
      expect(answer.body.data).toEqual({
        ...body,
        chunks: 1,
        tokens,
        bytes: Buffer.byteLength(content),
        language: 'de',
        created_at: now,
        updated_at: now,
      });
      expect(answer.body.metadata.cost).toBe(0);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  },
);

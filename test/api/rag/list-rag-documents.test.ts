import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { indexDocument } from '../../support/api/index-document';
import type { World } from '../../support/api/world';

describeOperation(
  'listRagDocuments',
  () => ({}),
  (status) => {
    status(200, "lists the account's own documents without their content, free of charge", async (world) => {
      await index(world, ['first', 'second', 'third']);
      await indexDocument(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      const { data } = (await callAs('listRagDocuments', world, {})).body;
      expect(data.documents.map((each) => each.document_id)).toEqual(['third', 'second', 'first']);
      expect(data).toMatchObject({ total: 3, limit: 20, offset: 0, truncated: false });
      expect(data.documents[0]).not.toHaveProperty('content');
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'lists a period, a collection, a page, in each order', async (world) => {
      await index(world, ['b', 'c', 'a']);
      world.service.clock.advance(1000);
      await indexDocument(world, { document_id: 'b', content: 'New.', collection: 'other' });
      expect(await ids(world, { sort: 'document_id', order: 'asc' })).toEqual(['a', 'b', 'c']);
      expect(await ids(world, { sort: 'updated_at' })).toEqual(['b', 'a', 'c']);
      expect(await ids(world, { order: 'asc' })).toEqual(['b', 'c', 'a']);
      expect(await ids(world, { collection: 'other' })).toEqual(['b']);
      expect(await ids(world, { limit: 1, offset: 1 })).toEqual(['c']);
      const now = world.service.clock.now().getTime();
      const period = {
        start_date: new Date(now - 2000).toISOString(),
        end_date: new Date(now - 1000).toISOString(),
      };
      expect(await ids(world, period)).toEqual(['c']);
    });

    status(200, 'ends a page before a mebibyte of JSON, says so, and goes on behind it', async (world) => {
      const metadata = { note: '\n'.repeat(8_100) };
      await Promise.all(
        Array.from({ length: 80 }, (_, each) => indexDocument(world, { document_id: `d${each}`, metadata })),
      );
      const first = (await callAs('listRagDocuments', world, { query: { limit: 100 } })).body.data;
      expect([first.truncated, first.total, first.limit]).toEqual([true, 80, first.documents.length]);
      expect(Buffer.byteLength(JSON.stringify(first))).toBeLessThanOrEqual(1024 * 1024);
      const query = { limit: 100, offset: first.limit };
      const last = (await callAs('listRagDocuments', world, { query })).body.data;
      const all = [...first.documents, ...last.documents].map((each) => each.document_id);
      expect([new Set(all).size, last.truncated]).toEqual([80, false]);
    });
  },
);

async function ids(world: World, query: Record<string, unknown>): Promise<string[]> {
  const answer = await callAs('listRagDocuments', world, { query });
  expect(answer.status).toBe(200);
  return answer.body.data.documents.map((each) => each.document_id);
}

/** Indexes documents a second apart. */
async function index(world: World, documentIds: string[]): Promise<void> {
  for (const documentId of documentIds) {
    world.service.clock.advance(1000);
    await indexDocument(world, { document_id: documentId });
  }
}

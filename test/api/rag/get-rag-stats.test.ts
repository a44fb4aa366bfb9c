import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { indexDocument } from '../../support/api/index-document';

describeOperation(
  'getRagStats',
  () => ({}),
  (status) => {
    status(200, 'counts nothing of another account, free of charge', async (world) => {
      await indexDocument(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('getRagStats', world, {});
      const none = { documents: 0, chunks: 0, tokens: 0, bytes: 0, collections: [] };
      expect(answer.body.data).toEqual({ ...none, oldest_at: null, newest_at: null });
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(
      200,
      'counts documents, chunks, tokens and bytes, and says of which time they are',
      async (world) => {
        const { clock } = world.service;
        const oldestAt = clock.now().toISOString();
        const first = await indexDocument(world, {
          content: 'Bücher. '.repeat(300),
          collection: 'b',
          document_id: 'd',
        });
        clock.advance(1000);
        const second = await indexDocument(world, { content: 'Ü.', collection: 'a' });
        await indexDocument(world, { content: 'Ü.', collection: 'a' });
        clock.advance(1000);
        await indexDocument(world, { content: 'Third.', collection: 'b', document_id: 'e' });
        const answer = await callAs('getRagStats', world, {});
        expect(first.chunks).toBeGreaterThan(1);
        expect(answer.body.data).toEqual({
          documents: 3,
          chunks: first.chunks + 2,
          tokens: first.tokens + second.tokens + 2,
          bytes: 300 * 9 + 3 + 6,
          collections: [
            { collection: 'b', documents: 2, chunks: first.chunks + 1 },
            { collection: 'a', documents: 1, chunks: 1 },
          ],
          oldest_at: oldestAt,
          newest_at: clock.now().toISOString(),
        });
      },
    );
  },
);

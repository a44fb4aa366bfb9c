import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { casesOf } from '../../support/texts/text-cases';
import { indexDocument, retrieveChunks } from '../../support/api/index-document';

const SEARCHED = casesOf<{ id: string; content: string; queries: string[] }>('search');

describeOperation(
  'retrieveRagChunks',
  (_, variant) => ({ body: { query: `library ${variant}` } }),
  (status) => {
    status(200, 'finds nothing where nothing is indexed, for the fixed price', async (world) => {
      await indexDocument(world, {}, world.stranger);
      const before = await world.balanceNanoUsd();
      const answer = await callAs('retrieveRagChunks', world, { body: { query: 'library' } });
      expect(answer.body.data).toEqual({ results: [], total: 0 });
      expect(before - (await world.balanceNanoUsd())).toBe(200_000n);
    });

    status(
      200,
      'quotes what answers the query from where it stands, and says how it was found',
      async (world) => {
        const content = `# Opening hours\n\nThe library opens at nine on weekdays.\n\n# Fees\n\n${'A card is free. '.repeat(90)}`;
        const metadata = { topic: 'hours', nested: { list: [1, null] } };
        await indexDocument(world, { content, metadata, collection: 'support', document_id: 'handbook' });
        const body = { query: 'When does the library open?', top_k: 1 };
        const answer = await callAs('retrieveRagChunks', world, { body });
        const [chunk] = answer.body.data.results;
        expect(chunk).toMatchObject({ document_id: 'handbook', collection: 'support', metadata });
        expect(chunk?.heading).toBe('Opening hours');
        expect(content.slice(chunk?.start, chunk?.end)).toBe(chunk?.text);
        expect([Number(chunk?.score) > 0, Number(chunk?.score) <= 1]).toEqual([true, true]);
        const engine = { provider: 'embedded', method: 'bm25', quality: 'basic' };
        expect(answer.body.metadata).toMatchObject({ engine, cost: 0.0002 });
      },
    );

    status(200, 'puts the right document first, in each language', async (world) => {
      const contents = {
        tides: 'High tide follows low tide after about six hours, because the moon pulls the sea towards it.',
        bread: 'Sourdough rises overnight. Bake the loaf for forty minutes in a hot oven, then let it cool.',
        Brot: 'Der Sauerteig ruht über Nacht. Danach wird das Brot vierzig Minuten lang im Ofen gebacken.',
        хлеб: 'Закваска стоит всю ночь. Затем хлеб пекут сорок минут в горячей печи и дают ему остыть.',
        パン: '酵母を一晩寝かせます。それからパンを四十分焼きます。',
      };
      for (const [title, content] of Object.entries(contents)) {
        await indexDocument(world, { content, metadata: { title } });
      }
      const queries: Record<string, keyof typeof contents> = {
        'what does the moon do': 'tides',
        'how long to bake a loaf': 'bread',
        'Wie lange wird Brot gebacken?': 'Brot',
        'Сколько минут пекут хлеб?': 'хлеб',
        パンは何分焼きますか: 'パン',
      };
      for (const [query, title] of Object.entries(queries)) {
        const [best] = await retrieveChunks(world, { query });
        expect([query, best?.metadata]).toEqual([query, { title }]);
      }
    });

    status(200, 'narrows by collection, metadata and score', async (world) => {
      await indexDocument(world, { collection: 'a', metadata: { tags: ['x', 'y'] }, document_id: 'ax' });
      await indexDocument(world, { collection: 'b', metadata: { tags: ['x'] }, document_id: 'bx' });
      await indexDocument(world, { collection: 'b', document_id: 'b', content: 'A library card.' });
      const ids = async (body: object) =>
        (await retrieveChunks(world, body)).map((chunk) => chunk.document_id).sort();
      expect(await ids({})).toEqual(['ax', 'b', 'bx']);
      expect(await ids({ collection: 'b' })).toEqual(['b', 'bx']);
      expect(await ids({ filter: { tags: ['x'] } })).toEqual(['ax', 'bx']);
      expect(await ids({ filter: { tags: ['y'] } })).toEqual(['ax']);
      expect(await ids({ collection: 'b', filter: { tags: ['y'] } })).toEqual([]);
      expect(await ids({ query: 'library card', min_score: 0.3 })).toEqual(['b']);
      expect(await ids({ query: 'library zebra', min_score: 0.7 })).toEqual([]);
      expect(await ids({ top_k: 2 })).toHaveLength(2);
    });

    status(200, 'finds a deleted document no more', async (world) => {
      const { document_id: documentId } = await indexDocument(world);
      expect(await retrieveChunks(world)).toHaveLength(1);
      await callAs('deleteRagDocument', world, { params: { document_id: documentId } });
      expect(await retrieveChunks(world)).toEqual([]);
    });

    status(200, 'takes a query of 10,000 characters, of which the first 64 words count', async (world) => {
      await indexDocument(world, { content: 'word63 stands here.', document_id: 'in' });
      await indexDocument(world, { content: 'word64 stands there.', document_id: 'out' });
      const query = Array.from({ length: 1_100 }, (_, index) => `word${index}`).join(' ');
      const found = await retrieveChunks(world, { query: query.slice(0, 10_000) });
      expect(found.map((chunk) => chunk.document_id)).toEqual(['in']);
    });

    status(200, 'finds divided, inflected and joined words of several languages', async (world) => {
      for (const { id, content } of SEARCHED) {
        await indexDocument(world, { document_id: id, content });
      }
      const asked = SEARCHED.flatMap(({ id, queries }) => queries.map((query) => ({ id, query })));
      expect(asked).toHaveLength(7);
      for (const { id, query } of asked) {
        const [best] = await retrieveChunks(world, { query });
        expect([query, best?.document_id]).toEqual([query, id]);
      }
    });
  },
);

import fc from 'fast-check';
import type { SearchRequest } from '../../../generated/types';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { searchItems, storeSearchItems } from '../../support/api/store-search-items';
import type { World } from '../../support/api/world';
import { eventLoopMsOf, processorMsOf } from '../../support/processor-time';

const SHOP = [
  {
    id: 'sencha',
    title: 'Green tea',
    content: 'A mild tea from Uji, picked in May.',
    metadata: { stock: 12, tags: ['jp'] },
  },
  {
    id: 'matcha',
    title: 'Matcha',
    content: 'Ground green tea of Japan; teas like this are whisked.',
    metadata: { stock: 0 },
  },
  {
    id: 'kettle',
    title: 'Kettle',
    content: 'Boils the water for a green cup of tea.',
    metadata: { stock: 3 },
  },
  {
    id: 'espresso',
    title: 'Espresso',
    content: 'A dark coffee from the mountains of Guatemala.',
    metadata: {},
  },
  {
    id: 'kanne',
    title: 'Teekanne',
    content: 'Die große Teekanne aus Porzellan ist für grünen Tee und für Kräutertee sehr gut geeignet.',
  },
  {
    id: 'samowar',
    title: 'Самовар',
    content: 'Большой медный самовар, в котором долго остаётся горячей вода для зелёного чая.',
  },
  { id: 'tokyo', title: null, content: '東京の緑茶はとても美味しいです。' },
];

describeOperation(
  'search',
  (_, variant) => ({ body: { query: `anything ${variant}` } }),
  (status) => {
    status(200, 'finds nothing where nothing is stored, for the fixed price', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('search', world, {
        body: { query: 'green tea -matcha', limit: 20, offset: 0 },
      });
      expect(answer.body.data).toEqual({
        results: [],
        total: 0,
        limit: 20,
        offset: 0,
        truncated: false,
        corrected_query: null,
      });
      expect(answer.body.metadata).toMatchObject({
        cost: 0.0002,
        engine: { provider: 'embedded', method: 'bm25', quality: 'basic' },
      });
      expect(before - (await world.balanceNanoUsd())).toBe(200_000n);
    });

    status(200, 'returns what is stored of an item with the part that fits', async (world) => {
      await storeSearchItems(world, SHOP);
      const { results, total } = await searchItems(world, { query: 'green tea -matcha -boils' });
      expect(total).toBe(1);
      expect(results[0]).toEqual({
        id: 'sencha',
        title: 'Green tea',
        snippet: 'A mild tea from Uji, picked in May.',
        highlights: [{ start: 7, end: 10 }],
        score: expect.any(Number),
        url: null,
        metadata: { stock: 12, tags: ['jp'] },
      });
      expect(results[0]?.score).toBeGreaterThan(0);
    });

    status(200, 'finds words, phrases and no more than is wanted, in several languages', async (world) => {
      await storeSearchItems(world, SHOP);
      const found: Record<string, string[]> = {
        'green tea': ['kettle', 'matcha', 'sencha'],
        GREEN: ['kettle', 'matcha', 'sencha'],
        '"green tea"': ['matcha', 'sencha'],
        '“green TEAS”': ['matcha', 'sencha'],
        '"tea green"': [],
        '"tea a mild"': [],
        '"green tea" whisk': ['matcha', 'sencha'],
        '"green tea" -whisk': ['sencha'],
        '"green tea" "ground green"': ['matcha'],
        'tea -"green tea"': ['kettle'],
        'mountain -coffee': [],
        mountain: ['espresso'],
        'tea -tea': [],
        '-tea': [],
        'the of': [],
        '"cup of tea"': ['kettle'],
        '"cup tea"': [],
        '"from the" mountain': ['espresso'],
        'grunen KRÄUTERTEE': ['kanne'],
        '"grünen Tee"': ['kanne'],
        '"Tee grünen"': [],
        'Самовар -медный': [],
        зеленого: ['samowar'],
        '"горячей вода"': ['samowar'],
        '"вода горячей"': [],
        緑茶: ['tokyo'],
        '"緑茶"': ['tokyo'],
        '"茶緑"': [],
      };
      const all = Object.keys(found).map(async (query) => [query, await idsOf(world, { query })] as const);
      expect(Object.fromEntries(await Promise.all(all))).toEqual(found);
    });

    status(200, 'puts an item first whose title has the words', async (world) => {
      await storeSearchItems(world, SHOP);
      expect((await searchItems(world, { query: 'green tea' })).results[0]?.id).toBe('sencha');
      expect((await searchItems(world, { query: 'matcha tea' })).results[0]?.id).toBe('matcha');
    });

    status(200, 'highlights the words in the snippet', async (world) => {
      await storeSearchItems(world, SHOP);
      const marked = async (query: string) =>
        (await searchItems(world, { query })).results.map(({ id, snippet, highlights }) => [
          id,
          highlights.map(({ start, end }) => snippet.slice(start, end)),
        ]);
      expect(await marked('japan "green tea"')).toEqual([
        ['matcha', ['green', 'tea', 'Japan', 'teas']],
        ['sencha', ['tea']],
      ]);
      expect(await marked('гор зелёного')).toEqual([['samowar', ['зелёного']]]);
      expect(await marked('緑茶')).toEqual([['tokyo', ['緑茶']]]);
    });

    status(
      200,
      'ranks a few items alike, whichever are the sample for the frequency of words',
      async (world) => {
        await storeSearchItems(world, SHOP);
        for (const sample of ['false', 'true', "id = 'matcha'", "id = 'sencha'"]) {
          await world.service.database.query(
            `UPDATE search_items SET is_sampled = ${sample} WHERE account_id = $1`,
            [world.owner.id],
          );
          const { results } = await searchItems(world, { query: 'japan "green tea"' });
          expect(results.map(({ id }) => id)).toEqual(['matcha', 'sencha']);
        }
      },
    );

    status(200, 'corrects mistyped words where nothing else is found, and says so', async (world) => {
      await storeSearchItems(world, SHOP);
      const corrected: Record<string, [string | null, string[]]> = {
        'montains of Guatemla': ['mountains of guatemala', ['espresso']],
        expresso: ['espresso', ['espresso']],
        '"grean  Tea"': ['"green  Tea"', ['matcha', 'sencha']],
        'mattcha -"greeen tea"': ['matcha -"greeen tea"', ['matcha']],
        Teekane: ['teekanne', ['kanne']],
        Porzelan: ['porzellan', ['kanne']],
        Krautertea: ['kräutertee', ['kanne']],
        самавар: ['самовар', ['samowar']],
        зеленаго: ['зелёного', ['samowar']],
        'tea grean': [null, ['kettle', 'matcha', 'sencha']],
        xylophone: [null, []],
        '"tea green"': [null, []],
      };
      const all = Object.keys(corrected).map(async (query) => {
        const { corrected_query, results } = await searchItems(world, { query });
        return [query, [corrected_query, results.map(({ id }) => id).sort()]] as const;
      });
      expect(Object.fromEntries(await Promise.all(all))).toEqual(corrected);
      expect(await searchItems(world, { query: 'expresso', filter: { stock: 1 } })).toMatchObject({
        total: 0,
        corrected_query: null,
      });
    });

    status(200, 'finds nothing of another account, and corrects nothing by its words', async (world) => {
      await storeSearchItems(world, SHOP);
      for (const query of ['green tea', 'expresso', 'самавар']) {
        expect(await searchItems(world, { query }, world.stranger)).toMatchObject({
          results: [],
          total: 0,
          corrected_query: null,
        });
      }
      await storeSearchItems(world, [{ id: 'sencha', content: 'Not tea but expressway' }], world.stranger);
      expect(await searchItems(world, { query: 'expresso' }, world.stranger)).toMatchObject({
        total: 1,
        corrected_query: 'expressway',
      });
      expect((await searchItems(world, { query: 'expresso' })).corrected_query).toBe('espresso');
    });

    status(200, 'searches within metadata', async (world) => {
      await storeSearchItems(world, SHOP);
      expect(await idsOf(world, { query: 'tea', filter: { stock: 3 } })).toEqual(['kettle']);
      expect(await idsOf(world, { query: 'tea', filter: { tags: ['jp'] } })).toEqual(['sencha']);
      expect(await idsOf(world, { query: 'tea', filter: { stock: '3' } })).toEqual([]);
    });

    status(200, 'sorts as asked, and pages without a gap or a repetition', async (world) => {
      for (let index = 0; index < 7; index += 1) {
        const title = index === 3 ? null : `t${(index * 3) % 7}`;
        await storeSearchItems(world, [{ id: `i${index}`, title, content: `tea ${'x '.repeat(index)}` }]);
        world.service.clock.advance(1000);
      }
      await storeSearchItems(world, [{ id: 'i0', title: 't0', content: 'tea' }]);
      const sorted = async (sort: SearchRequest['sort'], order: SearchRequest['order']) => {
        const pages = await Promise.all(
          [0, 3, 6, 9].map((offset) => searchItems(world, { query: 'tea', sort, order, limit: 3, offset })),
        );
        expect(pages.map(({ total, limit }) => [total, limit])).toEqual(Array(4).fill([7, 3]));
        return pages.flatMap(({ results }) => results.map(({ id }) => id)).join(' ');
      };
      expect(await sorted('score', 'desc')).toBe('i0 i3 i1 i2 i4 i5 i6');
      expect(await sorted('created_at', 'asc')).toBe('i0 i1 i2 i3 i4 i5 i6');
      expect(await sorted('created_at', 'desc')).toBe('i6 i5 i4 i3 i2 i1 i0');
      expect(await sorted('updated_at', 'asc')).toBe('i1 i2 i3 i4 i5 i6 i0');
      expect(await sorted('title', 'asc')).toBe('i0 i5 i1 i6 i4 i2 i3');
      expect(await sorted('title', 'desc')).toBe('i2 i4 i6 i1 i5 i0 i3');
    });

    status(200, 'ends the page before a mebibyte of JSON, and says so', async (world) => {
      const filling = 'x'.repeat(16_000);
      for (let batch = 0; batch < 2; batch += 1) {
        await storeSearchItems(
          world,
          Array.from({ length: 50 }, (_, index) => ({
            id: `${batch}-${index}`,
            content: 'tea',
            metadata: { filling },
          })),
        );
      }
      const page = await searchItems(world, { query: 'tea', limit: 100 });
      expect([page.total, page.truncated, page.limit]).toEqual([100, true, page.results.length]);
      expect(page.results.length).toBeGreaterThan(40);
      expect(page.results.length).toBeLessThan(66);
    });

    status(200, 'takes any text for a query', async (world) => {
      await storeSearchItems(world, SHOP);
      const pieces = fc.oneof(
        fc.constantFrom(
          '"',
          '-',
          ' ',
          '&',
          '|',
          '!',
          '<->',
          ':*',
          "'",
          '\\',
          '(',
          'tea',
          'the',
          '½',
          'ี',
          '-"',
          'grean',
        ),
        fc.string({ unit: 'grapheme', maxLength: 8 }),
      );
      const queries = fc
        .array(pieces, { minLength: 1, maxLength: 20 })
        .map((parts) => parts.join('').replaceAll('\0', '').slice(0, 999))
        .filter((query) => query !== '' && query.isWellFormed());
      await fc.assert(
        fc.asyncProperty(queries, async (query) => {
          expect((await callAs('search', world, { body: { query } })).status).toBe(200);
        }),
        { numRuns: 60 },
      );
    });

    status(200, 'leaves most of its work on long contents to threads', async (world) => {
      const content = 'tea '.repeat(25_000);
      for (let batch = 0; batch < 4; batch += 1) {
        await storeSearchItems(
          world,
          Array.from({ length: 9 }, (_, index) => ({ id: `${batch}-${index}`, content })),
        );
      }
      await searchItems(world, { query: 'tea', limit: 100 });
      let processMs = 0;
      const loopMs = await eventLoopMsOf(async () => {
        processMs = await processorMsOf(async () => {
          expect((await searchItems(world, { query: 'tea', limit: 100 })).results).toHaveLength(36);
        });
      });
      expect(loopMs).toBeLessThan(processMs / 2);
    });
  },
);

async function idsOf(world: World, body: Partial<SearchRequest>): Promise<string[]> {
  return (await searchItems(world, body)).results.map(({ id }) => id).sort();
}

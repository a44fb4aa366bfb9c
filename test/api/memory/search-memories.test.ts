import fc from 'fast-check';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { processorMsOf } from '../../support/processor-time';
import { storeMemory } from '../../support/api/store-memory';
import type { World } from '../../support/api/world';

/** What an assistant might remember of somebody. */
const MEMORIES = {
  name: 'Alice Johnson',
  preferredLanguage: 'French',
  job: 'Works as a marine biologist at the aquarium in Lisbon.',
  family: 'Has two daughters, Emma and Zoë; they go to school in Cascais.',
  'favourite-food': 'Loves pasta with mushrooms, cannot stand olives.',
  allergy: 'Peanuts and shellfish, so no shrimp cocktail either.',
  travel: 'Flies to Tokyo on 2026-03-14 with flight TP1234; the hotel is booked until March 20.',
  contact: 'Write to alice.johnson@example.com or call +351 21 555 0199.',
  deployment: 'Runs service-mesh v2.14.3; its configuration is in /etc/mesh/config.yaml.',
  'meeting notes': 'She said “budget approved” — the project’s deadline moved to June.',
  hobby: 'Läuft gerne Marathon und wandert in den Bergen.',
  pet: '猫の名前はタマです。毎日魚を食べます。',
  city: '她住在里斯本，喜欢喝咖啡。',
  korean: '한국어를 배우고 있습니다.',
  thai: 'ชอบกินข้าวผัด',
  car: 'Drives an old Citroën 2CV.',
};

describeOperation(
  'searchMemories',
  (_, variant) => ({ body: { query: `anything ${variant}` } }),
  (status) => {
    status(200, 'finds nothing where nothing is stored, for the fixed price', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await callAs('searchMemories', world, { body: { query: 'anything' } });
      expect(answer.body.data).toEqual({ results: [], total: 0, truncated: false });
      expect(answer.headers).toMatchObject({ 'x-request-cost': '0.0001', 'x-tokens-used': '0' });
      expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
    });

    status(200, 'puts the right one of a handful of memories first', async (world) => {
      await remember(world);
      const questions: Record<string, keyof typeof MEMORIES> = {
        "What is the user's name?": 'name',
        alice: 'name',
        'Which language does the customer prefer?': 'preferredLanguage',
        preferred_language: 'preferredLanguage',
        'Where does she work? biologist or teacher?': 'job',
        'working biologists': 'job',
        "daughters' school": 'family',
        zoe: 'family',
        'What FOOD does Alice love?': 'favourite-food',
        mushroom: 'favourite-food',
        'is she allergic to shrimps, allergy': 'allergy',
        tp1234: 'travel',
        'flight 2026-03-14': 'travel',
        'alice.johnson@example.com': 'contact',
        'example.com': 'contact',
        '555-0199': 'contact',
        'config.yaml': 'deployment',
        'service mesh version v2.14.3': 'deployment',
        budget: 'meeting notes',
        'project deadline': 'meeting notes',
        'marathon LÄUFT': 'hobby',
        lauft: 'hobby',
        猫: 'pet',
        名前は何ですか: 'pet',
        咖啡: 'city',
        한국어: 'korean',
        ข้าวผัด: 'thai',
        citroen: 'car',
        ＣＩＴＲＯＥＮ: 'car',
        'Citroe\u0308n': 'car',
      };
      const found = Object.keys(questions).map(async (query) => [query, (await keysOf(world, { query }))[0]]);
      expect(Object.fromEntries((await Promise.all(found)) as [string, string][])).toEqual(questions);
    });

    status(
      200,
      'returns the memories as they are stored, with falling scores, no more than asked for',
      async (world) => {
        await remember(world);
        const memory = await storeMemory(world, {
          key: 'tea',
          value: 'Drinks tea.',
          metadata: { a: 1 },
          ttl_seconds: 60,
        });
        const answer = await callAs('searchMemories', world, {
          body: { query: 'drinks tea, drives, loves', limit: 2 },
        });
        const { results, total } = answer.body.data;
        expect([total, results.length, results[0]?.memory]).toEqual([2, 2, memory]);
        const scores = results.map(({ score }) => score);
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
        expect(Math.min(...scores)).toBeGreaterThan(0);
      },
    );

    status(200, 'looks for the words of the newest value only', async (world) => {
      await storeMemory(world, { value: 'apples' });
      await storeMemory(world, { value: 'pears' });
      expect(await keysOf(world, { query: 'apples' })).toEqual([]);
      expect(await keysOf(world, { query: 'pears' })).toEqual(['k']);
    });

    status(200, 'searches within a namespace and within metadata', async (world) => {
      await storeMemory(world, { key: 'a', value: 'tea', namespace: 'x', metadata: { tags: ['hot'], n: 1 } });
      await storeMemory(world, { key: 'b', value: 'tea', namespace: 'y', metadata: { tags: ['cold'] } });
      expect((await keysOf(world, { query: 'tea' })).sort()).toEqual(['a', 'b']);
      expect(await keysOf(world, { query: 'tea', namespace: 'y' })).toEqual(['b']);
      expect(await keysOf(world, { query: 'tea', metadata: { tags: ['hot'] } })).toEqual(['a']);
      expect(await keysOf(world, { query: 'tea', namespace: 'y', metadata: { tags: ['hot'] } })).toEqual([]);
    });

    status(200, 'finds nothing of another account and nothing that has expired', async (world) => {
      await storeMemory(world, { key: 'theirs', value: 'tea' }, world.stranger);
      await storeMemory(world, { key: 'short', value: 'tea', ttl_seconds: 1 });
      await storeMemory(world, { key: 'long', value: 'tea', ttl_seconds: 2 });
      world.service.clock.advance(1000);
      expect(await keysOf(world, { query: 'tea' })).toEqual(['long']);
    });

    status(200, 'takes no character of a query for an operator', async (world) => {
      await storeMemory(world, { key: 'a', value: 'red' });
      await storeMemory(world, { key: 'b', value: 'blue' });
      const either = [
        'red & blue',
        'red | blue',
        'red <-> blue',
        'red -blue',
        'red !blue',
        '"red blue"',
        'red:* blue',
      ];
      for (const query of [
        ...either,
        "red' | 'blue",
        'red\\ blue',
        'red OR blue',
        '(red blue',
        '%red_blue$1',
      ]) {
        expect([query, (await keysOf(world, { query })).sort()]).toEqual([query, ['a', 'b']]);
      }
      for (const query of [
        "'",
        '\\',
        ':*',
        '!',
        '()',
        '<->',
        ' ',
        '🙂',
        '\u0301',
        'the of and',
        're',
        'r*d',
        '*',
      ]) {
        expect([query, await keysOf(world, { query })]).toEqual([query, []]);
      }
    });

    status(200, 'answers the longest queries soon', async (world) => {
      await storeMemory(world, { key: 'tea', value: 'tea 茶' });
      const queries = [
        `tea ${'x'.repeat(9_996)}`,
        `tea ${'\u0315\u0300'.repeat(4_998)}`,
        `茶${'語'.repeat(9_999)}`,
        `tea ${Array.from({ length: 5_000 }, (_, index) => index % 10).join(' ')}`.slice(0, 10_000),
      ];
      const neededMs = await processorMsOf(async () => {
        for (const query of queries) {
          expect(await keysOf(world, { query })).toEqual(['tea']);
        }
      });
      expect(neededMs).toBeLessThan(5_000);
    });

    status(200, 'finds every text by itself, whatever it consists of', async (world) => {
      const texts = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
      await fc.assert(
        fc.asyncProperty(texts, async (text) => {
          const [namespace, query] = [`n-${text}`, `${text} and tea`];
          await storeMemory(world, { namespace, value: query });
          expect(await keysOf(world, { query, namespace })).toEqual(['k']);
          expect((await callAs('searchMemories', world, { body: { query: text } })).status).toBe(200);
        }),
        { numRuns: 40 },
      );
    });

    status(200, 'ends the list before a mebibyte of JSON, and says so', async (world) => {
      for (let index = 0; index < 4; index += 1) {
        await storeMemory(world, { key: `k${index}`, value: `tea ${'x '.repeat(199_998)}` });
      }
      const { data } = (await callAs('searchMemories', world, { body: { query: 'tea', limit: 3 } })).body;
      expect([data.results.length, data.total, data.truncated]).toEqual([2, 2, true]);
      const few = (await callAs('searchMemories', world, { body: { query: 'tea', limit: 2 } })).body.data;
      expect([few.results.length, few.truncated]).toEqual([2, false]);
    });
  },
);

async function remember(world: World): Promise<void> {
  const items = Object.entries(MEMORIES).map(([key, value]) => ({ key, value }));
  expect((await callAs('createMemoryBatch', world, { body: { items } })).status).toBe(201);
}

async function keysOf(world: World, body: object): Promise<string[]> {
  const answer = await callAs('searchMemories', world, { body });
  expect(answer.status).toBe(200);
  return answer.body.data.results.map(({ memory }) => memory.key);
}

import { RagIndexing } from '../../../src/retrieval/rag-indexing';
import { ChunkRetrieval } from '../../../src/retrieval/rag-retrieval';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { indexDocument } from '../../support/api/index-document';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const SLEPT = 'Gardeners slept 31 minutes longer than their neighbours [4].';
const SHORE = 'The light of the shore lengthens the sleep of gardeners.';
const TRIAL = `The trial lasted twelve weeks. ${SLEPT}`;
const REVIEW = `A review of light. ${SHORE}`;
const QUESTION = 'How much longer have gardeners slept?';
const BASE_NANO_USD = 4_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'researchScholar',
  async (world, variant) => {
    await indexFree(world);
    return { body: { question: `${QUESTION} ${'?'.repeat(variant)}`, max_tokens: 50 } };
  },
  (status) => {
    status(402, 'searches nothing for a caller without credit', async (world) => {
      await indexFree(world);
      const retrieve = jest.spyOn(world.service.app.get(ChunkRetrieval), 'retrieve');
      await world.setBalanceUsd(world.owner, '0.01');
      expect((await ask(world)).status).toBe(402);
      expect([retrieve.mock.results, await world.balanceNanoUsd()]).toEqual([[], 10_000_000n]);
    });

    status(404, 'refuses a model that is not there where names are strict, free of charge', async (world) => {
      await indexFree(world);
      const before = await world.balanceNanoUsd();
      expect((await ask(world, { model: 'gpt-9' })).status).toBe(404);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'leaves out and counts findings that cite nothing or what there is not', async (world) => {
      await indexFree(world);
      const citations = [{ source: 1, quote: SLEPT }];
      for (const [finding, told] of [
        [
          { text: 'They slept longer [9].', citations: [{ source: 9, quote: SLEPT }] },
          'has no quote for [9]',
        ],
        [{ text: 'They slept longer.', citations }, 'cites no source'],
        [{ text: 'They slept longer [1].', citations: [{ source: 1, quote: 'They sang.' }] }, 'They sang.'],
        [{ text: 'They slept longer [1][2].', citations }, 'has no quote for [2]'],
      ] as const) {
        const model = scriptModel(world, [{ content: JSON.stringify({ findings: [finding] }) }]);
        const { data } = (await ask(world, { max_tokens: 300 })).body;
        expect(data).toMatchObject({ found: false, findings: [], bibliography: [] });
        expect([data.dropped > 0, model.requests.length]).toEqual([true, 2]);
        expect(model.shown(1)).toContain(told);
      }
    });

    status(200, 'quotes the documents without an upstream, and charges its tokens', async (world) => {
      await indexFree(world);
      const before = await world.balanceNanoUsd();
      const { body, headers } = await ask(world);
      const { data, metadata } = body;
      const start = TRIAL.indexOf(SLEPT);
      expect(data).toMatchObject({
        found: true,
        findings: [
          {
            text: `${SLEPT.replace('[4]', '(4)')} [1]`,
            citations: [{ index: 1, document_id: 'trial', quote: SLEPT, start, end: start + SLEPT.length }],
          },
        ],
        bibliography: [
          {
            index: 1,
            document_id: 'trial',
            collection: 'default',
            title: 'The trial',
            metadata: { title: 'The trial' },
          },
        ],
        model: 'embedded-sentences-1',
      });
      expect([data.retrieved > 0, headers['x-model-used']]).toEqual([true, 'embedded-sentences-1']);
      expect(metadata.engine).toEqual({ provider: 'embedded', method: 'sentences', quality: 'basic' });
      const cost = BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens);
      expect(before - (await world.balanceNanoUsd())).toBe(cost);
    });

    status(200, 'says so where the documents do not answer', async (world) => {
      await indexFree(world);
      const { data } = (await ask(world, { question: 'How deep do gardeners on Mars dig?' })).body;
      expect(data).toMatchObject({ found: false, findings: [], bibliography: [] });
    });

    status(
      200,
      'asks no model and charges the base price alone where nothing is retrieved',
      async (world) => {
        await indexDocument(world, { content: TRIAL }, world.stranger);
        const model = scriptModel(world, [{ content: '{"findings":[]}' }]);
        const before = await world.balanceNanoUsd();
        const { body } = await ask(world);
        expect(body.data).toEqual({
          found: false,
          findings: [],
          bibliography: [],
          retrieved: 0,
          truncated: false,
          dropped: 0,
          model: null,
          usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
        });
        expect(model.requests).toHaveLength(0);
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD);
      },
    );

    status(200, 'has a model write findings, and numbers the documents that they cite', async (world) => {
      await indexFree(world);
      const asked = scriptModel(world, [{ content: '{"findings":[]}', use: [50, 5] }]);
      expect((await ask(world)).body.data).toMatchObject({ found: false, findings: [], model: 'scripted-1' });
      const prompt = JSON.stringify(asked.requests[0]?.messages[1]?.content);
      const [first, second] =
        prompt.indexOf('The trial lasted') < prompt.indexOf('A review of light') ? [1, 2] : [2, 1];
      jest.restoreAllMocks();
      const findings = [
        { text: `Light helps [${second}].`, citations: [{ source: second, quote: SHORE }] },
        {
          text: `It is half an hour [${first}][${second}].`,
          citations: [
            { source: first, quote: SLEPT },
            { source: second, quote: SHORE },
          ],
        },
      ];
      const model = scriptModel(world, [
        { content: 'Gladly!', use: [70, 3] },
        { content: JSON.stringify({ findings }), use: [90, 30] },
      ]);
      const before = await world.balanceNanoUsd();
      const { data } = (await ask(world, { max_tokens: 300 })).body;
      const start = TRIAL.indexOf(SLEPT);
      expect(data).toMatchObject({
        found: true,
        findings: [
          { text: 'Light helps [1].', citations: [{ index: 1, document_id: 'review', quote: SHORE }] },
          {
            text: 'It is half an hour [2][1].',
            citations: [
              { index: 2, document_id: 'trial', quote: SLEPT, start, end: start + SLEPT.length },
              { index: 1, document_id: 'review' },
            ],
          },
        ],
        bibliography: [
          { index: 1, document_id: 'review', title: null },
          { index: 2, document_id: 'trial', title: 'The trial' },
        ],
        retrieved: 2,
        model: 'scripted-1',
        usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
      });
      expect(model.requests).toHaveLength(2);
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
    });

    status(200, 'searches by collection, filter, score and number', async (world) => {
      await indexFree(world);
      for (const fields of [{ collection: 'other' }, { filter: { a: 1 } }]) {
        expect((await ask(world, fields)).body.data.retrieved).toBe(0);
      }
      expect((await ask(world, { top_k: 1 })).body.data.retrieved).toBe(1);
    });
  },
  { STRICT_MODELS: 'true' },
);

function ask(world: World, fields: object = {}) {
  return callAs('researchScholar', world, { body: { question: QUESTION, max_tokens: 200, ...fields } });
}

/** Indexes without a call, so that no rate counts it and nothing is charged for it. */
async function indexFree(world: World): Promise<void> {
  const indexing = world.service.app.get(RagIndexing);
  const order = { collection: 'default', tokens: 30, callId: null, allowDegraded: false };
  const { signal } = new AbortController();
  const trial = { content: TRIAL, documentId: 'trial', metadata: { title: 'The trial' } };
  const review = { content: REVIEW, documentId: 'review', metadata: {} };
  await indexing.index(world.owner.id, { ...order, ...trial }, signal);
  await indexing.index(world.owner.id, { ...order, ...review }, signal);
}

afterEach(() => {
  jest.restoreAllMocks();
});

import sharp from 'sharp';
import { UpstreamFailed } from '../../../src/models/errors';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { base64, NEWS, picture, textInput } from '../../support/omm/inputs';
import { scriptModel } from '../../support/upstream/scripted-model';

const BASE_NANO_USD = 3_000_000n;
const TOKEN_NANO_USD = 20_000n;
const SUMMARY = {
  results: [{ index: 0, summary: 'Acme comes to Lyon.', sentences: ['The plant makes pumps.'] }],
};

describeOperation(
  'processInputs',
  (_, variant) => ({
    body: { inputs: [textInput(`${NEWS} Copy ${variant}.`)], task: 'summarize', max_tokens: 200 },
  }),
  (status) => {
    status(422, 'refuses inputs that make no sense, free of charge', async (world) => {
      const image = await picture(4, 4);
      const faults: [object, string][] = [
        [{ inputs: [{ type: 'text' }] }, 'inputs.0: give either content or url.'],
        [
          { inputs: [textInput(), { type: 'text', content: 'x', url: 'https://example.com/' }] },
          'inputs.1: give either content or url.',
        ],
        [{ inputs: [{ type: 'url', content: 'x' }] }, 'inputs.0: an input of type url has a url.'],
        [
          { inputs: [{ type: 'document', content: image, format: 'html' }] },
          'inputs.0: only a text that stands in content has a format.',
        ],
        [{ inputs: [textInput('x'.repeat(400_001))] }, 'inputs.0: a text has at most 400000 characters.'],
        [
          { inputs: [{ type: 'document', content: 'no base64!' }] },
          'inputs.0.content: is no base64 (RFC 4648, section 4).',
        ],
        [
          { inputs: [{ type: 'document', content: `${base64('A text.')}=` }] },
          'inputs.0.content: is no base64 (RFC 4648, section 4).',
        ],
        [
          { inputs: [{ type: 'document', content: image }] },
          "inputs.0: an input of type document can't be image/png.",
        ],
        [{ inputs: [textInput(' … ')] }, 'inputs.0: there is no text in it that could be read.'],
        [
          { inputs: [{ type: 'document', content: base64(NEWS) }], max_input_tokens: 3 },
          expect.stringMatching(/^The files have \d+ tokens, and max_input_tokens allows 3\./) as string,
        ],
        [{ parameters: { count: 3 } }, 'parameters.count: belongs to the task keywords.'],
        [{ task: 'classify' }, 'parameters.labels: the task classify needs them.'],
        [{ task: 'transcribe' }, expect.stringMatching(/^Nothing here hears/) as string],
        [
          { task: 'describe', inputs: [{ type: 'image', content: base64('%PDF-1.7\n') }] },
          "inputs.0: an input of type image can't be application/pdf.",
        ],
        [
          { task: 'ocr', inputs: [textInput(' … ')] },
          expect.stringMatching(
            /^inputs\.0: there is no text in it .* Pages of a scan are read as pictures/,
          ) as string,
        ],
      ];
      for (const [fields, message] of faults) {
        await expectRefused(world, fields, 422, message);
      }
    });

    status(
      402,
      'names how many tokens of a file would fit where a model may be asked twice',
      async (world) => {
        scriptModel(world, [{ content: JSON.stringify(SUMMARY) }]);
        await world.setBalanceUsd(world.owner, '0.4');
        const summarize = (fields: object) => {
          const body = {
            inputs: [{ type: 'document', content: base64(NEWS) }],
            task: 'summarize',
            ...fields,
          };
          return callAs('processInputs', world, { body: { ...body, max_tokens: 200 } });
        };
        const refused = await summarize({});
        const largest = refused.body.affordable_max_input_tokens;
        expect([refused.status, largest > 100]).toEqual([402, true]);
        expect((await summarize({ max_input_tokens: largest + 1 })).status).toBe(402);
        expect((await summarize({ max_input_tokens: largest })).status).toBe(200);
      },
    );

    status(422, 'fetches nothing from inside, free of charge', async (world) => {
      for (const url of [
        'http://example.com/',
        'https://127.0.0.1/',
        'https://169.254.169.254/latest/meta-data/',
        'https://[::ffff:10.0.0.1]/',
        'https://metadata.google.internal/',
        'https://user:secret@example.com/',
      ]) {
        await expectRefused(
          world,
          { inputs: [{ type: 'url', url }] },
          422,
          expect.stringMatching(/^inputs\.0\.url: /),
        );
      }
    });

    status(503, 'does without a model only what it can do honestly, free of charge', async (world) => {
      const image = { type: 'image', content: await picture(8, 8) };
      for (const fields of [
        { task: 'describe' },
        { task: 'classify', parameters: { labels: ['good', 'bad'] } },
        { task: 'describe', inputs: [image] },
        { task: 'ocr', inputs: [image] },
        { task: 'keywords', inputs: [textInput(), image] },
        { task: 'summarize', inputs: [image] },
      ]) {
        const answer = await expectRefused(world, fields, 503);
        expect(answer.body.error).toBe('Model upstream not configured');
      }
    });

    status(
      200,
      'leaves out and counts the quotes that a model invents, once it could not mend them',
      async (world) => {
        const invented = { results: [{ ...SUMMARY.results[0], sentences: ['The plant makes cakes.'] }] };
        const model = scriptModel(world, [{ content: JSON.stringify(invented) }]);
        const { data } = (await process(world, {})).body;
        expect(data).toMatchObject({ results: [{ summary: { sentences: [] } }], dropped: 1 });
        expect(model.requests).toHaveLength(2);
        expect(model.shown(1)).toContain('The plant makes cakes.');
      },
    );

    status(
      502,
      'charges nothing for no JSON, results of other inputs or a failed upstream',
      async (world) => {
        for (const broken of [
          { content: 'A summary without JSON.' },
          { content: '{"results": 1}' },
          { content: '{"results": []}' },
          { content: JSON.stringify({ results: [{ ...SUMMARY.results[0], index: 1 }] }) },
          { fails: new UpstreamFailed('u', 'fell') },
        ]) {
          scriptModel(world, [broken]);
          await expectRefused(world, {}, 502);
        }
      },
    );

    status(
      200,
      'summarizes by central sentences without an upstream, and charges its tokens',
      async (world) => {
        const before = await world.balanceNanoUsd();
        const { body } = await process(world, { parameters: { sentences: 1 } });
        const { data, metadata } = body;
        const [result] = data.results;
        const [sentence] = result?.summary?.sentences ?? [];
        expect(NEWS.slice(sentence?.start, sentence?.end)).toBe(sentence?.text);
        expect(result).toMatchObject({
          index: 0,
          type: 'text',
          media_type: 'text/plain',
          summary: { text: sentence?.text },
        });
        expect(metadata.engine).toEqual({ provider: 'embedded', method: 'text-rank', quality: 'basic' });
        expect(before - (await world.balanceNanoUsd())).toBe(
          BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens),
        );
      },
    );

    status(200, 'finds entities, keywords and the text of documents by rules', async (world) => {
      const page = `<html><body><h1>News</h1><p>${NEWS}</p></body></html>`;
      const inputs = [textInput(), { type: 'document', content: base64(page) }];
      const entities = (await process(world, { inputs, task: 'extract' })).body.data.results;
      expect(entities[0]?.entities).toEqual(
        expect.arrayContaining([
          { type: 'date', text: '1 March 2027', start: 34, end: 46, value: '2027-03-01' },
          { type: 'money', text: 'EUR 12,500.00', start: 57, end: 70, value: 'EUR 12500.00' },
        ]),
      );
      expect(entities[1]).toMatchObject({ index: 1, type: 'document', media_type: 'text/html' });
      expect(entities[1]?.entities?.map(({ value }) => value)).toContain('2027-03-01');
      const words = (await process(world, { inputs, task: 'keywords', parameters: { count: 2 } })).body.data;
      expect(words.results.map(({ keywords }) => keywords?.length)).toEqual([2, 2]);
      expect(words.results[0]?.keywords?.[0]?.score).toBe(1);
      const read = (await process(world, { inputs, task: 'ocr' })).body.data.results;
      expect(read[0]?.text).toBe(NEWS);
      expect(read[1]?.text).toContain('It costs EUR 12,500.00 a month.');
      expect(read[1]?.text).not.toContain('<p>');
    });

    status(
      200,
      'has a model do it where there is one, mends its answer once, and charges both tries',
      async (world) => {
        const model = scriptModel(world, [
          { content: 'Gladly!', use: [70, 3] },
          { content: JSON.stringify(SUMMARY), use: [90, 30] },
        ]);
        const before = await world.balanceNanoUsd();
        const { data } = (await process(world, {})).body;
        expect(data).toMatchObject({
          results: [
            {
              summary: {
                text: 'Acme comes to Lyon.',
                sentences: [{ text: 'The plant makes pumps.', start: 80, end: 102 }],
              },
            },
          ],
          model: 'scripted-1',
          usage: { input_tokens: 160, output_tokens: 33, total_tokens: 193 },
        });
        expect(model.shown(0)).toContain(`<input_0>\n${NEWS}\n</input_0>`);
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 193n);
      },
    );

    status(
      200,
      'shows a model pictures that were written anew: small, and without what the camera noted',
      async (world) => {
        const camera = await sharp({
          create: { width: 3000, height: 1000, channels: 3, background: '#123456' },
        })
          .withExif({ IFD0: { Make: 'SecretCamera' } })
          .jpeg()
          .toBuffer();
        const told = [
          { index: 0, description: 'A blue wall.' },
          { index: 1, description: 'News.' },
        ];
        const model = scriptModel(world, [{ content: JSON.stringify({ results: told }) }]);
        const inputs = [{ type: 'image', content: camera.toString('base64') }, textInput()];
        const { data } = (await process(world, { inputs, task: 'describe' })).body;
        expect(data.results.map(({ type, description }) => [type, description])).toEqual([
          ['image', 'A blue wall.'],
          ['text', 'News.'],
        ]);
        const parts = model.requests[0]?.messages[1]?.content as {
          type: string;
          image_url?: { url: string };
        }[];
        expect(parts.map(({ type }) => type)).toEqual(['text', 'image_url']);
        const shown = Buffer.from(parts[1]?.image_url?.url.split(',')[1] ?? '', 'base64');
        expect(await sharp(shown).metadata()).toMatchObject({ format: 'jpeg', width: 2048 });
        expect(shown.includes('SecretCamera')).toBe(false);
      },
    );

    status(
      200,
      'asks a model for the keywords of pictures alone, and finds those of texts by rules',
      async (world) => {
        const told = { results: [{ index: 1, keywords: ['wall'] }] };
        const model = scriptModel(world, [{ content: JSON.stringify(told) }]);
        const inputs = [textInput(), { type: 'image', content: await picture(8, 8) }];
        const { results } = (await process(world, { inputs, task: 'keywords' })).body.data;
        expect(results.map(({ index, keywords }) => [index, keywords?.[0]?.score])).toEqual([
          [0, 1],
          [1, null],
        ]);
        expect(JSON.stringify(model.requests[0]?.messages)).not.toContain('Lyon');
      },
    );

    status(200, 'charges what rules find beside what a model used', async (world) => {
      const alone = (await process(world, { task: 'ocr' })).body.data.usage;
      const told = { results: [{ index: 1, text: 'A wall.' }] };
      scriptModel(world, [{ content: JSON.stringify(told), use: [100, 10] }]);
      const inputs = [textInput(), { type: 'image', content: await picture(8, 8) }];
      const before = await world.balanceNanoUsd();
      const { usage } = (await process(world, { inputs, task: 'ocr' })).body.data;
      expect(usage).toMatchObject({
        input_tokens: 100 + alone.input_tokens,
        output_tokens: 10 + alone.output_tokens,
      });
      expect(before - (await world.balanceNanoUsd())).toBe(
        BASE_NANO_USD + TOKEN_NANO_USD * BigInt(usage.total_tokens),
      );
    });

    status(200, 'charges what a model used where rules find nothing beside it', async (world) => {
      const told = { results: [{ index: 0, text: 'A wall.' }] };
      scriptModel(world, [{ content: JSON.stringify(told), use: [100, 10] }]);
      const inputs = [{ type: 'image', content: await picture(8, 8) }];
      const { usage } = (await process(world, { inputs, task: 'ocr' })).body.data;
      expect(usage).toMatchObject({ input_tokens: 100, output_tokens: 10 });
    });

    status(200, 'places what a model extracts, each entity once', async (world) => {
      const lyon = { type: 'location', text: 'Lyon', value: null };
      scriptModel(world, [{ content: JSON.stringify({ results: [{ index: 0, entities: [lyon, lyon] }] }) }]);
      const { results } = (await process(world, { task: 'extract' })).body.data;
      expect(results[0]?.entities).toEqual([{ ...lyon, start: 26, end: 30 }]);
    });

    status(200, 'has a model choose between labels, and no other word', async (world) => {
      const model = scriptModel(world, [
        { content: '{"results":[{"index":0,"label":"poetry"}]}' },
        { content: '{"results":[{"index":0,"label":"news"}]}' },
      ]);
      const { results } = (
        await process(world, { task: 'classify', parameters: { labels: ['news', 'advertisement'] } })
      ).body.data;
      expect([results[0]?.label, model.requests.length]).toEqual(['news', 2]);
    });
  },
);

function process(world: World, fields: object) {
  const body = { inputs: [textInput()], task: 'summarize', max_tokens: 300, ...fields };
  return callAs('processInputs', world, { body });
}

async function expectRefused(world: World, fields: object, status: number, message?: unknown) {
  const before = await world.balanceNanoUsd();
  const answer = await process(world, fields);
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  if (message !== undefined) {
    expect(answer.body.message).toEqual(message);
  }
  expect(await world.balanceNanoUsd()).toBe(before);
  return answer;
}

afterEach(() => {
  jest.restoreAllMocks();
});

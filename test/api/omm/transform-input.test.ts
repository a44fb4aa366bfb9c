import sharp from 'sharp';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { eventLoopMsOf } from '../../support/processor-time';
import { plainAsMarkdown } from '../../../src/files/writers/markdown';
import { base64, NEWS, picture, sha256, textInput } from '../../support/omm/inputs';

const BASE_NANO_USD = 3_000_000n;
const TOKEN_NANO_USD = 20_000n;
const MARKDOWN = `# News\n\n${NEWS}\n\n- one\n- two\n\n| Pump | Price |\n| --- | --- |\n| P1 | 10 |\n`;

describeOperation(
  'transformInput',
  (_, variant) => ({
    body: { input: { ...textInput(`# Copy ${variant}`), format: 'markdown' }, to: 'html' },
  }),
  (status) => {
    status(422, 'refuses what has no meaning, free of charge', async (world) => {
      const input = { type: 'image', content: await picture(20, 10) };
      for (const [body, message] of [
        [{ input, to: 'docx' }, 'A picture does not become docx.'],
        [{ input, to: 'html' }, 'A picture does not become html.'],
        [
          { input: textInput(), to: 'html', resize: { width: 5 } },
          'Only a picture is resized, cropped or given a quality.',
        ],
        [{ input, to: 'png', quality: 50 }, 'quality: a PNG has none.'],
        [{ input, to: 'jpeg', resize: {} }, 'resize: give a width or a height.'],
        [
          { input: { ...input, type: 'document' }, to: 'text' },
          "input: an input of type document can't be image/png.",
        ],
        [
          { input, to: 'png', crop: { left: 15, top: 0, width: 10, height: 10 } },
          expect.stringMatching(/\.$/),
        ],
        [
          { input: { type: 'document', content: base64(NEWS) }, to: 'html', max_input_tokens: 3 },
          expect.stringContaining('max_input_tokens allows 3'),
        ],
      ] as [object, unknown][]) {
        const answer = await expectRefused(world, body, 422);
        expect(answer.body.message).toEqual(message);
      }
    });

    status(422, 'says of what no model would make either that it is not made here', async (world) => {
      const image = { type: 'image', content: await picture(20, 10) };
      for (const [body, message] of [
        [{ input: textInput(), to: 'png' }, /^A text does not become png: nothing here draws/],
        [{ input: { type: 'document', content: base64(NEWS) }, to: 'webp' }, /^A text does not become webp/],
        [{ input: image, to: 'text' }, /^A picture does not become text\. .*task ocr/],
        [{ input: image, to: 'markdown' }, /^A picture does not become markdown\. .*task ocr/],
        [{ input: textInput(), to: 'audio' }, /^Nothing here makes sounds/],
      ] as const) {
        const answer = await expectRefused(world, body, 422);
        expect(answer.body.message).toMatch(message);
      }
    });

    status(200, 'writes Markdown as HTML, Word and PDF, which read back as the same text', async (world) => {
      for (const to of ['html', 'docx', 'pdf'] as const) {
        const before = await world.balanceNanoUsd();
        const { data } = (
          await transform(world, { input: { ...textInput(MARKDOWN), format: 'markdown' }, to })
        ).body;
        const bytes = Buffer.from(data.content, data.encoding === 'base64' ? 'base64' : 'utf8');
        expect([to, data.size_bytes, data.checksum]).toEqual([to, bytes.length, sha256(bytes)]);
        expect(data.encoding).toBe(to === 'html' ? 'utf-8' : 'base64');
        expect([data.from, data.usage.output_tokens]).toEqual(['text/markdown', 0]);
        expect(before - (await world.balanceNanoUsd())).toBe(
          BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.input_tokens),
        );
        const input = { type: 'document', content: bytes.toString('base64') };
        const back = (await transform(world, { input, to: 'text' })).body.data;
        expect([to, back.media_type, back.encoding]).toEqual([to, 'text/plain', 'utf-8']);
        expect(back.content.replace(/\s+/g, ' ')).toContain(NEWS);
        const marked = (await transform(world, { input, to: 'markdown' })).body.data;
        expect(marked.content.replace(/\s+/g, ' ')).toContain(NEWS);
      }
    });

    status(200, 'marks a large plain text without holding the event loop', async (world) => {
      const text = '1. *[]<~ '.repeat(60_000);
      const body = {
        input: { type: 'document', content: base64(text) },
        to: 'text',
        max_input_tokens: 500_000,
      };
      const ask = (to: string) => callAs('transformInput', world, { body: { ...body, to } });
      await ask('markdown');
      const unmarkedMs = await eventLoopMsOf(() => ask('text'));
      const markingMs = await eventLoopMsOf(() => plainAsMarkdown(text));
      const markedMs = await eventLoopMsOf(() => ask('markdown'));
      expect(markedMs).toBeLessThan(unmarkedMs + markingMs);
    });

    status(200, 'keeps the marks of a plain text as they are', async (world) => {
      const plain = '# no heading\n1. no list\n<b>no tag</b> *no stress*\na_b_c | d';
      const { data } = (await transform(world, { input: textInput(plain), to: 'html' })).body;
      expect(data.content).not.toMatch(/<(?:h1|ol|ul|b|em|strong)\b/);
      const input = { type: 'document', content: base64(data.content) };
      const back = (await transform(world, { input, to: 'text' })).body.data;
      expect(back.content.replace(/\s+/g, ' ').trim()).toContain(plain.replace(/\s+/g, ' '));
    });

    status(
      200,
      'turns, crops, resizes and rewrites a picture without its metadata, at the base price',
      async (world) => {
        const lying = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#cc2200' } })
          .withMetadata({ orientation: 6 })
          .withExif({ IFD0: { Make: 'SecretCamera' } })
          .jpeg()
          .toBuffer();
        const before = await world.balanceNanoUsd();
        const { data } = (
          await transform(world, {
            input: { type: 'image', content: lying.toString('base64') },
            to: 'webp',
            crop: { left: 0, top: 0, width: 100, height: 50 },
            resize: { width: 40 },
            quality: 60,
          })
        ).body;
        const bytes = Buffer.from(data.content, 'base64');
        expect(data).toMatchObject({ from: 'image/jpeg', media_type: 'image/webp', width: 40, height: 20 });
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 40, height: 20 });
        expect([bytes.includes('SecretCamera'), sha256(bytes)]).toEqual([false, data.checksum]);
        expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD);
      },
    );
  },
);

function transform(world: World, body: object) {
  return callAs('transformInput', world, { body });
}

async function expectRefused(world: World, body: object, status: number) {
  const before = await world.balanceNanoUsd();
  const answer = await transform(world, body);
  expect([answer.status, answer.text]).toEqual([status, answer.text]);
  expect(await world.balanceNanoUsd()).toBe(before);
  return answer;
}

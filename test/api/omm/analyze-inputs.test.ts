import sharp from 'sharp';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';
import { base64, NEWS, picture, textInput } from '../../support/omm/inputs';
import { scriptModel } from '../../support/upstream/scripted-model';

const BASE_NANO_USD = 3_000_000n;
const TOKEN_NANO_USD = 20_000n;

describeOperation(
  'analyzeInputs',
  (_, variant) => ({ body: { inputs: [textInput(`${NEWS} Copy ${variant}.`)], max_tokens: 300 } }),
  (status) => {
    status(422, 'refuses what can not be read, free of charge', async (world) => {
      const before = await world.balanceNanoUsd();
      const image = Buffer.from(await picture(64, 64), 'base64');
      for (const [type, bytes] of [
        ['image', image.subarray(0, 60)],
        ['image', Buffer.from('not a picture')],
        ['document', Buffer.from('%PDF-1.7\nbroken')],
        ['document', Buffer.from([0x50, 0x4b, 3, 4, 0, 0])],
        ['document', Buffer.from('MZ\0\0\u0001\u0002')],
      ] as const) {
        const inputs = [{ type, content: bytes.toString('base64') }];
        const answer = await callAs('analyzeInputs', world, { body: { inputs } });
        expect([bytes.toString('latin1', 0, 10), answer.status, answer.body.message]).toEqual([
          bytes.toString('latin1', 0, 10),
          422,
          expect.stringMatching(/\.$/),
        ]);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(
      200,
      'measures a text and finds its entities, asks no model, and charges its tokens',
      async (world) => {
        const model = scriptModel(world, [{ content: '{}' }]);
        const before = await world.balanceNanoUsd();
        const { data, metadata } = (await analyze(world, [textInput()])).body;
        expect(data.results[0]).toMatchObject({
          index: 0,
          type: 'text',
          size_bytes: NEWS.length,
          text: { language: 'en', statistics: { characters: NEWS.length, sentences: 3, paragraphs: 1 } },
          image: null,
          document: null,
        });
        expect(data.results[0]?.text?.entities.map(({ value }) => value)).toEqual(
          expect.arrayContaining(['2027-03-01', 'EUR 12500.00']),
        );
        expect(data.results[0]?.text?.readability.reading_level).not.toBeNull();
        expect([model.requests, metadata.engine?.provider]).toEqual([[], 'embedded']);
        expect(before - (await world.balanceNanoUsd())).toBe(
          BASE_NANO_USD + TOKEN_NANO_USD * BigInt(data.usage.total_tokens),
        );
      },
    );

    status(200, 'measures a picture as it stands upright', async (world) => {
      const lying = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#cc2200' } })
        .withExif({ IFD0: { Make: 'Box' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer();
      const content = await picture(30, 10, 'png');
      const inputs = [
        { type: 'image', content },
        { type: 'image', content: lying.toString('base64') },
      ];
      const { results } = (await analyze(world, inputs)).body.data;
      expect(results[0]).toMatchObject({
        media_type: 'image/png',
        text: null,
        image: { width: 30, height: 10, format: 'png', has_alpha: false, frames: 1, exif: null },
      });
      expect(results[0]?.image?.dominant_color).toMatch(/^#[c-d][0-9a-f][0-3][0-9a-f]0[0-9a-f]$/);
      expect(results[1]?.image).toMatchObject({ width: 20, height: 40, exif: { orientation: 6 } });
    });

    status(200, 'tells the title, the tables and the text of a document', async (world) => {
      const page =
        `<html><head><title>Prices</title></head><body><p>${NEWS}</p>` +
        '<table><tr><th>Pump</th><th>Price</th></tr><tr><td>P1</td><td>10</td></tr></table></body></html>';
      const { results } = (await analyze(world, [{ type: 'document', content: base64(page) }])).body.data;
      expect(results[0]).toMatchObject({
        type: 'document',
        media_type: 'text/html',
        size_bytes: page.length,
        document: {
          pages: null,
          title: 'Prices',
          tables: [{ header: ['Pump', 'Price'], rows: [['P1', '10']], rows_total: 1 }],
          tables_total: 1,
          truncated: false,
        },
      });
      expect(results[0]?.text?.entities.map(({ value }) => value)).toContain('2027-03-01');
    });
  },
);

function analyze(world: World, inputs: readonly object[]) {
  return callAs('analyzeInputs', world, { body: { inputs, max_tokens: 2000 } });
}

afterEach(() => {
  jest.restoreAllMocks();
});

import { UpstreamFailed } from '../../../src/models/errors';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { documentOf } from '../../support/api/store-document';
import type { World } from '../../support/api/world';
import { scriptModel } from '../../support/upstream/scripted-model';

const TEXT =
  'Invoice number: INV-2027-17\nCustomer: Blue GmbH\n\nDelivered on 1 March 2027 for EUR 12,500.00.\n\n' +
  '| Part | Pieces |\n| --- | --- |\n| Bolt | 40 |\n| Nut | 80 |\n';
const BASE_NANO_USD = 2_000_000n;
const TOKEN_NANO_USD = 10_000n;
const SCHEMA = {
  type: 'object',
  required: ['customer'],
  properties: { customer: { type: 'string' }, pattern: { type: 'integer' } },
};

describeOperation(
  'extractDocument',
  async (world, variant) => ({
    params: { doc_id: await documentOf(world, { text: TEXT }) },
    body: { what: variant === 0 ? 'dates' : 'amounts' },
  }),
  (status) => {
    status(409, 'refuses a document that was not processed', async (world) => {
      const doc_id = await documentOf(world, { status: 'uploaded' });
      const answer = await callAs('extractDocument', world, { params: { doc_id }, body: { what: 'dates' } });
      expect(answer.status).toBe(409);
    });

    status(422, 'refuses no wish, and schemas that could do harm, free of charge', async (world) => {
      scriptModel(world, [{ content: '{"customer":"Blue GmbH"}' }]);
      const before = await world.balanceNanoUsd();
      const of = (properties: object, more: object = {}) => ({
        schema: { type: 'object', properties, ...more },
      });
      const deep = Array.from({ length: 20 }).reduce<object>(
        (inner) => ({ type: 'array', items: inner }),
        {},
      );
      const doubling = Object.fromEntries(
        Array.from({ length: 15 }, (_, n) => [
          `d${n}`,
          n === 14 ? {} : { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
        ]),
      );
      const refused: Record<string, object> = {
        nothing: {},
        'no object': { schema: { type: 'array' } },
        'a pattern': of({ a: { type: 'string', pattern: '(a+)+$' } }),
        'names by a pattern': of({}, { patternProperties: { '(a+)+$': {} } }),
        'unique items': of({ a: { type: 'array', uniqueItems: true } }),
        'an id': of({}, { $id: 'contract' }),
        'a reference to elsewhere': of({ a: { $ref: 'https://example.com/schema.json' } }),
        'a reference to our own': of({ a: { $ref: 'contract#/$defs/StoredDocument' } }),
        'a circle': of({ a: { $ref: '#/$defs/a' } }, { $defs: { a: { items: { $ref: '#/$defs/a' } } } }),
        'a doubling': of({ a: { $ref: '#/$defs/d0' } }, { $defs: doubling }),
        'a deep one': of({ a: deep }),
        'a long one': of({ a: { description: 'x'.repeat(17_000) } }),
        'no schema': of({ a: { type: 'colour' } }),
      };
      const statuses: Record<string, number> = {};
      for (const [name, body] of Object.entries(refused)) {
        statuses[name] = (await extract(world, body)).status;
      }
      expect(statuses).toEqual(Object.fromEntries(Object.keys(refused).map((name) => [name, 422])));
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(502, 'charges nothing for an answer that is not of the schema, twice', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const broken of [
        { content: '{"customer":7}' },
        { content: 'No.' },
        { fails: new UpstreamFailed('u', 'fell') },
      ]) {
        scriptModel(world, [broken]);
        expect((await extract(world, { schema: SCHEMA })).status).toBe(502);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(503, 'has no model for a schema, and charges nothing', async (world) => {
      const before = await world.balanceNanoUsd();
      for (const body of [{ schema: SCHEMA }, { what: 'amounts', schema: SCHEMA }]) {
        const answer = await extract(world, body);
        expect([answer.status, answer.body.error]).toEqual([503, 'Model upstream not configured']);
        expect(answer.body.message).toMatch(/Without one send what .* and no schema\.$/);
      }
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    status(200, 'finds what stands in the text, where it stands, and charges the tokens', async (world) => {
      const before = await world.balanceNanoUsd();
      const answer = await extract(world, { what: 'dates' });
      const dates = answer.body.data;
      expect(answer.headers['x-model-used']).toBe(dates.model);
      expect(dates.dates).toEqual([{ text: '1 March 2027', start: 62, end: 74, date: '2027-03-01' }]);
      expect([dates.entities, dates.value, dates.truncated]).toEqual([null, null, false]);
      expect(before - (await world.balanceNanoUsd())).toBe(
        BASE_NANO_USD + TOKEN_NANO_USD * BigInt(dates.usage.total_tokens),
      );
      const { amounts } = (await extract(world, { what: 'amounts' })).body.data;
      expect(amounts).toEqual([expect.objectContaining({ amount: '12500.00', currency: 'EUR' })]);
      const { key_values: pairs } = (await extract(world, { what: 'key_values' })).body.data;
      expect(pairs?.map(({ key, value }) => [key, value])).toContainEqual(['Customer', 'Blue GmbH']);
      const { tables } = (await extract(world, { what: 'tables' })).body.data;
      expect(tables).toEqual([
        {
          header: ['Part', 'Pieces'],
          rows: [
            ['Bolt', '40'],
            ['Nut', '80'],
          ],
        },
      ]);
      const { entities } = (await extract(world, { what: 'entities' })).body.data;
      expect(entities?.map(({ type }) => type)).toEqual(
        expect.arrayContaining(['date', 'money', 'organization']),
      );
      for (const { text, start, end } of entities ?? []) {
        expect(TEXT.slice(start, end)).toBe(text);
      }
    });

    status(200, 'takes the tables of a PDF from its pages, and sees none in its commas', async (world) => {
      const text = 'Name,Price\nOak,2016\nElm,2017\n';
      const kinds = ['txt', 'pdf'] as const;
      const found = kinds.map(async (kind) => {
        const params = { doc_id: await documentOf(world, { text, kind }) };
        return (await callAs('extractDocument', world, { params, body: { what: 'tables' } })).body.data
          .tables;
      });
      expect((await Promise.all(found)).map((tables) => tables?.length)).toEqual([1, 0]);
    });

    status(200, "has a model fill in the caller's schema, and charges what it used", async (world) => {
      const model = scriptModel(world, [{ content: '{"customer":"Blue GmbH"}', use: [70, 9] }]);
      const before = await world.balanceNanoUsd();
      const { body } = await extract(world, { schema: SCHEMA });
      expect(body.data).toMatchObject({
        value: { customer: 'Blue GmbH' },
        what: null,
        dates: null,
        model: 'scripted-1',
      });
      expect(model.shown(0)).toContain('INV-2027-17');
      expect(before - (await world.balanceNanoUsd())).toBe(BASE_NANO_USD + TOKEN_NANO_USD * 79n);
    });
  },
);

async function extract(world: World, body: object) {
  return callAs('extractDocument', world, {
    params: { doc_id: await documentOf(world, { text: TEXT }) },
    body,
  });
}

afterEach(() => {
  jest.restoreAllMocks();
});

import { processorMsBelow } from '../../../test/support/processor-time';
import { Unprocessable } from '../../errors/api-errors';
import { type JsonSchema, judgeAnswer, judgeCallersSchema } from './answer-schema';

const STRING = { type: 'string' };

/** Judges the schema, and then the answer by it, as an extraction does. */
function verdictOn(schema: JsonSchema, answer: unknown) {
  judgeCallersSchema(schema);
  return judgeAnswer(JSON.stringify(answer), schema);
}

/** Each item of the list `v` is held against 43 times 43 parts. */
function heavy(keyword: 'allOf' | 'anyOf', last: JsonSchema): JsonSchema {
  const part = { [keyword]: [...Array.from({ length: 42 }, () => STRING), last] };
  const items = { allOf: Array.from({ length: 43 }, () => ({ $ref: '#/$defs/part' })) };
  return { type: 'object', $defs: { part }, properties: { v: { type: 'array', items } } };
}

test.each(['http://json-schema.org/draft-07/schema#', 'https://example.com/mine', 5, { toString: 5 }])(
  'refuses the dialect %p, which it does not know',
  ($schema) => {
    expect(() => judgeCallersSchema({ $schema, type: 'object' })).toThrow(Unprocessable);
    expect(() => judgeCallersSchema({ type: 'object', properties: { a: { $schema } } })).toThrow(
      Unprocessable,
    );
  },
);

test('takes the dialect that it reads', () => {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  expect(verdictOn({ $schema, type: 'object' }, {})).toEqual({ value: {} });
});

test.each([
  ['~1', { 'a/b': { $ref: '#/$defs/a~1b' }, 'a~1b': STRING }, '#/$defs/a~1b'],
  ['%', { a: { $ref: '#/$defs/%61' }, '%61': STRING }, '#/$defs/%61'],
])(
  'refuses a reference with %s, which hides a circle behind a definition of that very name',
  (_, $defs, $ref) => {
    const schema = { type: 'object', $defs, properties: { v: { $ref } } };
    expect(() => judgeCallersSchema(schema)).toThrow('own $defs');
  },
);

test.each([
  ['all of whose parts are wrong', heavy('allOf', STRING), 0],
  ['of which the last alternative is right', heavy('anyOf', { type: 'number' }), 0],
])('ends soon with an answer of 5,000 values, %s', async (_, schema, value) => {
  const neededMs = await processorMsBelow(3_000, () => {
    const verdict = verdictOn(schema, { v: Array.from({ length: 5_000 }, () => value) });
    expect(verdict).toEqual({ faults: [expect.stringContaining('too many parts')] });
  });
  expect(neededMs).toBeLessThan(3_000);
});

test('tells one fault of an answer to a schema of a caller', () => {
  expect(verdictOn(heavy('allOf', STRING), { v: [0, 0, 0] })).toEqual({ faults: ['/v/0 must be string'] });
});

test('checks answers of thousands of values by a usual schema', () => {
  const nullable = { anyOf: [STRING, { type: 'null' }] };
  const items = {
    type: 'object',
    required: ['name', 'price'],
    properties: { name: nullable, price: { type: 'number' }, kind: { enum: ['a', 'b', 'c'] } },
  };
  const schema = { type: 'object', properties: { rows: { type: 'array', items } } };
  const row = { name: null, price: 12.5, kind: 'a' };
  const answer = { rows: Array.from({ length: 5_000 }, () => row) };
  expect(verdictOn(schema, answer)).toEqual({ value: answer });
  expect(verdictOn(schema, { rows: [{ ...row, kind: 'd' }] })).toHaveProperty('faults.0');
});

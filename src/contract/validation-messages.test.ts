import { answeredFaults, describeFaults, type RequestPart, schemaCompiler } from './request-validator';

function faults(schema: object, value: unknown, part: RequestPart = 'body'): Record<string, string> {
  const validate = schemaCompiler({ fromText: part === 'query', allErrors: true }).compile(schema);
  expect(validate(value)).toBe(false);
  const details = describeFaults(validate.errors ?? [], value, part);
  return Object.fromEntries(details.map(({ field, message }) => [field, message]));
}

/** The one fault of a value, in words. */
function said(schema: object, value: unknown): string | undefined {
  return faults({ type: 'object', properties: { field: schema } }, { field: value }).field;
}

describe('describeFaults', () => {
  it.each<[object, unknown, string]>([
    [{ type: 'string' }, 5, 'must be text'],
    [{ type: ['string', 'null'] }, 5, 'must be text or null'],
    [{ type: ['string', 'array', 'null'] }, 5, 'must be text, a list or null'],
    [{ type: 'integer' }, 1.5, 'must be a whole number'],
    [{ type: 'boolean' }, 'yes', 'must be true or false'],
    [{ enum: ['a', 'b', null] }, 'c', 'must be one of a, b, null'],
    [{ type: 'string', enum: ['a', 'b'] }, 5, 'must be one of a, b'],
    [{ minLength: 1 }, '', 'must be at least 1 character long'],
    [{ minLength: 8, 'x-fault': 'must be long' }, 'abc', 'must be long'],
    [{ minLength: 2, pattern: '^a+$', 'x-fault': 'must be a' }, 'a', 'must be at least 2 characters long'],
    [{ maxLength: 2 }, 'abc', 'must be at most 2 characters long'],
    [{ minItems: 1 }, [], 'must have at least 1 item'],
    [{ uniqueItems: true }, [1, 1], 'must not have the same item twice'],
    [{ minProperties: 2 }, {}, 'must have at least 2 fields'],
    [{ minimum: 0.000000001 }, 0, 'must be at least 0.000000001'],
    [{ maximum: 1_000_000_000 }, 1e10, 'must be at most 1000000000'],
    [{ exclusiveMinimum: 0 }, 0, 'must be more than 0'],
    [{ format: 'email' }, 'x', 'must be an e-mail address, such as ada@example.com'],
    [{ format: 'time-zone' }, 'x', 'must be the name of an IANA time zone, such as Europe/Berlin'],
    [{ pattern: '^a+$', 'x-fault': 'must be the letter a' }, 'b', 'must be the letter a'],
    [{ pattern: '^a+$' }, 'b', 'is not of the form that the documentation describes'],
    [{ not: {} }, 1, 'is not of the form that the documentation describes'],
  ])('says of %j for %j: %s', (schema, value, message) => {
    expect(said(schema, value)).toBe(message);
  });

  it('writes paths as people do', () => {
    const item = { type: 'object', properties: { role: { type: 'string' } }, required: ['content'] };
    const schema = {
      type: 'object',
      properties: {
        messages: { type: 'array', items: item },
        map: { additionalProperties: { type: 'string' } },
      },
    };
    expect(faults(schema, { messages: [{ content: '' }, { role: 1 }], map: { 0: 1, 'a/b~c': 1 } })).toEqual({
      'messages[1].content': 'is required',
      'messages[1].role': 'must be text',
      'map.0': 'must be text',
      'map.a/b~c': 'must be text',
    });
  });

  it('names what is known beside what is not', () => {
    const schema = { type: 'object', additionalProperties: false, properties: { a: {}, b: {}, c: {} } };
    expect(faults(schema, { x: 1 })).toEqual({ x: 'is not a known field; known here are a, b and c' });
    expect(faults(schema, { x: 1 }, 'query')).toEqual({
      x: 'is not a parameter of this operation, which takes a, b and c',
    });
  });

  const content = {
    oneOf: [
      { type: 'string', maxLength: 3 },
      { type: 'array', items: { type: 'object', required: ['type'] } },
      { type: 'null' },
    ],
  };

  it.each<[unknown, Record<string, string>]>([
    [5, { content: 'must be text, a list or null' }],
    ['long', { content: 'must be at most 3 characters long' }],
    [[{}, { type: 'text' }, 1], { 'content[0].type': 'is required', 'content[2]': 'must be an object' }],
  ])('tells of %j only what is wrong with the form that was meant', (value, expected) => {
    expect(faults({ type: 'object', properties: { content } }, { content: value })).toEqual(expected);
  });

  it('shortens a path that nobody could read', () => {
    const schema = { type: 'object', additionalProperties: false, properties: {} };
    const [field = ''] = Object.keys(faults(schema, { ['x'.repeat(100_000)]: 1 }));
    expect(field).toBe(`${'x'.repeat(200)}…`);
  });
});

describe('answeredFaults', () => {
  const ofCount = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ field: `f${index}`, message: 'm' }));

  it('names 20 faults and counts the others', () => {
    expect(answeredFaults(ofCount(20), 'body')).toHaveLength(20);
    const details = answeredFaults(ofCount(5_000), 'body');
    expect(details).toHaveLength(21);
    expect(details.at(-1)).toEqual({ field: 'body', message: 'has 4980 more faults' });
  });

  it.each<[RequestPart, string, string]>([
    ['body', '', 'body'],
    ['query', '', 'query'],
    ['header', 'idempotency-key', 'header idempotency-key'],
  ])('names the place of a fault in the %s', (part, field, named) => {
    expect(answeredFaults([{ field, message: 'm' }], part)).toEqual([{ field: named, message: 'm' }]);
  });
});

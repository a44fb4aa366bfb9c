import { at, isObject, resolveComponent, type Json, type JsonObject } from '../../scripts/generate/json';
import { operations, published } from '../support/api/published-document';

/** Formats whose texts are short whatever they say, and a form's file, which the upload's own bound holds. */
const BOUNDED_FORMATS = [
  'binary',
  'date',
  'date-or-date-time',
  'date-time',
  'email',
  'time-zone',
  'uuid',
] as const;

describe('every input has a bound', () => {
  it.each(operations)('of $policy.operationId', ({ policy, definition }) => {
    const path = policy.path.replaceAll(/:(\w+)/g, '{$1}');
    const parameters = [at(published, 'paths', path, 'parameters'), definition.parameters]
      .flatMap((some) => (some ?? []) as Json[])
      .map((one) => resolveComponent(published, one));
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => name);
    expect(inPath).toEqual([...policy.path.matchAll(/:(\w+)/g)].map(([, name]) => name));
    const media = Object.values((at(definition, 'requestBody', 'content') ?? {}) as JsonObject);
    expect([...parameters, ...media].flatMap((input) => unbounded(at(input, 'schema')))).toEqual([]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['a text', { type: 'string' }, ['text']],
    ['a text or null', { type: ['string', 'null'], pattern: '^a*$' }, ['text']],
    ['a text with a bound', { type: 'string', maxLength: 10 }, []],
    ['one of some texts', { type: 'string', enum: ['a'] }, []],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, ['list', 'text']],
    ['an open object', { type: 'object', additionalProperties: true }, ['object']],
    [
      'a closed object',
      { type: 'object', additionalProperties: false, properties: { a: { type: 'string' } } },
      ['text'],
    ],
    [
      'a choice',
      {
        oneOf: [
          { type: 'string', maxLength: 1 },
          { type: 'array', maxItems: 1, items: { type: 'string' } },
        ],
      },
      ['text'],
    ],
    ['a map', { type: 'object', maxProperties: 3, additionalProperties: { type: 'string' } }, ['text']],
    ['what may be anything', { description: 'Whatever you like.' }, ['anything']],
    ['a list of anything', { type: 'array', maxItems: 3, items: {} }, ['anything']],
  ])('and this test finds what is lacking in %s', (_, schema, found) => {
    expect(unbounded(schema).map(({ what }) => what)).toEqual(found);
  });
});

interface Unbounded {
  what: 'text' | 'list' | 'object' | 'anything';
  schema: JsonObject;
}

/** The parts of a schema that may be as long, or have as many members, as the caller likes. */
function unbounded(schema: Json | undefined, above: readonly Json[] = []): Unbounded[] {
  if (!isObject(schema)) {
    return [];
  }
  const resolved = resolveComponent(published, schema);
  if (above.includes(resolved)) {
    return [];
  }
  const { type, format, items, additionalProperties, properties = {} } = resolved;
  const types = [type].flat();
  const lacks = (what: Unbounded['what'], isUnbounded: boolean): Unbounded[] =>
    isUnbounded ? [{ what, schema: resolved }] : [];
  const isChosen = 'enum' in resolved || 'const' in resolved;
  const isShort = BOUNDED_FORMATS.some((name) => name === format);
  const choices = ['allOf', 'oneOf', 'anyOf'].flatMap((name) => (resolved[name] ?? []) as Json[]);
  return [
    ...lacks('anything', type === undefined && !isChosen && choices.length === 0),
    ...lacks('text', types.includes('string') && !isChosen && !isShort && !('maxLength' in resolved)),
    ...lacks('list', types.includes('array') && !('maxItems' in resolved)),
    ...lacks(
      'object',
      types.includes('object') && additionalProperties !== false && !('maxProperties' in resolved),
    ),
    ...[...choices, items, additionalProperties, ...Object.values(properties as JsonObject)].flatMap((part) =>
      unbounded(part, [...above, resolved]),
    ),
  ];
}

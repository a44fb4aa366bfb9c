import { readerAsMeant } from './input-values';

const DEFINITIONS = {
  Part: {
    type: 'object',
    required: ['kind'],
    properties: { kind: { type: 'string', enum: ['Text', 'image'] }, note: { type: 'string' } },
  },
  Node: {
    type: 'object',
    properties: { label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/Node' } } },
  },
};
const OWN = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: { type: 'string' },
    order: { type: 'string', enum: ['asc', 'desc'] },
    limit: { type: ['number', 'null'] },
    size: { type: ['string', 'null'], enum: ['S', 's', null] },
    part: { $ref: '#/Part' },
    parts: { oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/Part' } }] },
    anything: {},
    tree: { $ref: '#/Node' },
  },
};

function read(value: unknown, schema: object = OWN): unknown {
  return readerAsMeant(schema, DEFINITIONS)?.(value);
}

describe('readerAsMeant', () => {
  it('takes null for the absence of an optional field, at every depth', () => {
    const value = {
      name: 'a',
      order: null,
      part: { kind: 'image', note: null },
      parts: [{ kind: 'image', note: null }],
      tree: { children: [{ label: null, children: null }] },
    };
    expect(read(value)).toEqual({
      name: 'a',
      part: { kind: 'image' },
      parts: [{ kind: 'image' }],
      tree: { children: [{}] },
    });
  });

  it('leaves null where the schema gives it a meaning, and where a field is required', () => {
    const value = { name: null, limit: null, size: null, anything: null, part: { kind: null } };
    expect(read(structuredClone(value))).toEqual(value);
  });

  it('takes the words of an enumeration in any case, and writes them as the schema does', () => {
    const value = { name: 'ASC', order: 'DESC', part: { kind: 'tEXT' }, parts: [{ kind: 'IMAGE' }] };
    expect(read(value)).toEqual({
      name: 'ASC',
      order: 'desc',
      part: { kind: 'Text' },
      parts: [{ kind: 'image' }],
    });
  });

  it('leaves words that differ in case alone, and those that are none of them', () => {
    const value = { size: 's', order: 'upwards' };
    expect(read(structuredClone(value))).toEqual(value);
  });

  it('leaves the words of a body that is passed on', () => {
    const passedOn = { ...OWN, additionalProperties: true };
    expect(read({ order: 'DESC', part: null }, passedOn)).toEqual({ order: 'DESC' });
  });

  it.each([[null], ['text'], [[{ order: 'ASC' }]], [5]])('leaves %j, which is no object', (value) => {
    expect(read(structuredClone(value))).toEqual(value);
  });

  it('is nothing where a schema leaves nothing to mean', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { type: 'string' } } };
    expect(readerAsMeant(schema, DEFINITIONS)).toBeNull();
  });
});

import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import type { JsonObject } from '../../scripts/generate/json';
import type { Operation } from '../../scripts/generate/operations';
import { RefusedDocument } from '../../scripts/generate/source-document';
import { writeDto } from '../../scripts/generate/write-dto';
import { findBadText } from '../../src/contract/bad-text';
import type { DtoClass } from '../../src/contract/dto-faults';
import { formats } from '../../src/contract/formats';
import { validateDto } from '../../src/contract/validate-dto';
import { copyOf, valuesNear, type Definitions } from './schema-values';

const RUNS = 400;

/** What the document of the service does not say yet, but may at any time. */
const FIELDS: Record<string, JsonObject> = {
  above: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 10 },
  constant: { const: 'fixed' },
  choice: { type: ['string', 'null', 'integer'], enum: ['one', 2, null] },
  choiceWithoutNull: { type: ['string', 'null'], enum: ['one'] },
  flag: { type: 'boolean', const: true },
  text: { type: 'string', minLength: 2, maxLength: 5 },
  pattern: { type: 'string', pattern: '^a/b[😀-😂]{1,3}$' },
  nothing: { type: 'null' },
  anything: { type: ['object', 'array', 'string', 'number', 'boolean', 'null'] },
  several: { type: ['string', 'integer', 'array'], minLength: 2, minimum: 5, maxItems: 1 },
  unique: {
    type: 'array',
    uniqueItems: true,
    minItems: 1,
    items: { type: 'integer', minimum: 0, maximum: 2 },
  },
  uniqueChoices: {
    type: 'array',
    uniqueItems: true,
    items: { type: ['string', 'null'], enum: ['a', 'b', null] },
  },
  nullableItems: { type: 'array', items: { type: ['number', 'null'], minimum: 0 } },
  mixedItems: {
    type: 'array',
    items: { oneOf: [{ type: 'boolean' }, { $ref: '#/components/schemas/Part' }] },
  },
  rows: { type: 'array', maxItems: 2, items: { type: 'array', items: { type: 'string', maxLength: 2 } } },
  numbers: { type: 'array', items: { type: 'number', maximum: 1 } },
  map: {
    type: 'object',
    minProperties: 1,
    maxProperties: 2,
    additionalProperties: { type: 'string', maxLength: 3 },
  },
  mapOfParts: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Part' } },
  mapOfLists: { type: 'object', additionalProperties: { type: 'array', items: { type: 'integer' } } },
  partOrParts: {
    anyOf: [
      { $ref: '#/components/schemas/Part' },
      { type: 'array', items: { $ref: '#/components/schemas/Part' } },
    ],
  },
  partOrNull: { oneOf: [{ $ref: '#/components/schemas/Part' }, { type: 'null' }] },
  filled: { type: 'string', maxLength: 3, default: "o'k" },
  filledWithNull: { type: ['integer', 'null'], default: null },
  defaulted: { type: 'array', items: { $ref: '#/components/schemas/Defaulted' } },
  tree: { $ref: '#/components/schemas/Tree' },
  counted: { $ref: '#/components/schemas/Counted' },
  'odd name': { type: 'boolean' },
};

const COMPONENTS: Record<string, JsonObject> = {
  Part: {
    type: 'object',
    additionalProperties: true,
    required: ['id'],
    properties: { id: { type: 'integer' } },
  },
  Defaulted: {
    type: 'object',
    additionalProperties: false,
    properties: { name: { type: 'string', default: 'n' } },
  },
  Counted: {
    type: 'object',
    additionalProperties: true,
    minProperties: 2,
    maxProperties: 3,
    properties: { name: { type: 'string', default: 'n' } },
  },
  Tree: {
    type: 'object',
    additionalProperties: false,
    properties: {
      leaf: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
    },
  },
};

describe('the generated classes and JSON Schema agree', () => {
  it.each(Object.entries(FIELDS))('on %s', (name, schema) => {
    const body: JsonObject = {
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'integer' }, [name]: schema },
    };
    const document = documentWith(body);
    const type = loadClass(document);
    const validate = compile(document);
    const verdicts = { accepted: 0, refused: 0 };
    fc.assert(
      fc.property(valuesNear(body, schemasOf(document)), (value) => {
        const [wire, dto] = [copyOf(value), copyOf(value)];
        const accepted = validate(wire) && findBadText(wire) === null;
        verdicts[accepted ? 'accepted' : 'refused'] += 1;
        expect(validateDto(type, dto).length === 0).toBe(accepted);
        if (accepted) {
          expect(dto).toEqual(wire);
        }
      }),
      { numRuns: RUNS },
    );
    expect(verdicts.accepted).toBeGreaterThan(0);
    expect(verdicts.refused).toBeGreaterThan(0);
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown keyword', { type: 'number', multipleOf: 2 }, 'multipleOf'],
    ['an unknown format', { type: 'string', format: 'iban' }, 'iban'],
    ['an object without a name', { type: 'object', properties: {} }, 'named component'],
    ['two members of one type', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'same JSON type'],
    ['keywords beside a union', { minLength: 1, oneOf: [{ type: 'string' }] }, 'minLength beside oneOf'],
    [
      'a default beneath a union',
      { oneOf: [{ $ref: '#/components/schemas/Defaulted' }] },
      'a default beneath',
    ],
    ['unique objects', { type: 'array', uniqueItems: true, items: { type: 'object' } }, 'unique items'],
    ['no type', { description: 'Anything.' }, 'lacks a type'],
    ['an object as a constant', { const: { a: 1 } }, 'constant'],
  ])('refuses %s, naming the field', (_, schema, reason) => {
    const refusal = refusalOf(() => loadClass(documentWith({ type: 'object', properties: { odd: schema } })));
    expect(refusal).toMatch(new RegExp(`/components/schemas/Body/properties/odd .*${reason}`));
  });

  it.each<[string, JsonObject, string]>([
    ['an unknown keyword', { dependentRequired: { id: ['x'] } }, 'dependentRequired'],
    [
      'a schema for further fields',
      { additionalProperties: { type: 'string' } },
      'beside those that it lists',
    ],
    ['a required field that it does not list', { required: ['id', 'x'] }, 'does not list: x'],
  ])('refuses a class with %s', (_, keywords, reason) => {
    const body: JsonObject = { type: 'object', properties: { id: { type: 'integer' } }, ...keywords };
    expect(refusalOf(() => loadClass(documentWith(body)))).toMatch(
      new RegExp(`/components/schemas/Body .*${reason}`),
    );
  });

  it.each<[string, JsonObject]>([
    ['without fields', { type: 'object' }],
    ['that may be no object', { properties: { id: { type: 'integer' } } }],
  ])('refuses a body %s', (_, body) => {
    expect(refusalOf(() => loadClass(documentWith(body)))).toContain(
      '/paths/~1try/post/requestBody must be a named',
    );
  });

  it('refuses a field whose name every object has', () => {
    const body: JsonObject = { type: 'object', properties: { constructor: { type: 'string' } } };
    expect(refusalOf(() => loadClass(documentWith(body)))).toContain('name that every object already has');
  });

  it.each<[string, JsonObject, string]>([
    ['an unbounded number', { type: 'integer', minimum: 1 }, 'minimum and a maximum'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'one text, number or boolean'],
  ])('refuses %s in a query', (_, schema, reason) => {
    const parameter: JsonObject = { name: 'odd', in: 'query', schema };
    expect(() =>
      writeDto(documentWith({}), [operation({ parameters: [parameter] })], (pointer) => pointer),
    ).toThrow(reason);
  });
});

describe('validateDto', () => {
  const body: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'parts'],
    properties: {
      id: { type: 'integer' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      map: FIELDS.map ?? {},
    },
  };

  it('names the place of every fault', () => {
    const faults = validateDto(loadClass(documentWith(body)), {
      parts: [{ id: 1 }, { id: 'x' }, {}],
      map: { a: 'long' },
      extra: 1,
    });
    expect(faults).toEqual([
      { field: 'extra', message: 'is not a known field' },
      { field: 'id', message: 'is required' },
      { field: 'parts.1.id', message: 'must be an integer number' },
      { field: 'parts.2.id', message: 'is required' },
      { field: 'map.a', message: 'must have 0 to 3 characters' },
    ]);
  });

  it.each([null, undefined, 'text', 1, [{}]])('refuses %j, which is no object', (value) => {
    expect(validateDto(loadClass(documentWith(body)), value)).toEqual([
      { field: 'body', message: 'must be an object' },
    ]);
  });

  it('refuses text that cannot be stored, before it follows the value down', () => {
    expect(validateDto(loadClass(documentWith(body)), { id: 1, parts: [{ id: 1, note: 'a\0b' }] })).toEqual([
      { field: 'parts.0.note', message: 'must be well-formed text without NUL' },
    ]);
  });
});

function documentWith(body: JsonObject): JsonObject {
  return { components: { schemas: { ...COMPONENTS, Body: body } } };
}

function schemasOf(document: JsonObject): Definitions {
  return (document.components as JsonObject).schemas as Definitions;
}

function operation(part: Partial<Operation>): Operation {
  return {
    id: 'try',
    tag: 'tried',
    method: 'POST',
    path: '/try',
    pointer: '/paths/~1try/post',
    bodySchema: null,
    parameters: [],
    ...part,
  } as Operation;
}

function refusalOf(write: () => unknown): string {
  try {
    write();
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedDocument);
    return (error as RefusedDocument).message;
  }
  throw new Error('nothing was refused');
}

/** Writes the document's classes, compiles them as the build does and loads the one of the body. */
function loadClass(document: JsonObject): DtoClass {
  const body = operation({ bodySchema: { $ref: '#/components/schemas/Body' } });
  const { tried = '' } = writeDto(document, [body], (pointer) => pointer);
  const { code } = transformSync(tried, { configFile: join(__dirname, '../../.swcrc'), sourceMaps: false });
  const exports: { Body?: DtoClass } = {};
  const load = (name: string): unknown =>
    jest.requireActual(name.startsWith('.') ? join(__dirname, '../../generated/dto', name) : name);
  const run = compileFunction(code, ['require', 'exports']) as (
    require: typeof load,
    exports: object,
  ) => void;
  run(load, exports);
  return exports.Body as DtoClass;
}

function compile(document: JsonObject): (value: unknown) => boolean {
  const ajv = new Ajv2020({ useDefaults: true, strict: false, strictNumbers: true, formats });
  ajv.addSchema(document, 'document');
  return ajv.compile<unknown>({ $ref: 'document#/components/schemas/Body' });
}

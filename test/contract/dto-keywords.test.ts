import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import { transformSync } from '@swc/core';
import Ajv2020 from 'ajv/dist/2020';
import fc from 'fast-check';
import { definitions } from '../../generated/schemas';
import type { JsonObject } from '../../scripts/generate/json';
import type { Operation } from '../../scripts/generate/operations';
import { writeDto } from '../../scripts/generate/write-dto';
import { findBadTexts } from '../../src/contract/validation-messages';
import { formats } from '../../src/contract/formats';
import { readerAsMeant } from '../../src/contract/coerce-input';
import { validateDto, type DtoClass } from '../../src/contract/validate-dto';
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
  pattern: { type: 'string', pattern: '^a/b[😀-😂]{1,3}$', 'x-fault': 'must begin with a/b' },
  wordInAnyCase: { type: 'string', enum: ['one', 'Two'] },
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
  multiple: { type: 'number', multipleOf: 2 },
  date: { type: 'string', format: 'date' },
  twoOfOneType: {
    oneOf: [
      { type: 'integer', minimum: 0 },
      { type: 'number', maximum: 1 },
    ],
  },
  besideAUnion: { minLength: 1, oneOf: [{ type: 'string' }, { type: 'null' }] },
  defaultBeneathAUnion: { oneOf: [{ $ref: '#/components/schemas/Defaulted' }, { type: 'string' }] },
  inPlace: {
    type: 'object',
    additionalProperties: false,
    required: ['id'],
    properties: { id: { type: 'integer' } },
  },
  untyped: { description: 'Anything.' },
  'odd name': { type: 'boolean' },
  'odd/name ~ of % a text': { type: 'string', maxLength: 2 },
};

/** What a class says of its fields as a whole. */
const BODIES: Record<string, JsonObject> = {
  'depending fields': { dependentRequired: { id: ['x'] }, additionalProperties: true },
  'a schema for further fields': { additionalProperties: { type: 'string' } },
  'a required field that it does not list': { required: ['id', 'x'], additionalProperties: true },
  'few fields': { additionalProperties: true, maxProperties: 1 },
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

const documented = new Set(Object.keys(definitions));
afterAll(() => {
  // Others that the worker runs look at all definitions.
  for (const name of Object.keys(definitions).filter((each) => !documented.has(each))) {
    delete (definitions as Definitions)[name];
  }
});

describe('the generated classes and JSON Schema agree', () => {
  it.each(Object.entries(FIELDS))('on %s', (name, schema) => {
    expectAgreement({
      type: 'object',
      additionalProperties: false,
      required: ['id'],
      properties: { id: { type: 'integer' }, [name]: schema },
    });
  });

  it.each(Object.entries(BODIES))('on a class with %s', (_, keywords) => {
    expectAgreement({ type: 'object', properties: { id: { type: 'integer' } }, ...keywords });
  });
});

/** Holds the class that is generated for a body to the verdicts and values of JSON Schema. */
function expectAgreement(body: JsonObject): void {
  const document = documentWith(body);
  const type = loadClass(document);
  const validate = compile(document);
  const verdicts = { accepted: 0, refused: 0 };
  fc.assert(
    fc.property(valuesNear(body, schemasOf(document)), (value) => {
      const [wire, dto] = [copyOf(value), copyOf(value)];
      const accepted = validate(wire) && findBadTexts(wire).length === 0;
      verdicts[accepted ? 'accepted' : 'refused'] += 1;
      expect(validateDto(type, dto).length === 0).toBe(accepted);
      if (accepted) {
        expect(dto).toEqual(wire);
      }
    }),
    // Hardly any random value has the fields that a class requires without listing them.
    { numRuns: RUNS, examples: [[{ id: 1, x: 'x' }]] },
  );
  expect(verdicts.accepted).toBeGreaterThan(0);
  expect(verdicts.refused).toBeGreaterThan(0);
}

describe('validateDto', () => {
  const body: JsonObject = {
    type: 'object',
    additionalProperties: false,
    required: ['id', 'parts'],
    properties: {
      id: { type: 'integer' },
      flag: { type: 'boolean' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Part' } },
      map: FIELDS.map ?? {},
    },
  };

  it('names the place of every fault', () => {
    const faults = validateDto(loadClass(documentWith(body)), {
      parts: [{ id: 1 }, { id: 'x' }, {}],
      map: { a: 'long' },
      flag: 'yes',
      extra: 1,
    });
    expect(faults).toEqual([
      { field: 'id', message: 'is required' },
      { field: 'extra', message: 'is not a known field; known here are id, flag, parts and map' },
      { field: 'flag', message: 'must be true or false' },
      { field: 'parts[1].id', message: 'must be a whole number' },
      { field: 'parts[2].id', message: 'is required' },
      { field: 'map.a', message: 'must be at most 3 characters long' },
    ]);
  });

  it.each([null, undefined, 'text', 1, [{}]])('refuses %j, which is no object', (value) => {
    expect(validateDto(loadClass(documentWith(body)), value)).toEqual([
      { field: 'body', message: 'must be an object' },
    ]);
  });

  it('is for classes that say which schema they match', () => {
    class Unknown {}
    expect(() => validateDto(Unknown, {})).toThrow('Unknown does not say which schema it matches');
  });

  it('refuses text that cannot be stored, before it follows the value down', () => {
    expect(validateDto(loadClass(documentWith(body)), { id: 1, parts: [{ id: 1, note: 'a\0b' }] })).toEqual([
      { field: 'parts[0].note', message: 'must be well-formed text without NUL' },
    ]);
  });
});

function documentWith(body: JsonObject): JsonObject {
  return { components: { schemas: { ...COMPONENTS, Body: body } } };
}

function schemasOf(document: JsonObject): Definitions {
  return (document.components as JsonObject).schemas as Definitions;
}

let loaded = 0;

/** Writes the document's class of a body, compiles it as the build does and loads it. */
function loadClass(document: JsonObject): DtoClass {
  const { Body: body = {}, ...components } = schemasOf(document) as Record<string, JsonObject>;
  // The decorators look into the definitions of the service, where each body needs a name of its own.
  const name = `TriedBody${(loaded += 1)}`;
  const named = { ...components, [name]: body };
  const text = JSON.stringify(named).replaceAll('#/components/schemas/', 'contract#/$defs/');
  Object.assign(definitions, JSON.parse(text));
  const operation = { policy: { tag: 'tried' }, body: name, query: null } as Operation;
  const { tried = '' } = writeDto({ components: { schemas: named } }, [operation]);
  const { code } = transformSync(tried, { configFile: join(__dirname, '../../.swcrc'), sourceMaps: false });
  const exports: Record<string, DtoClass> = {};
  const load = (module: string): unknown =>
    jest.requireActual(module.startsWith('.') ? join(__dirname, '../../generated/dto', module) : module);
  const run = compileFunction(code, ['require', 'exports']) as (
    require: typeof load,
    exports: object,
  ) => void;
  run(load, exports);
  return exports[name] as DtoClass;
}

function compile(document: JsonObject): (value: unknown) => boolean {
  const ajv = new Ajv2020({ useDefaults: true, strict: false, strictNumbers: true, formats });
  ajv.addSchema(document, 'document');
  const validate = ajv.compile<unknown>({ $ref: 'document#/components/schemas/Body' });
  const schemas = schemasOf(document);
  const readAsMeant = readerAsMeant(schemas.Body ?? {}, schemas);
  return (value) => validate(readAsMeant ? readAsMeant(value) : value);
}

import fc, { type Arbitrary } from 'fast-check';
import { textsNear } from './text-values';

export interface Schema {
  [keyword: string]: unknown;
}
export type Definitions = Record<string, Schema>;

type Kind = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null';

/** One fault for about so many proper values, at every place of the value. */
const PROPER_PER_FAULT = 20;
const ITEMS_TRIED_MAX = 3;
/** As JSON, in characters. */
const REPEATED_LENGTH_MAX = 1000;
/** How many references deep the arrays of a schema that refers to itself are filled. */
const DEPTH_TRIED_MAX = 4;

/** Names that JavaScript objects already have, and names that mean nothing. */
const FIELD_NAMES = [
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'then',
  'length',
  '',
  'member',
  '0',
  'x',
];

/** Values that a schema mostly accepts, and otherwise almost accepts: wrong in one way, anywhere within. */
export function valuesNear(schema: Schema, definitions: Definitions, depth = 0): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') {
    const target = definitions[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)];
    if (!target) {
      throw new Error(`the reference leads nowhere: ${schema.$ref}`);
    }
    // Late, because a schema may refer to itself.
    return fc.constant(null).chain(() => valuesNear(target, definitions, depth + 1));
  }
  const branches = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
  const proper = branches
    ? fc.oneof(...branches.map((branch) => valuesNear(branch, definitions, depth)))
    : fc.oneof(...kindsOf(schema).map((kind) => valuesOfKind(kind, schema, definitions, depth)));
  return fc.oneof(
    { weight: PROPER_PER_FAULT, arbitrary: proper },
    { weight: 1, arbitrary: valuesOfAnotherType(proper) },
  );
}

/** An object with these fields, even those that an assignment would take for the prototype. */
export function withFields(object: object, fields: [string, unknown][]): object {
  const copy = { ...object };
  for (const [name, value] of fields) {
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** A deep copy. structuredClone's objects would not be those of jest's realm, which some libraries take for another type. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(copyOf);
  }
  return typeof value === 'object' && value !== null
    ? withFields(
        {},
        Object.entries(value).map(([name, member]) => [name, copyOf(member)]),
      )
    : value;
}

function kindsOf(schema: Schema): Kind[] {
  if (schema.type !== undefined) {
    return (Array.isArray(schema.type) ? schema.type : [schema.type]) as Kind[];
  }
  return ['null'];
}

function valuesOfKind(
  kind: Kind,
  schema: Schema,
  definitions: Definitions,
  depth: number,
): Arbitrary<unknown> {
  const choices = schema.const === undefined ? schema.enum : [schema.const];
  if (Array.isArray(choices)) {
    return fc.oneof(
      { weight: PROPER_PER_FAULT, arbitrary: fc.constantFrom(...(choices as unknown[])) },
      { weight: 1, arbitrary: fc.constantFrom(...choices.map((choice) => `${String(choice)} `), '') },
      { weight: 1, arbitrary: fc.constantFrom(...choices.map((choice) => String(choice).toUpperCase())) },
    );
  }
  switch (kind) {
    case 'string':
      return textsNear(schema);
    case 'number':
    case 'integer':
      return numbersNear(kind, schema);
    case 'boolean':
      return fc.boolean();
    case 'array':
      return arraysNear(schema, definitions, depth);
    case 'object':
      return schema.properties
        ? objectsNear(schema, definitions, depth)
        : mapsNear(schema, definitions, depth);
    case 'null':
      return fc.constant(null);
  }
}

function numbersNear(kind: 'number' | 'integer', schema: Schema): Arbitrary<unknown> {
  const bounds = [schema.minimum, schema.maximum, schema.exclusiveMinimum, schema.exclusiveMaximum].filter(
    (bound) => typeof bound === 'number',
  );
  const min = bounds.length > 0 ? Math.min(...bounds) : -1e9;
  const max = Math.max(...bounds, min + 1);
  const within =
    kind === 'integer'
      ? fc.integer({
          min: Math.ceil(min),
          max: Math.max(Math.ceil(min), Math.min(Math.floor(max), 2 ** 31 - 1)),
        })
      : fc.double({ min, max, noNaN: true });
  const edges = bounds.flatMap((bound) => [bound, bound - 1, bound + 1, bound - 1e-9, bound + 0.5]);
  return fc.oneof(
    { weight: PROPER_PER_FAULT, arbitrary: within },
    { weight: 2, arbitrary: fc.constantFrom(...edges, 1.5, 1, 0, -0, 1e300, NaN, Infinity, -Infinity) },
  );
}

function arraysNear(schema: Schema, definitions: Definitions, depth: number): Arbitrary<unknown[]> {
  const { minItems = 0, maxItems = ITEMS_TRIED_MAX } = schema as { minItems?: number; maxItems?: number };
  const item = schema.items ? valuesNear(schema.items as Schema, definitions, depth) : anyJson();
  // Thousands of the longest texts would take the run's whole time.
  const short = item.filter((value) => JSON.stringify(value).length < REPEATED_LENGTH_MAX);
  const filled = (length: number) => short.map((value) => Array.from({ length }, () => copyOf(value)));
  return fc.oneof(
    {
      weight: PROPER_PER_FAULT,
      arbitrary: fc.array(item, {
        minLength: minItems,
        maxLength: Math.max(minItems, Math.min(maxItems, depth > DEPTH_TRIED_MAX ? 0 : ITEMS_TRIED_MAX)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(minItems, Math.max(0, minItems - 1), maxItems, maxItems + 1).chain(filled),
    },
    {
      weight: 1,
      arbitrary: fc.array(item, { minLength: 1, maxLength: ITEMS_TRIED_MAX }).map((items) => [items]),
    },
  );
}

function objectsNear(schema: Schema, definitions: Definitions, depth: number): Arbitrary<unknown> {
  const fields = Object.fromEntries(
    Object.entries(schema.properties as Definitions).map(([name, field]) => [
      name,
      valuesNear(field, definitions, depth),
    ]),
  );
  const required = ((schema.required ?? []) as string[]).filter((name) => name in fields);
  const unknown = fc.array(fc.tuple(fieldNames(), anyJson()), { minLength: 1, maxLength: 2 });
  return fc
    .tuple(
      fc.oneof(
        { weight: PROPER_PER_FAULT, arbitrary: fc.record(fields, { requiredKeys: required }) },
        { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
        { weight: 1, arbitrary: fc.constant({}) },
      ),
      fc.oneof(
        { weight: PROPER_PER_FAULT, arbitrary: fc.constant<[string, unknown][]>([]) },
        { weight: 1, arbitrary: unknown },
      ),
    )
    .map(([object, extra]) => withFields(object, extra));
}

function mapsNear(schema: Schema, definitions: Definitions, depth: number): Arbitrary<unknown> {
  const { minProperties = 0, maxProperties = ITEMS_TRIED_MAX } = schema as Record<string, number | undefined>;
  const member =
    typeof schema.additionalProperties === 'object'
      ? valuesNear(schema.additionalProperties as Schema, definitions, depth)
      : anyJson();
  return fc
    .array(fc.tuple(fieldNames(), member), {
      minLength: Math.max(0, minProperties - 1),
      maxLength: maxProperties + 1,
    })
    .map((fields) => withFields({}, fields));
}

function fieldNames(): Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...FIELD_NAMES), fc.string({ maxLength: 5 }));
}

function anyJson(): Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      { constructor: 'x' },
      { toString: 1, hasOwnProperty: null },
      nest(63),
      nest(70),
      'a\0b',
      '\ud83d',
    ),
  );
}

function nest(depth: number): unknown {
  return depth === 0 ? 'deep' : { a: nest(depth - 1) };
}

/** Values of every JSON type, and proper ones in the wrong nesting. */
function valuesOfAnotherType(proper: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom<unknown>(null, true, false, 0, 1, '', 'text', '1', 'null') },
    { weight: 2, arbitrary: fc.constantFrom<unknown>([], {}, [[]], [{}], [null], { a: 1 }) },
    { weight: 1, arbitrary: proper.map((value) => [value]) },
    { weight: 1, arbitrary: proper.map((value) => [[value]]) },
    { weight: 1, arbitrary: proper.map((value) => ({ 0: value })) },
    { weight: 1, arbitrary: proper.map((value) => ({ value })) },
  );
}

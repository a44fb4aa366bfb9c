import { at, resolveComponent, type Json, type JsonObject } from '../../scripts/generate/json';
import { published } from '../support/api/published-document';

/** A value that a schema refuses, and what is wrong with it. */
export interface FaultyValue {
  fault: string;
  value: Json;
}

/**
 * Values that differ from an example by one fault, at every place that the schema names: each required field missing,
 * fields of another type, and texts, lists and numbers beyond their bounds. A place that the example lacks is filled with
 * the faulty value alone.
 */
export function faultyValues(
  reference: Json | undefined,
  example: Json | undefined,
  name = 'body',
): FaultyValue[] {
  const schema = onlyBranch(resolveComponent(published, reference));
  const own = ofItself(schema, example).map(({ fault, value }) => ({ fault: `${name}: ${fault}`, value }));
  return [...own, ...ofFields(schema, example, name), ...ofItems(schema, example, name)];
}

/** Of a schema that also allows null, the other one. Nothing else is parted, so that none is left out unnoticed. */
function onlyBranch(schema: JsonObject): JsonObject {
  const branches = (schema.oneOf ?? schema.anyOf ?? null) as Json[] | null;
  if (branches === null) {
    return schema;
  }
  const [branch, ...others] = branches
    .map((one) => resolveComponent(published, one))
    .filter(({ type }) => type !== 'null');
  if (!branch || others.length > 0) {
    throw new Error(`no faults are known of ${JSON.stringify(schema)}`);
  }
  return branch;
}

function ofFields(
  { properties, required }: JsonObject,
  example: Json | undefined,
  name: string,
): FaultyValue[] {
  if (!properties) {
    return [];
  }
  const object = (example ?? {}) as JsonObject;
  const missing = ((required ?? []) as string[]).map((field) => {
    const others = Object.entries(object).filter(([other]) => other !== field);
    return { fault: `${name}: no ${field}`, value: Object.fromEntries(others) };
  });
  const within = Object.entries(properties as JsonObject).flatMap(([field, schema]) =>
    faultyValues(schema, object[field], `${name}.${field}`).map(({ fault, value }) => ({
      fault,
      value: { ...object, [field]: value },
    })),
  );
  return [...missing, ...within];
}

function ofItems({ items }: JsonObject, example: Json | undefined, name: string): FaultyValue[] {
  const first = at(example, 0);
  return items === undefined
    ? []
    : faultyValues(items, first, `${name}[0]`).map(({ fault, value }) => ({ fault, value: [value] }));
}

/** Whole values that the schema refuses. */
function ofItself(schema: JsonObject, example: Json | undefined): FaultyValue[] {
  const types = [schema.type ?? []].flat() as string[];
  const object = (example ?? {}) as JsonObject;
  const other = types.includes('string') ? 7 : 'a text';
  const text = (length: unknown) => 'a'.repeat(Number(length));
  const candidates: [string, unknown, () => Json][] = [
    ['of another type', types.length > 0 || undefined, () => (types.includes('object') ? [] : other)],
    ['no whole number', types.includes('integer') || undefined, () => 1.5],
    ['none of the words', schema.enum, () => 'none-of-them'],
    ['too long', schema.maxLength, () => text(Number(schema.maxLength) + 1)],
    ['too short', Number(schema.minLength) > 0 || undefined, () => text(Number(schema.minLength) - 1)],
    ['not of its form', schema.pattern, () => '\u0007'],
    ['not of its format', schema.format === 'binary' ? undefined : schema.format, () => 'of no format'],
    ['too large', schema.maximum, () => Number(schema.maximum) + 1],
    ['too small', schema.minimum, () => Number(schema.minimum) - 1],
    ['too many', schema.maxItems, () => Array<Json>(Number(schema.maxItems) + 1).fill(null)],
    [
      'an unknown field',
      schema.additionalProperties === false || undefined,
      () => ({ ...object, 'no-field': 1 }),
    ],
    ['the same twice', schema.uniqueItems, () => [at(example, 0) ?? null, at(example, 0) ?? null]],
    ['nothing in it', Number(schema.minProperties) > 0 || undefined, () => ({})],
    ['not more than that', schema.exclusiveMinimum, () => Number(schema.exclusiveMinimum)],
    ['too many bytes', schema['x-json-bytes-max'], () => ({ a: text(schema['x-json-bytes-max']) })],
    ['too many values', schema['x-json-bytes-max'], () => ({ a: Array<Json>(256).fill(1) })],
    ['too few', Number(schema.minItems) > 0 || undefined, () => []],
  ];
  return candidates
    .filter(([, keyword]) => keyword !== undefined)
    .map(([fault, , value]) => ({ fault, value: value() }));
}

import type { OperationPolicy } from '../../src/contract/operation';
import { isObject, resolveComponent, type Json, type JsonObject } from './json';

/** The sizes that bodies may have, in bytes: the first that holds whatever the fields allow. */
const CLASSES = [8, 64, 1024, 8 * 1024, 16 * 1024].map((kibibytes) => kibibytes * 1024);
/**
 * Of a character as a schema counts them. One outside of the basic plane takes the most, where a client writes nothing but
 * ASCII, as Python's does: `\ud83d\ude00`.
 */
const CHARACTER_BYTES = 12;
const NUMBER_BYTES = 32;
const LONGEST_LITERAL_BYTES = 5;
/** So many values of an object that takes anything may be laid out. */
const ANYTHING_VALUES = 1_000;
/** Of a member or an item: its comma, its colon, and the space with which a client lays it out. */
const LAYOUT_BYTES = 16;
/** Texts of these formats have no maxLength, because their form bounds them. */
const FORMAT_CHARACTERS: Readonly<Record<string, number>> = {
  date: 10,
  'date-or-date-time': 64,
  'date-time': 64,
  email: 254,
  'time-zone': 64,
  uuid: 36,
};

/**
 * How many bytes the body of an operation may have: what the document says by `x-body-bytes-max`, and otherwise the least
 * class that holds every body that its schema accepts, however a client writes its JSON.
 *
 * @param schema of the body
 * @throws Error where no class does and the document says nothing
 */
export function bodyBytesMaxOf(
  document: JsonObject,
  definition: JsonObject,
  schema: Json | undefined,
): OperationPolicy['bodyBytesMax'] {
  const declared = definition['x-body-bytes-max'];
  if (typeof declared === 'number') {
    return declared;
  }
  const bytes = jsonBytesMax(document, schema);
  const least = CLASSES.find((bytesMax) => bytes <= bytesMax);
  if (least === undefined) {
    throw new Error(
      `${String(definition.operationId)} needs an x-body-bytes-max: its fields allow bodies of ` +
        (bytes === Infinity ? 'any size' : `${bytes} bytes`),
    );
  }
  return least;
}

/**
 * A bound of the bytes of all JSON texts that a schema accepts; Infinity where it has none. An object that takes anything
 * says itself by `x-json-bytes-max` how much JSON it takes, as UTF-8 without layout.
 */
export function jsonBytesMax(
  document: JsonObject,
  schema: Json | undefined,
  above: readonly JsonObject[] = [],
): number {
  if (!isObject(schema)) {
    return Infinity;
  }
  const resolved = resolveComponent(document, schema);
  if (above.includes(resolved)) {
    return Infinity;
  }
  const inner = (part: Json | undefined) => jsonBytesMax(document, part, [...above, resolved]);
  const { 'x-json-bytes-max': ofAnything, enum: choices, const: only, type } = resolved;
  if (typeof ofAnything === 'number') {
    return writtenBytesMax(ofAnything) + LAYOUT_BYTES * ANYTHING_VALUES;
  }
  if (only !== undefined || Array.isArray(choices)) {
    return Math.max(...asList(choices ?? [only ?? null]).map((value) => writtenBytes(value)));
  }
  const bounds = [
    ...(type === undefined ? [] : [Math.max(...[type].flat().map((name) => ofType(resolved, name, inner)))]),
    ...['oneOf', 'anyOf']
      .map((name) => asList(resolved[name]))
      .filter((parts) => parts.length > 0)
      .map((parts) => Math.max(...parts.map(inner))),
    ...asList(resolved.allOf).map(inner),
  ];
  return Math.min(Infinity, ...bounds);
}

function ofType(schema: JsonObject, type: Json, inner: (part: Json | undefined) => number): number {
  switch (type) {
    case 'string': {
      const charactersMax = schema.maxLength ?? FORMAT_CHARACTERS[String(schema.format)] ?? Infinity;
      return 2 + Number(charactersMax) * CHARACTER_BYTES;
    }
    case 'array':
      return 2 + Number(schema.maxItems ?? Infinity) * (inner(schema.items) + LAYOUT_BYTES);
    case 'object': {
      const members = Object.entries((schema.properties ?? {}) as JsonObject);
      const named = members.map(([name, part]) => writtenBytes(name) + inner(part) + LAYOUT_BYTES);
      // Names that nobody bounds are as long as a caller likes.
      const others = schema.additionalProperties === false ? 0 : Infinity;
      return named.reduce((sum, bytes) => sum + bytes, 2 + others);
    }
    case 'number':
    case 'integer':
      return NUMBER_BYTES;
    default:
      return LONGEST_LITERAL_BYTES;
  }
}

function writtenBytes(value: Json): number {
  return writtenBytesMax(Buffer.byteLength(JSON.stringify(value)));
}

/** How many bytes JSON of so many bytes may become in ASCII: `é` has two and becomes `\u00e9`. */
function writtenBytesMax(bytes: number): number {
  return bytes * 3;
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

import { at, isObject, resolveComponent, type Json, type JsonObject } from './json';
import { parametersSchema, type Operation } from './operations';

/** A discriminator is for readers: it must not change what a schema accepts. */
const PROSE_KEYWORDS = ['description', 'example', 'examples', 'discriminator', 'x-json-bytes-max'];
/** No body has so many bytes, so that nobody counts the characters of a text of it. The service's settings allow no more. */
const BODY_BYTES_EVER = 134_217_728;
/** Keywords whose values are plain data, copied as they are: a `$ref` in them is no reference. */
const LITERAL_KEYWORDS = ['default', 'const', 'enum'];

/** `schemas.ts`: the JSON Schemas of requests and responses, for the compiled validators and the serialisers. */
export function writeSchemas(document: JsonObject, operations: Operation[]): string {
  const definitions = fieldsForValidators(at(document, 'components', 'schemas') as JsonObject);
  const table = Object.fromEntries(
    operations.map((operation) => [
      operation.policy.operationId,
      {
        body: reference(operation.body),
        bodyRequired: operation.bodyRequired,
        query: reference(operation.query),
        headers: forValidators(headerSchema(operation)),
        responses: responseSchemas(document, operation),
      },
    ]),
  );
  return [
    `import type { OperationSchemas } from '../src/contract/operation';`,
    '',
    '/** The named schemas; refer to them as `contract#/$defs/Name`. */',
    `export const definitions = ${JSON.stringify(definitions, null, 2)};`,
    '',
    `export const schemas: Record<string, OperationSchemas> = ${JSON.stringify(table, null, 2)};`,
    '',
  ].join('\n');
}

function reference(name: string | null): Json {
  return name === null ? null : { $ref: `contract#/$defs/${name}` };
}

/** The schema of the header parameters. Their names are in lower case, as Node gives them. */
function headerSchema({ parameters }: Operation): Json {
  const headers = parameters
    .filter((parameter) => parameter.in === 'header')
    .map((parameter) => ({ ...parameter, name: String(parameter.name).toLowerCase() }));
  return headers.length === 0 ? null : parametersSchema(headers, 'header', true);
}

function responseSchemas(document: JsonObject, { responses }: Operation): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const media = at(resolveComponent(document, response), 'content', 'application/json');
      return [status, forValidators(at(media, 'schema') ?? null)];
    }),
  );
}

/** A schema without the keywords that only people read, and with references in the form that the validators resolve. */
function forValidators(schema: Json): Json {
  if (Array.isArray(schema)) {
    return schema.map(forValidators);
  }
  if (!isObject(schema)) {
    return schema;
  }
  // What it holds is the answer of another operation, which was written by that one's schema.
  if (schema['x-written-before'] === true) {
    return {};
  }
  if (schema['x-last-accepts-all'] === true && Array.isArray(schema.anyOf)) {
    return forValidators(schema.anyOf.at(-1) ?? null);
  }
  const members = Object.entries(schema).filter(
    ([keyword, value]) =>
      !PROSE_KEYWORDS.includes(keyword) && !(keyword === 'maxLength' && Number(value) >= BODY_BYTES_EVER),
  );
  return Object.fromEntries(
    members.map(([keyword, value]) => [keyword, keywordForValidators(keyword, value)]),
  );
}

function keywordForValidators(keyword: string, value: Json): Json {
  if (keyword === '$ref' && typeof value === 'string') {
    return value.replace('#/components/schemas/', 'contract#/$defs/');
  }
  if (keyword === 'properties' && isObject(value)) {
    return fieldsForValidators(value);
  }
  return LITERAL_KEYWORDS.includes(keyword) ? value : forValidators(value);
}

/** A map of schemas by name. The names are no keywords, so even a field called `example` is kept. */
function fieldsForValidators(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, forValidators(schema)]));
}

import type { Operation } from './operations';
import { isObject, type Json, type JsonObject } from './json';

const PROSE_KEYWORDS = ['description', 'example'];
/** Keywords whose values are taken as they are: a `$ref` in them means nothing. */
const LITERAL_KEYWORDS = ['default', 'const', 'enum'];

/** `schemas.ts`: the JSON Schemas of requests and responses, for the compiled validators and the serialisers. */
export function writeSchemas(document: JsonObject, operations: Operation[]): string {
  const definitions = fieldsForValidators((document.components as JsonObject).schemas as JsonObject);
  const table = Object.fromEntries(
    operations.map((operation) => [
      operation.id,
      {
        body: forValidators(operation.bodySchema),
        bodyRequired: operation.bodyRequired,
        query: forValidators(querySchema(operation)),
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

/** The query parameters of an operation as one object schema, or null where there are none. */
export function querySchema(operation: Operation): JsonObject | null {
  return parametersSchema(operation, 'query', false);
}

function headerSchema(operation: Operation): JsonObject | null {
  return parametersSchema(operation, 'header', true);
}

function parametersSchema(operation: Operation, place: string, open: boolean): JsonObject | null {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) {
    return null;
  }
  const nameOf = (parameter: JsonObject) =>
    place === 'header' ? (parameter.name as string).toLowerCase() : (parameter.name as string);
  return {
    type: 'object',
    additionalProperties: open,
    required: parameters.filter((parameter) => parameter.required === true).map(nameOf),
    properties: Object.fromEntries(
      parameters.map((parameter) => [
        nameOf(parameter),
        { ...(parameter.schema as JsonObject), description: parameter.description ?? '' },
      ]),
    ),
  };
}

function responseSchemas(document: JsonObject, operation: Operation): JsonObject {
  const responses: JsonObject = {};
  for (const [status, response] of Object.entries(operation.definition.responses as JsonObject)) {
    const ref = (response as JsonObject).$ref;
    const resolved = typeof ref === 'string' ? componentAt(document, ref) : (response as JsonObject);
    const media = isObject(resolved.content) ? resolved.content['application/json'] : undefined;
    responses[status] = isObject(media) ? forValidators(media.schema ?? null) : null;
  }
  return responses;
}

function componentAt(document: JsonObject, ref: string): JsonObject {
  const [, , kind = '', name = ''] = ref.split('/');
  return ((document.components as JsonObject)[kind] as JsonObject)[name] as JsonObject;
}

/** A schema without what only people read, its references as the validators resolve them. */
function forValidators(schema: Json): Json {
  if (Array.isArray(schema)) {
    return schema.map(forValidators);
  }
  if (!isObject(schema)) {
    return schema;
  }
  const members = Object.entries(schema).filter(([keyword]) => !PROSE_KEYWORDS.includes(keyword));
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

/** Schemas by names that are no keywords, be they called `example`. */
function fieldsForValidators(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, forValidators(schema)]));
}

import type { OperationPolicy } from '../../src/contract/operation';
import { bodyBytesMaxOf } from './body-bytes';
import { at, isObject, pascal, resolveComponent, type Json, type JsonObject } from './json';

/** One operation of the document with its policy, as every writer needs it. */
export interface Operation {
  policy: OperationPolicy;
  /** As the document writes it, `/api/keys/{key_id}`. */
  path: string;
  summary: string;
  parameters: JsonObject[];
  /** The names of the components that describe the body and the query; null where there is none. */
  body: string | null;
  query: string | null;
  bodyRequired: boolean;
  /** The schema of the success body, null where there is none. */
  responseSchema: Json | null;
  responses: JsonObject;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** All operations of a document that the rules of redocly.yaml have found complete. */
export function readOperations(document: JsonObject): Operation[] {
  return Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const definition = at(item, method);
      return isObject(definition) ? [readOperation(document, { path, item, method, definition })] : [];
    }),
  );
}

/**
 * The document as the generated code needs it: each operation's query is one more component, such as `ListKeysQuery`
 * for `listKeys`, and the headers of answers are left out, because the pipeline sets them and no controller does. So are
 * the ids of webhooks, which no controller serves.
 */
export function forCode(document: JsonObject, operations: Operation[]): JsonObject {
  const copy = structuredClone(document);
  const components = copy.components as JsonObject;
  const schemas = components.schemas as JsonObject;
  delete components.headers;
  const shared = Object.values(components.responses as JsonObject);
  for (const answer of [...shared, ...operations.flatMap((operation) => answersOf(copy, operation))]) {
    delete (answer as JsonObject).headers;
  }
  for (const item of Object.values((copy.webhooks ?? {}) as JsonObject)) {
    delete (at(item, 'post') as JsonObject).operationId;
  }
  for (const { query, parameters } of operations) {
    if (query !== null) {
      schemas[query] = parametersSchema(parameters, 'query', false);
    }
  }
  return copy;
}

function answersOf(document: JsonObject, { path, policy }: Operation): Json[] {
  return Object.values(at(document, 'paths', path, policy.method.toLowerCase(), 'responses') as JsonObject);
}

/** The parameters of one place (`query`, `header`) as the schema of an object; `open` allows others beside them. */
export function parametersSchema(parameters: JsonObject[], place: string, open: boolean): JsonObject {
  const found = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    additionalProperties: open,
    required: found.filter(({ required }) => required === true).map(({ name }) => name as string),
    properties: Object.fromEntries(
      found.map(({ name, schema, description }) => [
        name as string,
        { ...(schema as JsonObject), description: description ?? '' },
      ]),
    ),
  };
}

function readOperation(
  document: JsonObject,
  found: { path: string; item: Json; method: string; definition: JsonObject },
): Operation {
  const { definition, item, path, method } = found;
  const responses = definition.responses as JsonObject;
  const status = successOf(Object.keys(responses));
  const responseSchema = at(responses, status, 'content', 'application/json', 'schema') ?? null;
  const parameters = [...asList(at(item, 'parameters')), ...asList(definition.parameters)].map((parameter) =>
    resolveComponent(document, parameter),
  );
  const answerTypes = Object.keys((at(responses, status, 'content') ?? {}) as JsonObject);
  const isText = answerTypes.length === 1 && answerTypes[0] !== 'application/json';
  const streams = !isText && answerTypes.includes('text/event-stream');
  const mediaTypes = Object.keys((at(definition, 'requestBody', 'content') ?? {}) as JsonObject);
  const bodySchema = at(definition, 'requestBody', 'content', mediaTypes[0] ?? '', 'schema');
  const body = at(bodySchema, '$ref');
  const [credential] = definition.security as JsonObject[];
  const policy = {
    operationId: definition.operationId,
    tag: at(definition, 'tags', 0),
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    status: Number(status),
    auth: credential === undefined ? 'none' : 'accountToken' in credential ? 'jwt' : 'key',
    role: definition['x-role'] ?? null,
    rate: definition['x-rate'],
    price: definition['x-price'] ?? null,
    model: definition['x-model'] ?? null,
    ...(definition['x-without-model'] === undefined ? {} : { withoutModel: definition['x-without-model'] }),
    idempotent: parameters.some(({ name }) => name === 'Idempotency-Key'),
    envelope: isEnvelope(resolveComponent(document, responseSchema)),
    bodyBytesMax: mediaTypes.length === 0 ? null : bodyBytesMaxOf(document, definition, bodySchema),
    mediaTypes,
    ...formOf(document, mediaTypes, body),
    ...(streams ? { streams } : {}),
    ...(definition['x-secret-answer'] === true ? { secretAnswer: true } : {}),
    ...(definition['x-item-costs'] === true ? { itemCosts: true } : {}),
    ...(definition['x-recent-password'] === true ? { recentPassword: true } : {}),
    ...(isText ? { answerType: answerTypes[0] } : {}),
  } as OperationPolicy;
  return {
    policy,
    path,
    summary: definition.summary as string,
    parameters,
    body: nameOf(body),
    query: parameters.some((parameter) => parameter.in === 'query')
      ? `${pascal(policy.operationId)}Query`
      : null,
    bodyRequired: at(definition, 'requestBody', 'required') === true,
    responseSchema,
    responses,
  };
}

/** A part of an answer (206) is no answer of another kind; of 201 and 200, the latter is for what was there before. */
function successOf(statuses: string[]): string {
  const successes = statuses.filter((status) => status.startsWith('2') && status !== '206');
  return successes.find((status) => status === '201') ?? successes[0] ?? '';
}

/** Which fields of a form are files or JSON texts, by the types that the document gives them. */
function formOf(document: JsonObject, mediaTypes: string[], body: Json | undefined): object {
  if (!mediaTypes.includes('multipart/form-data')) {
    return {};
  }
  const { properties = {} } = resolveComponent(document, { $ref: body ?? null });
  const fields = Object.entries(properties as JsonObject).map(
    ([name, schema]) => [name, resolveComponent(document, schema)] as const,
  );
  const file = fields.find(([, { format }]) => format === 'binary')?.[0] ?? null;
  const json = fields.filter(([, { type }]) => type === 'object' || type === 'array').map(([name]) => name);
  return { form: { file, json } };
}

function isEnvelope(schema: JsonObject): boolean {
  return at(schema, 'properties', 'metadata', '$ref') === '#/components/schemas/ResponseMetadata';
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** The name of the component that a `$ref` leads to, null where there is none. */
export function nameOf(ref: Json | undefined): string | null {
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : null;
}

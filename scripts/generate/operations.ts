import type { SourceDocument } from './source-document';
import { RefusedDocument } from './source-document';
import { at, isObject, type Json, type JsonObject } from './json';

/** One operation of the document with its policy, as every writer needs it. */
export interface Operation {
  id: string;
  tag: string;
  method: string;
  path: string;
  pointer: string;
  summary: string;
  status: number;
  auth: 'none' | 'jwt' | 'key';
  role: string | null;
  rate: string;
  price: string | null;
  idempotent: boolean;
  envelope: boolean;
  parameters: JsonObject[];
  bodySchema: Json | null;
  bodyRequired: boolean;
  /** The schema of the success body, null where there is none. */
  responseSchema: Json | null;
  /** Whether the answer may also arrive as server-sent events. */
  streams: boolean;
  definition: JsonObject;
}

export const RATE_CLASSES = ['health', 'read', 'write', 'llm', 'heavy'];
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** All operations of the bundled document. Throws RefusedDocument naming every place that is incomplete. */
export function readOperations(source: SourceDocument): Operation[] {
  const problems: string[] = [];
  const operations: Operation[] = [];
  const ids = new Set<string>();
  for (const [path, item] of Object.entries(source.bundled.paths as JsonObject)) {
    for (const method of METHODS) {
      const definition = at(item, method);
      if (!isObject(definition)) {
        continue;
      }
      const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`;
      const faults = faultsOf(definition, method, source.bundled);
      if (ids.has(String(definition.operationId))) {
        faults.push(`operationId ${String(definition.operationId)} is used twice`);
      }
      ids.add(String(definition.operationId));
      if (faults.length > 0) {
        problems.push(...faults.map((fault) => `${source.locate(pointer)} ${fault}`));
      } else {
        operations.push(readOperation(source.bundled, { path, item, method, pointer, definition }));
      }
    }
  }
  if (problems.length > 0) {
    throw new RefusedDocument(problems);
  }
  return operations;
}

/** Follows a `$ref` into the bundled document's components; anything else is returned as it is. */
export function resolveComponent(document: JsonObject, value: Json | undefined): JsonObject {
  const ref = at(value, '$ref');
  const found = typeof ref === 'string' ? at(document, ...ref.slice(2).split('/')) : value;
  return isObject(found) ? found : {};
}

function faultsOf(definition: JsonObject, method: string, document: JsonObject): string[] {
  const responses = isObject(definition.responses) ? definition.responses : {};
  const successes = Object.keys(responses).filter((status) => status.startsWith('2'));
  const priced = definition['x-price'] !== undefined;
  const price = at(document, 'x-prices', String(definition['x-price']));
  const tags = Array.isArray(definition.tags) ? definition.tags : [];
  const declared = (document.tags as JsonObject[]).map((tag) => tag.name as Json);
  const checks: [boolean, string][] = [
    [typeof definition.operationId === 'string', 'lacks an operationId'],
    [tags.length === 1 && declared.includes(tags[0] ?? null), 'needs exactly one tag that the root declares'],
    [typeof definition.summary === 'string', 'lacks a summary'],
    [RATE_CLASSES.includes(String(definition['x-rate'])), `needs x-rate, one of ${RATE_CLASSES.join(', ')}`],
    [priced !== (definition['x-free'] === true), 'needs either x-price or x-free: true'],
    [!priced || price !== undefined, `has an x-price that x-prices lacks: ${String(definition['x-price'])}`],
    [Array.isArray(definition.security), 'lacks security ([] where no credential is needed)'],
    [successes.length === 1, 'needs exactly one 2xx response'],
    [responses.default !== undefined, 'lacks the default error response'],
    [definition['x-rate'] === 'health' || responses['429'] !== undefined, 'lacks the 429 response'],
    [isOpen(definition) || responses['401'] !== undefined, 'lacks the 401 response'],
    [!priced || responses['402'] !== undefined, 'is priced but lacks the 402 response'],
    [
      !priced || method !== 'post' || takesIdempotencyKey(definition, document),
      'is a priced POST without Idempotency-Key',
    ],
  ];
  return [
    ...checks.filter(([holds]) => !holds).map(([, fault]) => fault),
    ...exampleFaults(definition, successes, document),
  ];
}

function exampleFaults(definition: JsonObject, successes: string[], document: JsonObject): string[] {
  const bodies: [string, Json | undefined][] = [
    ['requestBody', definition.requestBody],
    ...successes.map((status): [string, Json] => [
      `responses/${status}`,
      at(definition, 'responses', status) ?? null,
    ]),
  ];
  return bodies.flatMap(([name, body]) => {
    const content = resolveComponent(document, body).content;
    return Object.entries(isObject(content) ? content : {})
      .filter(([, media]) => at(media, 'example') === undefined && at(media, 'examples') === undefined)
      .map(([type]) => `lacks an example at ${name}/content/${type}`);
  });
}

function readOperation(
  document: JsonObject,
  found: { path: string; item: Json; method: string; pointer: string; definition: JsonObject },
): Operation {
  const { definition, item, path, method, pointer } = found;
  const status = Object.keys(definition.responses as JsonObject).find((code) => code.startsWith('2')) ?? '';
  const responseSchema = at(definition, 'responses', status, 'content', 'application/json', 'schema') ?? null;
  const parameters = [
    ...((at(item, 'parameters') as Json[]) ?? []),
    ...((definition.parameters as Json[]) ?? []),
  ];
  const [auth, role] = credentialOf(definition);
  return {
    id: definition.operationId as string,
    tag: (definition.tags as string[])[0] ?? '',
    method: method.toUpperCase(),
    path,
    pointer,
    summary: definition.summary as string,
    status: Number(status),
    auth,
    role,
    rate: definition['x-rate'] as string,
    price: (definition['x-price'] as string | undefined) ?? null,
    idempotent: takesIdempotencyKey(definition, document),
    envelope: isEnvelope(resolveComponent(document, responseSchema)),
    parameters: parameters.map((parameter) => resolveComponent(document, parameter)),
    bodySchema: at(definition, 'requestBody', 'content', 'application/json', 'schema') ?? null,
    bodyRequired: at(definition, 'requestBody', 'required') === true,
    responseSchema,
    streams: at(definition, 'responses', status, 'content', 'text/event-stream') !== undefined,
    definition,
  };
}

function isOpen(definition: JsonObject): boolean {
  return Array.isArray(definition.security) && definition.security.length === 0;
}

function credentialOf(definition: JsonObject): [Operation['auth'], string | null] {
  const first = (definition.security as JsonObject[])[0];
  if (!first) {
    return ['none', null];
  }
  const roles = first.accountToken as string[] | undefined;
  return roles ? ['jwt', roles[0] ?? null] : ['key', null];
}

function takesIdempotencyKey(definition: JsonObject, document: JsonObject): boolean {
  const parameters = Array.isArray(definition.parameters) ? definition.parameters : [];
  return parameters.some((parameter) => resolveComponent(document, parameter).name === 'Idempotency-Key');
}

function isEnvelope(schema: JsonObject): boolean {
  return at(schema, 'properties', 'metadata', '$ref') === '#/components/schemas/ResponseMetadata';
}

import type { Operation } from './operations';
import { isObject, type JsonObject } from './json';

const HEADERS: JsonObject = {
  'X-Request-Id': { description: "The call's id.", schema: { type: 'string' } },
  'X-API-Version': { description: 'The version of the API.', schema: { type: 'string' } },
  'X-RateLimit-Limit': { description: 'Calls allowed in the window.', schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { description: 'Calls left in the window.', schema: { type: 'integer' } },
  'X-RateLimit-Reset': {
    description: 'When the window has room again, Unix seconds.',
    schema: { type: 'integer' },
  },
  'X-RateLimit-Window': { description: "The window's length, seconds.", schema: { type: 'integer' } },
  'X-Request-Cost': { description: 'What the call cost, USD.', schema: { type: 'number' } },
  'X-Tokens-Used': { description: 'Tokens processed.', schema: { type: 'integer' } },
  'X-Balance-Remaining': { description: 'The balance after the call, USD.', schema: { type: 'number' } },
  'X-Model-Used': { description: 'The model that answered.', schema: { type: 'string' } },
  'Idempotent-Replayed': { description: 'Present when the answer is a replay.', schema: { type: 'string' } },
};

/** `openapi.json`: the bundled document with the headers that the conventions put on every answer. */
export function writeOpenapi(document: JsonObject, operations: Operation[]): string {
  const published = structuredClone(document);
  (published.components as JsonObject).headers = structuredClone(HEADERS);
  for (const operation of operations) {
    const item = (published.paths as JsonObject)[operation.path] as JsonObject;
    const definition = item[operation.method.toLowerCase()] as JsonObject;
    const success = (definition.responses as JsonObject)[String(operation.status)];
    if (isObject(success)) {
      success.headers = Object.fromEntries(
        headerNames(operation).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      );
    }
  }
  return `${JSON.stringify(published, null, 2)}\n`;
}

/** The groups whose priced operations ask a model. */
const MODEL_TAGS = ['v1', 'agents'];

function headerNames(operation: Operation): string[] {
  return Object.keys(HEADERS).filter(
    (name) =>
      (!name.startsWith('X-RateLimit') || operation.rate !== 'health') &&
      (!/Cost|Tokens|Balance/.test(name) || operation.price !== null) &&
      (name !== 'X-Model-Used' || (MODEL_TAGS.includes(operation.tag) && operation.price !== null)) &&
      (name !== 'Idempotent-Replayed' || operation.idempotent),
  );
}

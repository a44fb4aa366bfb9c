import document from '../../../generated/openapi.json';
import { apis } from '../../../generated/contract';
import { at, resolveComponent, type Json, type JsonObject } from '../../../scripts/generate/json';
import type { OperationPolicy } from '../../../src/contract/operation';

export const published = document as unknown as JsonObject;

/** An operation as a reader of the document finds it, beside the policy that was generated from it. */
export interface PublishedOperation {
  policy: OperationPolicy;
  definition: JsonObject;
}

export const operations: PublishedOperation[] = apis
  .flatMap((api) => Object.values<OperationPolicy>(api.operations))
  .map((policy) => {
    const path = policy.path.replaceAll(/:(\w+)/g, '{$1}');
    return { policy, definition: at(published, 'paths', path, policy.method.toLowerCase()) as JsonObject };
  });

export function operationOf(operationId: string): PublishedOperation {
  const found = operations.find(({ policy }) => policy.operationId === operationId);
  if (!found) {
    throw new Error(`the document has no operation ${operationId}`);
  }
  return found;
}

/** The operation's response of a status, with its references followed; of an undeclared one, `{}`. */
export function responseOf({ definition }: PublishedOperation, status: string): JsonObject {
  return resolveComponent(published, at(definition, 'responses', status));
}

/** The headers that a response declares, by name. */
export function headersOf(response: JsonObject): Record<string, JsonObject> {
  const entries = Object.entries((response.headers ?? {}) as JsonObject);
  return Object.fromEntries(entries.map(([name, header]) => [name, resolveComponent(published, header)]));
}

/** Every example of a response's or request's JSON, named or not. */
export function examplesOf(message: JsonObject, type = 'application/json'): Json[] {
  const media = at(message, 'content', type);
  const single = at(media, 'example');
  const named = Object.values((at(media, 'examples') ?? {}) as JsonObject).map((one) => at(one, 'value'));
  return [single, ...named].filter((example) => example !== undefined);
}

import { resolveComponent, type Json, type JsonObject } from '../../../scripts/generate/json';
import { operations, published, type PublishedOperation } from '../api/published-document';
import { bodiesNear, documentedBodies } from '../hostile/hostile-bodies';

/** An operation with what its requests are made of. */
export interface FuzzedOperation extends PublishedOperation {
  /** Bodies that its schema accepts or almost accepts. */
  near: readonly Buffer[];
  /** The document's own. */
  valid: readonly Json[];
  queries: readonly JsonObject[];
}

/** All operations of the document. */
export function fuzzedOperations(seed: number): FuzzedOperation[] {
  return operations.map((operation) => ({
    ...operation,
    near: bodiesNear(operation.policy.operationId, seed) ?? [],
    valid: documentedBodies(operation.policy.operationId),
    queries: parametersOf(operation).filter((parameter) => parameter.in === 'query'),
  }));
}

function parametersOf({ definition }: PublishedOperation): JsonObject[] {
  return ((definition.parameters ?? []) as Json[]).map((one) => resolveComponent(published, one));
}

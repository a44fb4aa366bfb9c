import openapiTypescript, { astToString } from 'openapi-typescript';
import type { Operation } from './operations';
import type { JsonObject } from './json';
import { pascal } from './write-contract';
import { querySchema } from './write-schemas';

/** `types.ts`: openapi-typescript's output, with each operation's query as a named type beside the schemas. */
export async function writeTypes(document: JsonObject, operations: Operation[]): Promise<string> {
  const withQueries = structuredClone(document);
  const schemas = (withQueries.components as JsonObject).schemas as JsonObject;
  for (const operation of operations) {
    const query = querySchema(operation);
    if (query) {
      schemas[`${pascal(operation.id)}Query`] = query;
    }
  }
  const nodes = await openapiTypescript(withQueries as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    silent: true,
  });
  return astToString(nodes);
}

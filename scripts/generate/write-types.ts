import openapiTypescript, { astToString } from 'openapi-typescript';
import type { JsonObject } from './json';

/** `types.ts`: openapi-typescript's output, with each operation's query as a named type beside the schemas. */
export async function writeTypes(document: JsonObject): Promise<string> {
  const nodes = await openapiTypescript(structuredClone(document) as never, {
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    rootTypesKeepCasing: true,
    silent: true,
  });
  return astToString(nodes);
}

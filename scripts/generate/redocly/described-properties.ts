import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import { at } from '../json';

/** Refuses properties that nothing describes: neither a text of their own nor that of the schema that they refer to. */
export const describedProperties: Oas3Rule = () => ({
  Schema({ properties = {} }, context) {
    const { location } = context;
    const file = location.source.absoluteRef;
    for (const [name, property] of Object.entries(properties)) {
      if (!isDescribed(property, file, context)) {
        context.report({
          message: `needs a description that says more than its name: ${name}`,
          location: location.child(['properties', name]),
        });
      }
    }
  },
});

function isDescribed(schema: unknown, file: string, context: UserContext): boolean {
  if (typeof at(schema, 'description') === 'string') {
    return true;
  }
  const reference = at(schema, '$ref');
  if (reference === undefined) {
    const parts = [at(schema, 'allOf'), at(schema, 'anyOf'), at(schema, 'oneOf')].flat();
    return parts.some((part) => part !== undefined && isDescribed(part, file, context));
  }
  const { node, location } = context.resolve({ $ref: String(reference) }, file);
  return isDescribed(node, location?.source.absoluteRef ?? file, context);
}

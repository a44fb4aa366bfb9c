import type { Oas3Rule, UserContext } from '@redocly/openapi-core';
import { formats } from '../../../src/contract/input-values';
import { at, isObject } from '../json';

const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];

/** Refuses schemas that the compiled validators would ignore, or judge by fields that the caller can choose. */
export const checkableSchema: Oas3Rule = () => ({
  Schema(schema, context) {
    const { location } = context;
    const { format, uniqueItems, items, properties = {} } = schema;
    const choices: unknown[] = [...(schema.enum ?? []), ...('const' in schema ? [schema.const] : [])];
    if (format !== undefined && !Object.hasOwn(formats, format)) {
      context.report({
        message: `has a format that src/contract/input-values.ts lacks: ${format}`,
        location,
      });
    }
    const target = resolved(items, context);
    if (schema.pattern !== undefined && typeof at(schema, 'x-fault') !== 'string') {
      context.report({
        message: 'has a pattern and needs x-fault, a sentence for who sends something else',
        location,
      });
    }
    // Two objects are compared by calling what a field named `valueOf` or `toString` holds.
    if (uniqueItems === true && !typesOf(target).every((type) => SCALARS.includes(String(type)))) {
      context.report({
        message: 'asks for unique items of a type other than text, number or boolean',
        location,
      });
    }
    if (choices.some((choice) => typeof choice === 'object' && choice !== null)) {
      context.report({ message: 'offers an object or array as a constant', location });
    }
    for (const name of Object.keys(properties).filter((property) => property in {})) {
      context.report({
        message: `has a name that every object already has: ${name}`,
        location: location.child(['properties', name]),
      });
    }
  },
  // A query arrives as text: a list with one member looks like a single value, and without bounds the text `Infinity`
  // would pass as a number.
  Parameter(parameter, context) {
    const { location } = context;
    const schema = { ...(resolved(parameter.schema, context) as Record<string, unknown> | undefined) };
    const { type, minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
    const isNumber = type === 'number' || type === 'integer';
    const isBounded =
      (minimum ?? exclusiveMinimum) !== undefined && (maximum ?? exclusiveMaximum) !== undefined;
    if (parameter.in === 'query' && !isNumber && type !== 'string' && type !== 'boolean') {
      context.report({ message: 'stands in a query and must be one text, number or boolean', location });
    }
    if (parameter.in === 'query' && isNumber && !isBounded) {
      context.report({ message: 'is a number in a query and needs a minimum and a maximum', location });
    }
  },
});

function resolved(schema: unknown, context: UserContext): unknown {
  return isObject(schema) && '$ref' in schema ? context.resolve({ $ref: String(schema.$ref) }).node : schema;
}

function typesOf(schema: unknown): unknown[] {
  const type = at(schema, 'type');
  return Array.isArray(type) ? type : [type];
}

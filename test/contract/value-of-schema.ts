import type { Json, JsonObject } from '../../scripts/generate/json';

/**
 * A value of a schema that a model is given, with one item in each list (or as many as it needs) and every field.
 * @param text the text of every string that may be any
 */
export function valueOfSchema(schema: JsonObject, text: string): Json {
  if (schema.const !== undefined) {
    return schema.const as Json;
  }
  if (Array.isArray(schema.enum)) {
    return schema.enum.find((one) => one !== null) ?? null;
  }
  const branches = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (branches?.[0]) {
    return valueOfSchema(branches[0], text);
  }
  return valueOfType(typeOf(schema), schema, text);
}

function valueOfType(type: string, schema: JsonObject, text: string): Json {
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as JsonObject).map(([name, member]) => [
          name,
          valueOfSchema(member as JsonObject, text),
        ]),
      );
    case 'array':
      return Array.from({ length: Math.max(1, Number(schema.minItems ?? 1)) }, () =>
        valueOfSchema(schema.items as JsonObject, text),
      );
    case 'integer':
    case 'number':
      return Number(schema.minimum ?? 1);
    case 'boolean':
      return true;
    case 'string':
      return schema.maxLength === undefined ? text : text.slice(0, Number(schema.maxLength)).trim();
    default:
      throw new Error(`no value is known of ${JSON.stringify(schema)}`);
  }
}

function typeOf({ type }: JsonObject): string {
  return String(Array.isArray(type) ? type.find((one) => one !== 'null') : type);
}

import type { Json, JsonObject } from '../../scripts/generate/json';

/** Of fields of this service's own whose form models are told in words. */
const NAMED: JsonObject = {
  ...{ date: '2026-03-01', amount: '12.50', currency: 'EUR', year: '2026', sentiment_score: 0 },
  ...{ index: 0, source: 1, label: 'news' },
};

/**
 * A value of a schema that a model is given, with one item in each list (or as many as it needs) and every field.
 * @param text the text of every string that may be any
 */
export function valueOfSchema(schema: JsonObject, text: string): Json {
  if (schema.const !== undefined) {
    return schema.const;
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

function valueOfMember(name: string, schema: JsonObject, text: string): Json {
  const named = schema.enum === undefined ? NAMED[name] : undefined;
  return named ?? valueOfSchema(schema, text);
}

function valueOfType(type: string, schema: JsonObject, text: string): Json {
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries((schema.properties ?? {}) as JsonObject).map(([name, member]) => [
          name,
          valueOfMember(name, member as JsonObject, text),
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
      if (schema.pattern !== undefined) {
        return wordOf(schema.pattern as string);
      }
      return schema.maxLength === undefined ? text : text.slice(0, Number(schema.maxLength)).trim();
    default:
      throw new Error(`no value is known of ${JSON.stringify(schema)}`);
  }
}

const WORDS = ['1', '12.50', '2026-03-01', 'EUR', 'word'];

function wordOf(pattern: string): string {
  const word = WORDS.find((each) => new RegExp(pattern, 'u').test(each));
  if (word === undefined) {
    throw new Error(`no word is known of ${pattern}`);
  }
  return word;
}

function typeOf({ type }: JsonObject): string {
  return (Array.isArray(type) ? type.find((one) => one !== 'null') : type) as string;
}

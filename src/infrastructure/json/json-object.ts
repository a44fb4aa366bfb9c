/** Parsed JSON that somebody else wrote: any member may be missing or of another type. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a parsed JSON value is an object, and so neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Those elements of an array that are objects; empty when the value is not an array. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** The member of this name; undefined when the value is not an object or has no such member. */
export function jsonField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** The value of a JSON text; undefined when the text is not valid JSON, which can't be mistaken for a JSON value. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

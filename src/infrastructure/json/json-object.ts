/** Parsed JSON that somebody else wrote: any member may be missing or of another type. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether parsed JSON is an object, not null and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of an array; none where it is no array. */
export function objectsOf(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as unknown[]).filter(isObject) : [];
}

/** A member of a value that may be anything; undefined where it has none. */
export function jsonField(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

/** What a text says as JSON; undefined where it is none, which JSON can't say. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

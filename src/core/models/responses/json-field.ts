/** A field of a JSON value that may be anything; undefined where it has none. */
export function jsonField(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const WRITTEN = /^(?:\/(?:[^~/]|~[01])*)*$/;
const ARRAY_INDEX = /^(?:0|[1-9]\d{0,8})$/;

/** Whether a text is a JSON pointer. Source: RFC 6901, section 3. */
export function isJsonPointer(text: string): boolean {
  return WRITTEN.test(text);
}

/**
 * The value in a parsed document to which a JSON pointer leads. Source: RFC 6901, section 4.
 * @param pointer for which isJsonPointer() is true; empty for the document itself
 * @returns undefined where there is none, which is no JSON value
 */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    value = memberOf(value, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}

function memberOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) {
    return ARRAY_INDEX.test(name) ? (value as unknown[])[Number(name)] : undefined;
  }
  // What objects inherit is no part of a document.
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

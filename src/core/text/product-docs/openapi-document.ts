export type JsonObject = Readonly<Record<string, unknown>>;

const REFERENCES_MAX = 10;
/** In UTF-16 units. */
const POINTER_LENGTH_MAX = 1_000;

/** Why a text is no OpenAPI document that can be read, as a sentence for the caller. */
export class NoOpenApiDocument extends Error {}

/** An OpenAPI document, and what its references lead to. */
export class OpenApiDocument {
  private constructor(readonly root: JsonObject) {}

  /** @throws NoOpenApiDocument */
  static read(text: string): OpenApiDocument {
    let root: unknown;
    try {
      root = JSON.parse(text.replace(/^\ufeff/u, ''));
    } catch (cause) {
      throw new NoOpenApiDocument('The OpenAPI document is no valid JSON.', { cause });
    }
    if (!isObject(root)) {
      throw new NoOpenApiDocument('The OpenAPI document is no JSON object.');
    }
    const { openapi } = root;
    if (typeof openapi !== 'string' || !/^3\.[0-9]{1,3}/u.test(openapi)) {
      throw new NoOpenApiDocument('The document has no "openapi" of version 3: only OpenAPI 3 is read.');
    }
    if (!isObject(root['paths']) && !isObject(root['components'])) {
      throw new NoOpenApiDocument('The OpenAPI document has neither paths nor components.');
    }
    return new OpenApiDocument(root);
  }

  /**
   * What a value is, after the references within the document.
   * @returns null for what is no object, and where a reference leads nowhere, out of the document or in a circle
   */
  resolve(value: unknown): JsonObject | null {
    let current = value;
    for (let hop = 0; hop <= REFERENCES_MAX; hop += 1) {
      if (!isObject(current)) {
        return null;
      }
      const reference = current['$ref'];
      if (typeof reference !== 'string') {
        return current;
      }
      current = this.at(reference);
    }
    return null;
  }

  private at(reference: string): unknown {
    if (!reference.startsWith('#/') || reference.length > POINTER_LENGTH_MAX) {
      return undefined;
    }
    let current: unknown = this.root;
    for (const part of reference.slice(2).split('/')) {
      const name = unescaped(part);
      const isThere = typeof current === 'object' && current !== null && Object.hasOwn(current, name);
      current = isThere ? (current as JsonObject)[name] : undefined;
    }
    return current;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members of an object; none of anything else. */
export function membersOf(value: unknown): [name: string, value: unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, cut to a length in UTF-16 units; empty for what is none. */
export function textOf(value: unknown, lengthMax: number): string {
  if (typeof value !== 'string') {
    return '';
  }
  return value.length <= lengthMax ? value : `${value.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** Source: RFC 6901, and the percent-encoding of fragments. */
function unescaped(part: string): string {
  let decoded = part;
  try {
    decoded = decodeURIComponent(part);
  } catch {
    // A percent sign that encodes nothing stands for itself.
  }
  return decoded.replaceAll('~1', '/').replaceAll('~0', '~');
}

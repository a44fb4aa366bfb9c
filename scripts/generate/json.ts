export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path of names, or undefined where the path breaks off. */
export function at(value: unknown, ...path: (string | number)[]): Json | undefined {
  return path.reduce<unknown>((node, key) => {
    if (Array.isArray(node)) {
      return (node as unknown[])[Number(key)];
    }
    return isObject(node) ? node[key] : undefined;
  }, value) as Json | undefined;
}

/** Follows a `$ref` into the bundled document's components; anything else is returned as it is. */
export function resolveComponent(document: JsonObject, value: Json | undefined): JsonObject {
  const ref = at(value, '$ref');
  const found = typeof ref === 'string' ? at(document, ...ref.slice(2).split('/')) : value;
  return isObject(found) ? found : {};
}

/** A JSON value as TypeScript text. */
export function literal(value: Json | undefined): string {
  if (typeof value !== 'string') {
    return JSON.stringify(value ?? null);
  }
  const escaped = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}

/** A name spelled as a type's: `create-key` and `createKey` become `CreateKey`. */
export function pascal(name: string): string {
  const camel = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return camel.charAt(0).toUpperCase() + camel.slice(1);
}

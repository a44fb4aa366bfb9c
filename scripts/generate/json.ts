export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The member at a path of names, or undefined where the path breaks off. */
export function at(value: Json | undefined, ...path: (string | number)[]): Json | undefined {
  return path.reduce<Json | undefined>((node, key) => {
    if (Array.isArray(node)) {
      return node[Number(key)];
    }
    return isObject(node) ? node[key] : undefined;
  }, value);
}

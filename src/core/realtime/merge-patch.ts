import { isObject, type JsonObject } from '../../infrastructure/json/json-object';

/**
 * Applies a JSON merge patch: members that are null are removed, objects are merged, anything else replaces what there
 * was. Neither argument is changed. A member called `__proto__` is one like any other.
 * Source: RFC 7396, section 2.
 */
export function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  // A map has no prototype that a name of a member could mean.
  const members = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      members.delete(name);
    } else {
      members.set(name, isObject(value) ? mergePatch(members.get(name), value) : value);
    }
  }
  return Object.fromEntries(members);
}

/** Whether a JSON value is nested deeper than so many objects and lists. */
export function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depthMax === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depthMax - 1));
}

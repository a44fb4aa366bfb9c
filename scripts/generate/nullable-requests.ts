import { at, isObject, resolveComponent, type Json, type JsonObject } from './json';
import type { Operation } from './operations';

/**
 * The document as it is published: requests may have null in place of every optional field, because the service takes
 * that for the field's absence (src/contract/read-as-meant.ts). The code is generated from the document without these
 * nulls, which no handler ever sees. A component that answers have as well stays as it is: there, null is never sent. So does
 * a form, whose fields are texts and files: a client's generator would not know how to send null.
 */
export function allowNulls(document: JsonObject, operations: Operation[]): JsonObject {
  const published = structuredClone(document);
  const asked = reached(
    published,
    operations
      .filter(({ policy }) => policy.mediaTypes.every((type) => type !== 'multipart/form-data'))
      .map(({ body }) => body)
      .filter((name) => name !== null),
  );
  const answered = reached(published, componentsIn(operations.map(({ responses }) => responses)));
  for (const name of asked) {
    const schema = at(published, 'components', 'schemas', name);
    if (isObject(schema) && !answered.has(name)) {
      allowNullsIn(published, schema);
    }
  }
  return published;
}

function allowNullsIn(document: JsonObject, schema: JsonObject): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const [name, field] of Object.entries(properties)) {
    if (isObject(field)) {
      allowNullsIn(document, field);
      properties[name] = required.includes(name) ? field : orNull(document, field);
    }
  }
  for (const inner of [schema.items, schema.oneOf, schema.anyOf].flat()) {
    if (isObject(inner)) {
      allowNullsIn(document, inner);
    }
  }
}

function orNull(document: JsonObject, field: JsonObject): JsonObject {
  if (takesNull(document, field)) {
    return field;
  }
  const { $ref, type, ...rest } = field;
  if ($ref !== undefined) {
    return { oneOf: [{ $ref }, { type: 'null' }], ...rest };
  }
  const forms = Array.isArray(rest.oneOf) ? 'oneOf' : 'anyOf';
  return {
    ...(type === undefined ? {} : { type: [...[type].flat(), 'null'] }),
    ...rest,
    ...(Array.isArray(rest.enum) ? { enum: [...rest.enum, null] } : {}),
    ...(Array.isArray(rest[forms]) ? { [forms]: [...rest[forms], { type: 'null' }] } : {}),
  };
}

function takesNull(document: JsonObject, schema: JsonObject): boolean {
  const { type, enum: choices, oneOf, anyOf } = resolveComponent(document, schema);
  if (Array.isArray(choices) && !choices.includes(null)) {
    return false;
  }
  if (type !== undefined) {
    return [type].flat().includes('null');
  }
  const forms = oneOf ?? anyOf;
  return !Array.isArray(forms) || forms.some((form) => isObject(form) && takesNull(document, form));
}

/** These components and those that they refer to. */
function reached(document: JsonObject, names: string[]): Set<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (!found.has(name)) {
      found.add(name);
      open.push(...componentsIn(at(document, 'components', 'schemas', name)));
    }
  }
  return found;
}

/** The names of the schemas that a part of the document refers to. */
function componentsIn(part: Json | undefined): string[] {
  const text = JSON.stringify(part ?? null);
  return [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

import { isObject, type Json, type JsonObject } from '../json';
import { literal } from './literal';
import { readValueSchema, type Branch, type ValueSchema } from './value-schema';

/** The TypeScript type of a value. */
export function typeText(document: JsonObject, value: ValueSchema): string {
  const types = value.branches.map((branch) => branchText(document, branch));
  return [...types, ...(value.nullable ? ['null'] : [])].join(' | ');
}

function branchText(document: JsonObject, branch: Branch): string {
  const { type, keywords, component } = branch;
  if (component !== null) {
    return component;
  }
  if (Array.isArray(keywords.enum)) {
    return keywords.enum.map(literal).join(' | ');
  }
  switch (type) {
    case 'integer':
      return 'number';
    case 'array': {
      const item = innerText(document, keywords.items);
      return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      return `Record<string, ${innerText(document, keywords.additionalProperties)}>`;
    default:
      return type;
  }
}

function innerText(document: JsonObject, schema: Json | undefined): string {
  return isObject(schema) ? typeText(document, readValueSchema(document, schema)) : 'unknown';
}

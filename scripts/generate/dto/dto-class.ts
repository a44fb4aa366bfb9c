import { isObject, type Json, type JsonObject } from '../json';
import { hasQuery, pascal } from '../write-contract';
import { querySchema } from '../write-schemas';
import { resolveComponent, type Operation } from '../operations';
import { isClassSchema } from './value-schema';

/** One class to be written: an object schema under a name. */
export interface DtoClass {
  name: string;
  tag: string;
  schema: JsonObject;
  /** What the doc comment says, null where the document says nothing. */
  description: string | null;
  /** Where the document describes it. */
  pointer: string;
  /** Whether its fields arrive as text. */
  isQuery: boolean;
}

/**
 * The classes of every operation's query and body, each under the first tag that needs it. A class comes after those
 * that it refers to, because decorator metadata names them while the file is still being loaded.
 */
export function collectDtoClasses(document: JsonObject, operations: Operation[]): DtoClass[] {
  const classes: DtoClass[] = [];
  const seen = new Set<string>();

  const visit = (schema: Json, tag: string): void => {
    for (const name of componentsIn(schema)) {
      const target = resolveComponent(document, { $ref: `#/components/schemas/${name}` });
      if (!seen.has(name)) {
        seen.add(name);
        visit(target, tag);
        if (isClassSchema(target)) {
          classes.push(componentClass(name, tag, target));
        }
      }
    }
  };

  for (const operation of operations) {
    visit(operation.bodySchema, operation.tag);
    if (hasQuery(operation)) {
      const query = queryClass(operation);
      visit(query.schema, operation.tag);
      classes.push(query);
    }
  }
  return classes;
}

function componentClass(name: string, tag: string, schema: JsonObject): DtoClass {
  return {
    name,
    tag,
    schema,
    description: typeof schema.description === 'string' ? schema.description : null,
    pointer: `/components/schemas/${name}`,
    isQuery: false,
  };
}

function queryClass(operation: Operation): DtoClass {
  return {
    name: `${pascal(operation.id)}Query`,
    tag: operation.tag,
    schema: querySchema(operation) ?? {},
    description: `The query of ${operation.method} ${operation.path}.`,
    pointer: operation.pointer,
    isQuery: true,
  };
}

/** The components that a schema refers to, in the order of their appearance. */
function componentsIn(value: Json): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(componentsIn);
  }
  if (!isObject(value)) {
    return [];
  }
  const own = typeof value.$ref === 'string' ? [value.$ref.slice(value.$ref.lastIndexOf('/') + 1)] : [];
  return [...own, ...Object.values(value).flatMap(componentsIn)];
}

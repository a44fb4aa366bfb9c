import { at, isObject, literal, resolveComponent, type Json, type JsonObject } from './json';
import type { Operation } from './operations';
import { ownDecorators, type OwnDecorators } from './own-decorators';

const MATCHES_SCHEMA = `import { MatchesSchema } from '../../src/contract/validate-dto';`;

/** `dto/<tag>.ts`: the class-validator classes of queries and bodies, each under the first tag that needs it. */
export function writeDto(document: JsonObject, operations: Operation[]): Record<string, string> {
  const texts: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const {
    policy: { tag },
    body,
    query,
  } of operations) {
    for (const name of [body, query].filter((found) => found !== null && !seen.has(found)) as string[]) {
      seen.add(name);
      (texts[tag] ??= []).push(writeClass(document, name, name === query));
    }
  }
  return Object.fromEntries(Object.entries(texts).map(([tag, classes]) => [tag, writeFile(classes)]));
}

/** A file of generated classes, with what they import. */
export function writeFile(classes: string[]): string {
  const names = classes.flatMap((text) => [...text.matchAll(/^ {2}@(\w+)/gm)].map(([, name = '']) => name));
  const used = [...new Set(names)].filter((name) => name !== 'MatchesSchema').sort();
  const validator = used.length === 0 ? [] : [`import { ${used.join(', ')} } from 'class-validator';`];
  const imports = [...validator, MATCHES_SCHEMA, `import type * as types from '../types';`];
  return `${[imports.join('\n'), ...classes].join('\n\n')}\n`;
}

/** The class of one component; `isQuery` where its values arrive as text. */
export function writeClass(document: JsonObject, name: string, isQuery: boolean): string {
  const schema = at(document, 'components', 'schemas', name) as JsonObject;
  const fields = Object.keys(schema.properties as JsonObject).map((field) =>
    writeField(document, { name, schema, field }),
  );
  return [
    ...comment(schema.description, ''),
    `@MatchesSchema('${name}'${isQuery ? ', { fromText: true }' : ''})`,
    `export class ${name} implements types.${name} {`,
    fields.join('\n\n'),
    ...(schema.additionalProperties === false ? [] : ['\n  [name: string]: unknown;']),
    '}',
  ].join('\n');
}

function writeField(
  document: JsonObject,
  { name, schema, field }: { name: string; schema: JsonObject; field: string },
): string {
  const written = at(schema, 'properties', field) as JsonObject;
  const target = { ...resolveComponent(document, written), ...written };
  const isRequired = Array.isArray(schema.required) && schema.required.includes(field);
  const isOptional = !isRequired && written.default === undefined;
  const own = ownDecorators(target);
  const pointer = `${name}/properties/${field.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  const checks = own?.decorators ?? [`MatchesSchema(${literal(pointer)})`];
  const decorators = [...conditions(own, isOptional), ...checks].map((decorator) => `  @${decorator}`);
  const type = own?.type ?? `types.${name}[${literal(field)}]`;
  const [mark, initialiser] =
    written.default === undefined ? [isRequired ? '!' : '?', ''] : ['', ` = ${literal(written.default)}`];
  return [
    ...comment(isObject(target.properties) ? written.description : target.description, '  '),
    ...decorators,
    `  ${propertyName(field)}${mark}: ${type}${initialiser};`,
  ].join('\n');
}

/**
 * The decorators that say when a field is judged at all. IsOptional also lets null pass, so it fits nullable fields
 * only.
 */
function conditions(own: OwnDecorators | null, isOptional: boolean): string[] {
  const isNullable = own?.nullable === true;
  if (isOptional && isNullable) {
    return ['IsOptional()'];
  }
  return [
    ...(isOptional ? ['ValidateIf((_, value) => value !== undefined)'] : []),
    ...(isNullable ? ['ValidateIf((_, value) => value !== null)'] : []),
  ];
}

function comment(text: Json | undefined, indent: string): string[] {
  if (typeof text !== 'string' || text.trim() === '') {
    return [];
  }
  const lines = text.trim().replaceAll('*/', '* /').split('\n');
  return lines.length === 1
    ? [`${indent}/** ${lines[0]} */`]
    : [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`.trimEnd()), `${indent} */`];
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

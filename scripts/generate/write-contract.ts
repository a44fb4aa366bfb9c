import type { Operation } from './operations';
import { at, type JsonObject } from './json';

/** `contract.ts`: per tag one interface of its operations and one table of their policies, and the prices. */
export function writeContract(document: JsonObject, operations: Operation[]): string {
  const tags = (document.tags as JsonObject[]).filter((tag) =>
    operations.some(({ tag: name }) => name === tag.name),
  );
  return [
    `import type { AccountCall, ApiTable, KeyCall, OpenCall, PriceDefinition } from '../src/contract/operation';`,
    `import type { StreamedAnswer } from '../src/core/models/streams/streamed-answer';`,
    `import type { ${importedTypes(operations).join(', ')} } from './types';`,
    '',
    writePrices(document['x-prices'] as JsonObject),
    ...tags.map((tag) =>
      writeTag(
        tag,
        operations.filter((operation) => operation.tag === tag.name),
      ),
    ),
    '/** Every tag of the document; each has to be served by exactly one controller. */',
    `export const apis = [${tags.map((tag) => `${camel(tag.name as string)}Api`).join(', ')}] as const;`,
    '',
  ].join('\n');
}

function writePrices(prices: JsonObject): string {
  const rows = Object.entries(prices).map(([name, price]) => {
    const perToken = at(price, 'per_token');
    return `  ${name}: { title: ${quote(at(price, 'title'))}, base: ${quote(at(price, 'base'))}, perToken: ${
      perToken === undefined ? 'null' : quote(perToken)
    }, counts: ${quote(at(price, 'counts') ?? null)} },`;
  });
  return [
    '/** The prices of the document: decimal strings, USD. */',
    `export const prices = {`,
    ...rows,
    `} as const satisfies Record<string, PriceDefinition>;`,
    `export type PriceName = keyof typeof prices;`,
    '',
  ].join('\n');
}

function writeTag(tag: JsonObject, operations: Operation[]): string {
  const name = tag.name as string;
  return [
    ...operations.map(
      ({ id, auth, price }) =>
        `export type ${pascal(id)}Call = ${callType(auth)}<operations['${id}']${queryOf(operations, id)}, ${price !== null}>;`,
    ),
    '',
    `/** ${String(tag.description)} */`,
    // Properties, because a method could ask for more than its call offers: methods are compared bivariantly.
    `export interface ${pascal(name)}Api {`,
    ...operations.map(
      (operation) =>
        `  /** ${operation.summary}. ${operation.method} ${operation.path} */\n  ${operation.id}: (call: ${pascal(
          operation.id,
        )}Call) => Promise<${resultType(operation)}>;`,
    ),
    '}',
    '',
    `export const ${camel(name)}Api: ApiTable<${pascal(name)}Api> = {`,
    `  tag: '${name}',`,
    `  operations: {`,
    ...operations.map((operation) => `    ${operation.id}: ${policy(operation)},`),
    '  },',
    '};',
    '',
  ].join('\n');
}

function policy(operation: Operation): string {
  const fields = {
    operationId: operation.id,
    tag: operation.tag,
    method: operation.method,
    path: operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    status: operation.status,
    auth: operation.auth,
    role: operation.role,
    rate: operation.rate,
    price: operation.price,
    idempotent: operation.idempotent,
    envelope: operation.envelope,
  };
  return `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? quote(value) : String(value)}`)
    .join(', ')} }`;
}

function queryOf(operations: Operation[], id: string): string {
  const operation = operations.find((candidate) => candidate.id === id);
  return operation && hasQuery(operation) ? `, ${pascal(id)}Query` : ', undefined';
}

export function hasQuery(operation: Operation): boolean {
  return operation.parameters.some((parameter) => parameter.in === 'query');
}

function resultType(operation: Operation): string {
  if (operation.responseSchema === null) {
    return 'void';
  }
  const result = resultSchemaType(operation);
  return operation.streams ? `${result} | StreamedAnswer` : result;
}

function resultSchemaType(operation: Operation): string {
  const name = refName(operation);
  if (!name) {
    return `operations['${operation.id}']['responses'][${operation.status}]['content']['application/json']`;
  }
  return operation.envelope ? `${name}['data']` : name;
}

function importedTypes(operations: Operation[]): string[] {
  const names = operations.flatMap((operation) => [
    ...(refName(operation) ? [refName(operation) as string] : []),
    ...(hasQuery(operation) ? [`${pascal(operation.id)}Query`] : []),
  ]);
  return [...new Set(['operations', ...names])].sort();
}

function refName(operation: Operation): string | null {
  const ref = at(operation.responseSchema ?? undefined, '$ref');
  return typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : null;
}

function callType(auth: Operation['auth']): string {
  return { none: 'OpenCall', jwt: 'AccountCall', key: 'KeyCall' }[auth];
}

function quote(value: unknown): string {
  return value === null ? 'null' : `'${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function pascal(name: string): string {
  return name.charAt(0).toUpperCase() + camel(name).slice(1);
}

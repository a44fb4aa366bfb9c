import { at, literal, pascal, type Json, type JsonObject } from './json';
import { nameOf, type Operation } from './operations';

const CALL_TYPES = { none: 'OpenCall', jwt: 'AccountCall', key: 'KeyCall' };

/** `contract.ts`: per tag one interface of its operations and one table of their policies, and the prices. */
export function writeContract(document: JsonObject, operations: Operation[]): string {
  const groups = (document.tags as JsonObject[])
    .map((tag) => ({ tag, members: operations.filter(({ policy }) => policy.tag === tag.name) }))
    .filter(({ members }) => members.length > 0);
  return [
    `import type { ${contractTypes(operations).join(', ')} } from '../src/contract/operation';`,
    `import type { StreamedAnswer } from '../src/models/streamed-answer';`,
    `import type { ${importedTypes(operations).join(', ')} } from './types';`,
    '',
    writePrices(document['x-prices'] as JsonObject),
    writeCalls(operations),
    ...groups.map(({ tag, members }) => writeTag(tag, members)),
    '/** Every tag of the document; each has to be served by exactly one controller. */',
    `export const apis = [${groups.map(({ tag }) => tableName(tag)).join(', ')}] as const;`,
    '',
  ].join('\n');
}

function writePrices(prices: JsonObject): string {
  const rows = Object.entries(prices).map(([name, price]) => {
    const { title, base, per_token: perToken, counts } = price as JsonObject;
    return `  ${name}: { ${fields({ title, base, perToken, counts })} },`;
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

function writeCalls(operations: Operation[]): string {
  return [
    'interface Calls {',
    ...operations.map(
      ({ policy: { operationId: id, auth, price }, query }) =>
        `  ${id}: ${CALL_TYPES[auth]}<operations['${id}'], ${query ?? 'undefined'}, ${price !== null}>;`,
    ),
    '}',
    '/** What the method of an operation is given. */',
    'export type Call<Id extends keyof Calls> = Calls[Id];',
    '',
  ].join('\n');
}

function writeTag(tag: JsonObject, operations: Operation[]): string {
  const name = tag.name as string;
  return [
    `/** ${String(tag.description)} */`,
    // Written as properties, because TypeScript compares the parameters of methods bivariantly: a controller's method
    // could then ask for more than its call offers.
    `export interface ${pascal(name)}Api {`,
    ...operations.flatMap((operation) => [
      `  /** ${operation.summary}. ${operation.policy.method} ${operation.path} */`,
      `  ${operation.policy.operationId}: (call: Call<'${operation.policy.operationId}'>) => Promise<${resultType(operation)}>;`,
    ]),
    '}',
    '',
    `export const ${tableName(tag)}: ApiTable<${pascal(name)}Api> = {`,
    `  tag: '${name}',`,
    `  operations: {`,
    ...operations.map(({ policy }) => `    ${policy.operationId}: { ${fields({ ...policy })} },`),
    '  },',
    '};',
    '',
  ].join('\n');
}

function fields(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) =>
      Array.isArray(value)
        ? `${name}: [${(value as Json[]).map(literal).join(', ')}]`
        : `${name}: ${literal(value as Json)}`,
    )
    .join(', ');
}

function resultType(operation: Operation): string {
  const { operationId, status, envelope, answerType } = operation.policy;
  if (operation.responseSchema === null) {
    return answerType === undefined ? 'void' : isBinary(answerType) ? 'BinaryAnswer' : 'string';
  }
  const name =
    responseName(operation) ??
    `operations['${operationId}']['responses'][${status}]['content']['application/json']`;
  const result = envelope ? `${name}['data']` : name;
  return operation.policy.streams ? `${result} | StreamedAnswer` : result;
}

/** What is sent as it comes: files of any type, tables, and events that a GET asks for. */
const SENT_AS_BYTES = /\*|^text\/(csv|event-stream)$/;

function isBinary(answerType: string | undefined): boolean {
  return answerType !== undefined && SENT_AS_BYTES.test(answerType);
}

function contractTypes(operations: Operation[]): string[] {
  const binary = operations.some(({ policy }) => isBinary(policy.answerType)) ? ['BinaryAnswer'] : [];
  return ['AccountCall', 'ApiTable', ...binary, 'KeyCall', 'OpenCall', 'PriceDefinition'];
}

function importedTypes(operations: Operation[]): string[] {
  const names = operations.flatMap((operation) => [responseName(operation), operation.query]);
  return [...new Set(['operations', ...names.filter((name) => name !== null)])].sort();
}

function responseName({ responseSchema }: Operation): string | null {
  return nameOf(at(responseSchema, '$ref'));
}

function tableName(tag: JsonObject): string {
  const name = pascal(tag.name as string);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}Api`;
}

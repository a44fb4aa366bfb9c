import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import { definitions, schemas } from '../../generated/schemas';
import type { OperationPolicy } from './operation';

/** Writes a value as JSON, with the members that its schema names. */
export type AnswerSerializer = (value: unknown) => string;

const named: Readonly<Record<string, unknown>> = definitions;
const serializers = new WeakMap<object, AnswerSerializer>();

/**
 * The serializer of a response schema of the document. It is compiled when it writes its first value, and once in a
 * process: most processes answer with few of the document's schemas, and compiling all takes as long as the rest of a start.
 */
export function serializerOf(schema: object): AnswerSerializer {
  const known = serializers.get(schema);
  if (known) {
    return known;
  }
  let compiled: AnswerSerializer | null = null;
  const serializer = (value: unknown): string => (compiled ??= compile(schema))(value);
  serializers.set(schema, serializer);
  return serializer;
}

/** The serializer of an operation's successful answer. */
export function answerSerializer({ operationId, status }: OperationPolicy): AnswerSerializer {
  const schema = schemas[operationId]?.responses[String(status)];
  return schema ? serializerOf(schema) : writeNothing;
}

/** For operations whose successful answer has no body. */
function writeNothing(): string {
  return '';
}

/** With the definitions that the schema leads to alone, because the compiler looks through all it is given. */
function compile(schema: object): AnswerSerializer {
  const needed: Record<string, unknown> = {};
  collectDefinitions(schema, needed);
  const shared = { $id: 'contract', $defs: needed } as unknown as Schema;
  return fastJsonStringify(schema as Schema, { schema: { contract: shared } });
}

function collectDefinitions(value: unknown, needed: Record<string, unknown>): void {
  if (typeof value !== 'object' || value === null) {
    return;
  }
  const name = '$ref' in value && typeof value.$ref === 'string' ? value.$ref.split('/').at(-1) : undefined;
  if (name !== undefined && !(name in needed)) {
    needed[name] = named[name];
    collectDefinitions(named[name], needed);
  }
  for (const member of Object.values(value)) {
    collectDefinitions(member, needed);
  }
}

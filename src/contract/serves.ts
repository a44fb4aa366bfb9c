import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import document from '../../generated/openapi.json';
import { definitions, schemas } from '../../generated/schemas';
import type { ApiTable, OperationPolicy } from './operation';

/** The API's version as the document states it. */
export const API_VERSION: string = document.info.version;

/** Writes a value as JSON, with the members that its schema names. */
type AnswerSerializer = (value: unknown) => string;

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

/** The metadata key under which a controller carries the table of the tag that it serves. */
export const SERVED_API = 'contract:api';
/** The metadata key under which a controller's method carries the policy of the operation that it serves. */
export const SERVED_OPERATION = 'contract:operation';

/** A request of Fastify's, on which the pipeline leaves the call that makes the parameter of an operation's method. */
interface CarryingRequest {
  call?: { parameter(): unknown };
}

/** The one parameter of an operation's method. */
const OperationCall = createParamDecorator((_: unknown, context: ExecutionContext) =>
  context.switchToHttp().getRequest<CarryingRequest>().call?.parameter(),
);

/**
 * Binds a controller to one tag of the document: routes, statuses, policies and response schemas come from there.
 * A controller that lacks one of the tag's operations does not compile.
 */
export function Serves<Api>(table: ApiTable<Api>) {
  return (target: new (...dependencies: never[]) => Api): void => {
    Controller()(target);
    SetMetadata(SERVED_API, table)(target);
    for (const policy of Object.values<OperationPolicy>(table.operations)) {
      bind(target.prototype as object, policy);
    }
  };
}

/** Gives the method of an operation its route. A missing method is skipped here; the service then refuses to start. */
function bind(prototype: object, policy: OperationPolicy): void {
  const { operationId, method, path, status, bodyBytesMax } = policy;
  const value: unknown = (prototype as Record<string, unknown>)[operationId];
  if (typeof value !== 'function') {
    return;
  }
  const response = schemas[operationId]?.responses[String(status)];
  const decorators = [
    RequestMapping({ method: RequestMethod[method], path }),
    HttpCode(status),
    SetMetadata(SERVED_OPERATION, policy),
    RouteConfig({ operation: policy, bodyBytesMax }),
    RouteSchema(response ? { response: { [status]: response } } : {}),
  ];
  for (const decorate of decorators) {
    decorate(prototype, operationId, { value });
  }
  OperationCall()(prototype, operationId, 0);
}

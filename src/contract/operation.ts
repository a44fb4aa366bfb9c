import {
  Controller,
  createParamDecorator,
  type ExecutionContext,
  HttpCode,
  Injectable,
  RequestMapping,
  RequestMethod,
  SetMetadata,
} from '@nestjs/common';
import { RouteConfig, RouteSchema } from '@nestjs/platform-fastify';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import document from '../../generated/openapi.json';
import { definitions, schemas } from '../../generated/schemas';
import type { AccountPrincipal } from '../accounts/accounts';
import type { KeyPrincipal } from '../accounts/credentials';
import type { RateClass } from '../accounts/rate-limiter';
import type { ConsoleRequest } from '../http/console-requests';
import type { FormFields } from '../http/form-bodies';
import type { UploadedFile } from '../http/uploaded-files';
import type { Meter, PriceDefinition } from '../ledger/money';
import type { Engine } from '../models/model-provider';

export type { AccountPrincipal, KeyPrincipal, Meter, PriceDefinition, RateClass, UploadedFile };

export interface PresentedToken {
  jti: string;
  /** The account's token version at issue; a password change raises the account's. */
  ver: number;
  exp: number;
  /** Unix milliseconds until the password is asked again; absent without a console session. */
  passwordValidUntilMs?: number;
}

export interface CallContext {
  requestId: string;
  /** The caller's IP address; empty for an internal call. */
  callerAddress: string;
  page: ConsoleRequest | null;
  signal: AbortSignal;
  requestHeaders: Readonly<Record<string, string | undefined>>;
  file: UploadedFile | null;
  idempotencyId: string | null;
  plan: object | null;
  /** A success is then 200: what it would have created existed. */
  replaced(): void;
  setHeader(name: string, value: string): void;
  /** Makes this JSON text the answer, byte for byte, in place of the handler's result. */
  passOn(text: string): void;
  setEngine(engine: Engine): void;
  /** Adds the cost of a call that this one made to the reported cost. */
  includeCost(nanoUsd: bigint, tokens: number): void;
}

/** Bytes sent as they come. Only for free operations, because nothing is settled at the end. */
export class BinaryAnswer {
  /** The first piece is read before the head leaves; an error until then is the answer. */
  constructor(
    readonly head: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
    readonly bytes: (signal: AbortSignal) => AsyncIterable<Uint8Array>,
  ) {}
}

type ModelOperation = 'chat' | 'complete' | 'embed' | 'respond';

export interface OperationPolicy {
  operationId: string;
  tag: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH';
  /** In Fastify's form, `/api/keys/:key_id`. */
  path: string;
  status: number;
  auth: 'none' | 'jwt' | 'key';
  role: 'admin' | null;
  rate: RateClass;
  price: string | null;
  /** Free, but its answers tell the sum of its items' costs; absent without items. */
  itemCosts?: true;
  model: ModelOperation | null;
  /** How much is answered without a model; absent where no model is needed. */
  withoutModel?: 'whole' | 'part' | 'none';
  idempotent: boolean;
  /** The answer shows a secret, so the copy for retries is encrypted. */
  secretAnswer?: true;
  recentPassword?: true;
  envelope: boolean;
  bodyBytesMax: number | null;
  mediaTypes: readonly string[];
  form?: FormFields;
  streams?: true;
  /** For texts other than JSON; a media range for a BinaryAnswer. */
  answerType?: string;
}

/** Clients of /v1 are written by others and send what their vendors' interface takes. */
export function isForOthersClients({ path }: OperationPolicy): boolean {
  return path.startsWith('/v1/');
}

export interface ApiTable<Api> {
  tag: string;
  operations: { [Id in keyof Api]: OperationPolicy };
}

/** JSON Schemas, which refer to named ones as `contract#/$defs/Name`. */
export interface OperationSchemas {
  body: object | null;
  bodyRequired: boolean;
  query: object | null;
  headers: object | null;
  responses: Record<string, object | null>;
}

interface Documented {
  parameters: { path?: unknown };
  requestBody?: unknown;
}

type BodyOf<Body> = Body extends { content: { 'application/json': infer Content } }
  ? Content
  : Body extends { content: { 'multipart/form-data': infer Fields } }
    ? Fields
    : never;

interface Input<Operation extends Documented, Query> {
  params: Operation['parameters']['path'];
  query: Query;
  body: BodyOf<NonNullable<Operation['requestBody']>>;
}

type Metered<Priced extends boolean> = Priced extends true ? { meter: Meter } : object;

export type OpenCall<Operation extends Documented, Query, Priced extends boolean> = Input<Operation, Query> &
  CallContext &
  Metered<Priced>;

export type AccountCall<Operation extends Documented, Query, Priced extends boolean> = OpenCall<
  Operation,
  Query,
  Priced
> & { account: AccountPrincipal; token: PresentedToken };

export type KeyCall<Operation extends Documented, Query, Priced extends boolean> = OpenCall<
  Operation,
  Query,
  Priced
> & { account: AccountPrincipal; key: KeyPrincipal };

export interface BoundedInput {
  readonly tokens: number;
  /** How often each is counted: a model that mends its answer reads them again. */
  readonly times: number;
}

export interface Estimate {
  inputTokens: number;
  boundedInput?: BoundedInput | null;
  outputTokensMax: number;
  /** The part that a smaller max_tokens does not reduce, such as an echoed prompt; absent means none. */
  outputTokensFixed?: number;
  choices: number;
  /** The model that will answer, which may have its own price; null for the operation's price. */
  model: string | null;
  surcharge?: { readonly nanoUsd: bigint; readonly fields: readonly string[] } | null;
  /** The plan for fewer output tokens per choice; absent where the service does not choose them. */
  planFor?: (tokensMax: number) => object;
  plan?: object;
}

/** Tokens stored or read without a model: the basis of price and charge. */
export class CountedInput {
  constructor(readonly tokens: number) {}

  static estimate(inputTokens: number): Estimate {
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedInput(inputTokens) };
  }
}

/** Makes the handler do what was reserved. @throws Error for another class of plan */
export function planOf<Plan extends object>(
  { plan }: Pick<CallContext, 'plan'>,
  kind: abstract new (...parts: never[]) => Plan,
): Plan {
  if (!(plan instanceof kind)) {
    throw new Error(`a call came without its ${kind.name}: its operation has no estimator that makes one`);
  }
  return plan;
}

export interface EstimatedCall {
  readonly operationId: string;
  readonly params: Record<string, string>;
  readonly body: unknown;
  readonly account: AccountPrincipal;
  readonly signal: CallContext['signal'];
}

/** Throws ApiError for an impossible call, which then costs nothing. */
export type Estimator = (call: EstimatedCall) => Promise<Estimate> | Estimate;

@Injectable()
export class Estimates {
  private readonly estimators = new Map<string, Estimator>();

  register(operationId: string, estimator: Estimator): void {
    if (this.estimators.has(operationId)) {
      throw new Error(`${operationId} has two estimators`);
    }
    this.estimators.set(operationId, estimator);
  }

  of(operationId: string): Estimator | null {
    return this.estimators.get(operationId) ?? null;
  }
}

/** After this time an operation is answered with 504 and costs nothing. */
export const OPERATION_TIMEOUT_MS: Readonly<Record<RateClass, number>> = {
  health: 5_000,
  read: 10_000,
  write: 10_000,
  llm: 120_000,
  heavy: 120_000,
};

/** From the handler's return; the handler itself has its class's time. */
export const STREAM_TIMEOUT_MS = 600_000;

/** Milliseconds: twice the longest call, so that no running call is swept. */
export function leaseMs(rate: RateClass, isStreamed: boolean): number {
  return 2 * (OPERATION_TIMEOUT_MS[rate] + (isStreamed ? STREAM_TIMEOUT_MS : 0));
}

export const API_VERSION: string = document.info.version;

type AnswerSerializer = (value: unknown) => string;

const named: Readonly<Record<string, unknown>> = definitions;
const serializers = new WeakMap<object, AnswerSerializer>();

/** Compiled on first use: most processes use few, and all take as long as the rest of a start. */
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

export function answerSerializer({ operationId, status }: OperationPolicy): AnswerSerializer {
  const schema = schemas[operationId]?.responses[String(status)];
  return schema ? serializerOf(schema) : () => '';
}

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

export const SERVED_API = 'contract:api';
export const SERVED_OPERATION = 'contract:operation';

const OperationCall = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ call?: { work: unknown } }>().call?.work,
);

/** Binds routes, statuses, policies and schemas. A controller that lacks an operation does not compile. */
export function Serves<Api>(table: ApiTable<Api>) {
  return (target: new (...dependencies: never[]) => Api): void => {
    Controller()(target);
    SetMetadata(SERVED_API, table)(target);
    for (const policy of Object.values<OperationPolicy>(table.operations)) {
      bind(target.prototype as object, policy);
    }
  };
}

/** Skips a missing method; the service then refuses to start. */
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

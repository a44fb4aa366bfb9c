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
  /** The account's token version under which the token was issued; a password change raises the account's. */
  ver: number;
  /** When the token expires, in Unix seconds. */
  exp: number;
  /** Until when, in Unix milliseconds, a password need not be shown again; absent where it is no console session's. */
  passwordValidUntilMs?: number;
}

export interface CallContext {
  requestId: string;
  /** The IP address that the call came from; empty for a call from within the service. */
  callerAddress: string;
  page: ConsoleRequest | null;
  signal: AbortSignal;
  requestHeaders: Readonly<Record<string, string | undefined>>;
  /** The file of the form; null where the operation takes none. It is gone when the call has ended. */
  file: UploadedFile | null;
  /** The same for every retry with one Idempotency-Key; null without that header. */
  idempotencyId: string | null;
  plan: object | null;
  /** Makes 200 the status of the answer, should the call succeed, because what it would have created was there before. */
  replaced(): void;
  setHeader(name: string, value: string): void;
  /** Makes this JSON text the answer, byte for byte, in place of what the handler returns. */
  passOn(text: string): void;
  setEngine(engine: Engine): void;
  /** Adds what a call that this one made was charged, and the tokens that it used, to what the answer tells of its cost. */
  includeCost(nanoUsd: bigint, tokens: number): void;
}

/** An answer of bytes, which are sent as they come. Of an operation that is free, because nothing is settled at its end. */
export class BinaryAnswer {
  /** `bytes` begins to read them. The first piece is read before the head leaves, and what it throws is the answer. */
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
  /** The route in Fastify's form, `/api/keys/:key_id`. */
  path: string;
  status: number;
  auth: 'none' | 'jwt' | 'key';
  role: 'admin' | null;
  rate: RateClass;
  price: string | null;
  /** Whether it is free and its answers tell the sum of what its items cost; absent where it has no items. */
  itemCosts?: true;
  model: ModelOperation | null;
  /** How much of it is answered where the operator has no model; absent where no model answers it. */
  withoutModel?: 'whole' | 'part' | 'none';
  idempotent: boolean;
  /** Whether its answer shows a secret, so that what is kept of it for retries is sealed; absent where it does not. */
  secretAnswer?: true;
  /** Whether a console session needs a password that was shown minutes ago; absent where it does not. */
  recentPassword?: true;
  /** Whether the answer is `{data, metadata}`. */
  envelope: boolean;
  bodyBytesMax: number | null;
  mediaTypes: readonly string[];
  /** Which fields of the form are not plain text; absent where the body is no form. */
  form?: FormFields;
  streams?: true;
  /** Of a success that is a text other than JSON; a media range where the method returns a BinaryAnswer. */
  answerType?: string;
}

/** Whether the clients of an operation are others' work, which send what their vendors' own interface takes. */
export function isForOthersClients({ path }: OperationPolicy): boolean {
  return path.startsWith('/v1/');
}

/** The policies of one tag. `Api` is the interface of its operations, to which @Serves holds the controller. */
export interface ApiTable<Api> {
  tag: string;
  operations: { [Id in keyof Api]: OperationPolicy };
}

/** The JSON Schemas of one operation. They refer to named schemas as `contract#/$defs/Name`. */
export interface OperationSchemas {
  body: object | null;
  bodyRequired: boolean;
  query: object | null;
  headers: object | null;
  /** By status code or `default`; null where the answer has no JSON body. */
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

/** Input tokens that a caller may lower by naming a smaller max_input_tokens. */
export interface BoundedInput {
  readonly tokens: number;
  /** How often such a token is counted, as a model may read it again when it mends its answer. */
  readonly times: number;
}

/** The most that a call may use, worked out before anything is charged. */
export interface Estimate {
  inputTokens: number;
  /** The part of `inputTokens` that the request's max_input_tokens bounds; absent means none. */
  boundedInput?: BoundedInput | null;
  /** The most output tokens of all choices together. */
  outputTokensMax: number;
  /** The part of `outputTokensMax` that a smaller max_tokens would not reduce, such as an echoed prompt; absent means none. */
  outputTokensFixed?: number;
  choices: number;
  /** The id of the model that will answer, which may have a price of its own; null where the operation's price holds. */
  model: string | null;
  surcharge?: { readonly nanoUsd: bigint; readonly fields: readonly string[] } | null;
  /** The plan for fewer output tokens of each choice; absent where their number is not the service's to choose. */
  planFor?: (tokensMax: number) => object;
  plan?: object;
}

/** The tokens of what is stored or read without a model, by which a call is priced and then charged. */
export class CountedInput {
  constructor(readonly tokens: number) {}

  static estimate(inputTokens: number): Estimate {
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedInput(inputTokens) };
  }
}

/** Of a class that estimator and handler share, so that the handler does what was reserved for. @throws Error where there is none */
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

/** Throws ApiError for a call that can't be served, which then costs nothing. */
export type Estimator = (call: EstimatedCall) => Promise<Estimate> | Estimate;

/** An operation without an estimator is estimated from its body alone. */
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

/** How long an operation of this class may take before it is answered with 504 and costs nothing. */
export const OPERATION_TIMEOUT_MS: Readonly<Record<RateClass, number>> = {
  health: 5_000,
  read: 10_000,
  write: 10_000,
  llm: 120_000,
  heavy: 120_000,
};

/** How long a stream may go on once its handler has returned it. The handler itself has the time of its class. */
export const STREAM_TIMEOUT_MS = 600_000;

/** In milliseconds: twice what the call may take, so that no call still running is ever swept. */
export function leaseMs(rate: RateClass, isStreamed: boolean): number {
  return 2 * (OPERATION_TIMEOUT_MS[rate] + (isStreamed ? STREAM_TIMEOUT_MS : 0));
}

export const API_VERSION: string = document.info.version;

type AnswerSerializer = (value: unknown) => string;

const named: Readonly<Record<string, unknown>> = definitions;
const serializers = new WeakMap<object, AnswerSerializer>();

/** Compiled for its first value: most processes use few of the schemas, and all take as long as the rest of a start. */
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

export const SERVED_API = 'contract:api';
export const SERVED_OPERATION = 'contract:operation';

const OperationCall = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ call?: { work: unknown } }>().call?.work,
);

/** Routes, statuses, policies and schemas come from the table. A controller that lacks an operation does not compile. */
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

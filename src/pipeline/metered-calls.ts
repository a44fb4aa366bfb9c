import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  REDIRECT_METADATA,
  RENDER_METADATA,
  ROUTE_ARGS_METADATA,
  SSE_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/internal';
import { DiscoveryService } from '@nestjs/core';
import { isObservable, lastValueFrom } from 'rxjs';
import { apis } from '../../generated/contract';
import {
  answerSerializer,
  type ApiTable,
  type OperationPolicy,
  SERVED_API,
  SERVED_OPERATION,
} from '../contract/operation';
import { RequestValidator } from '../contract/request-validator';
import { type ApiError, type ValidationDetail, ValidationFailed } from '../errors/api-errors';
import type { Claim } from '../ledger/idempotency';
import { originOf, type Span, Tracing } from '../observability/tracing';
import { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import type {
  AnswerStream,
  CallTerms,
  CallTransport,
  Principal,
  RequestInput,
  UnvalidatedInput,
} from './call-transport';
import { knownError } from './known-error';
import { asksForStream, clientRequestId, MeteredCall, SentAnswer } from './metered-call';
import { UnchargedCalls } from './uncharged-calls';
import { Admission, factsOf } from './admission';
import { Metering } from './metering';

interface ServedOperation {
  policy: OperationPolicy;
  controller: Record<string, (parameter: object) => unknown>;
}

type Wrapper = ReturnType<DiscoveryService['getControllers']>[number];

/** The controllers of operations. The service does not start unless every tag of the document has one. */
@Injectable()
export class ServedOperations implements OnModuleInit {
  private readonly byId = new Map<string, ServedOperation>();

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const operation of this.all()) {
      if (this.byId.has(operation.policy.operationId)) {
        throw new Error(`two controllers serve an operation of the name ${operation.policy.operationId}`);
      }
      this.byId.set(operation.policy.operationId, operation);
    }
  }

  policyOf(operationId: string): OperationPolicy | null {
    return this.byId.get(operationId)?.policy ?? null;
  }

  get(operationId: string): ServedOperation {
    const operation = this.byId.get(operationId);
    if (!operation) {
      throw new Error(`no controller serves ${operationId}`);
    }
    return operation;
  }

  /** @throws Error when a tag has two controllers or none, or one that would not do what the document says */
  all(): ServedOperation[] {
    const served = this.discovery
      .getControllers()
      .map((wrapper) => ({ wrapper, table: tableOf(wrapper) }))
      .filter((api): api is Served => api.table !== null);
    const faults = apis
      .map(({ tag }) => ({ tag, count: served.filter(({ table }) => table.tag === tag).length }))
      .filter(({ count }) => count !== 1)
      .map(({ tag, count }) => `${tag} is served ${count} times`);
    if (faults.length > 0) {
      throw new Error(
        `every tag of the document needs one controller, of a module in API_GROUPS (src/app.module.ts): ${faults.join(', ')}`,
      );
    }
    return served.flatMap(operationsOf);
  }
}

interface Served {
  wrapper: Wrapper;
  table: ApiTable<Record<string, unknown>>;
}

function tableOf({ metatype }: Wrapper): Served['table'] | null {
  return metatype
    ? ((Reflect.getMetadata(SERVED_API, metatype) as Served['table'] | undefined) ?? null)
    : null;
}

function operationsOf({ wrapper, table }: Served): ServedOperation[] {
  const controller = wrapper.instance as ServedOperation['controller'];
  if (!wrapper.isDependencyTreeStatic()) {
    throw new Error(
      `${wrapper.name} is made anew for each request: what serves operations has to be a singleton`,
    );
  }
  const policies = Object.values(table.operations);
  const missing = policies.find(({ operationId }) => typeof controller[operationId] !== 'function');
  if (missing) {
    throw new TypeError(`${wrapper.name} lacks ${missing.operationId}`);
  }
  const unfit = policies.flatMap((policy) => unfitFor(policy, controller));
  if (unfit.length > 0) {
    throw new Error(`${wrapper.name} can't be metered: ${unfit.join(', ')}`);
  }
  return policies.map((policy) => ({ policy, controller }));
}

/** With these decorators Nest answers itself, past what the operation returns. */
const ANSWERING: readonly [string, string][] = [
  [REDIRECT_METADATA, '@Redirect'],
  [RENDER_METADATA, '@Render'],
  [SSE_METADATA, '@Sse'],
];
const TAKES_ANSWER = [RouteParamtypes.RESPONSE, RouteParamtypes.NEXT].map((kind) => `${kind}:`);

/** What keeps a method from serving its operation: it would charge, but answer something else. */
function unfitFor({ operationId }: OperationPolicy, controller: ServedOperation['controller']): string[] {
  const method = controller[operationId] as object;
  if (Reflect.getMetadata(SERVED_OPERATION, method) === undefined) {
    return [`${operationId} was overridden and has lost its route; bind the class itself with @Serves`];
  }
  const names = ANSWERING.filter(([key]) => Reflect.hasMetadata(key, method)).map(([, name]) => name);
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller.constructor, operationId) ??
    {}) as object;
  const takesAnswer = Object.keys(parameters).some((key) =>
    TAKES_ANSWER.some((kind) => key.startsWith(kind)),
  );
  return [...names, ...(takesAnswer ? ['@Res or @Next'] : [])].map((name) => `${name} on ${operationId}`);
}

export type RunStage = 'admitted' | 'reserved' | 'answered';

export interface InternalCallOptions {
  clientRequestId?: string;
  idempotencyKey?: string;
  /** In place of an Idempotency-Key; stores any operation's answer. Its id is the call's. */
  claim?: Claim;
  /** Ends the call, whatever its class. The reason says what it costs: CallCancelled or CallStopped. */
  cancel?: AbortSignal;
  requestId?: string;
  isPart?: boolean;
  /** Checks the answer before it is charged; throwing fails the call for free. */
  accept?: (answer: unknown) => void;
  reached?: (stage: RunStage) => void;
  charged?: NonNullable<CallTerms['charged']>;
  signal?: AbortSignal;
  /** Takes a streamed answer's events; without it, `stream: true` in the body is ignored. */
  stream?: AnswerStream;
}

export interface InternalAnswer {
  requestId: string;
  status: number;
  headers: Readonly<Record<string, string | number>>;
  body: string | null;
  brokenOff: ApiError | null;
}

/** Runs the same steps as a request, but not other modules' guards and interceptors. */
@Injectable()
export class MeteredCalls {
  constructor(
    private readonly operations: ServedOperations,
    private readonly admission: Admission,
    private readonly metering: Metering,
    private readonly uncharged: UnchargedCalls,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
  ) {}

  /** @throws ApiError for a failed call, which is not charged; any other error is unexpected */
  async run(
    operationId: string,
    principal: Principal,
    input: Partial<RequestInput>,
    options: InternalCallOptions = {},
  ): Promise<InternalAnswer> {
    const served = this.served(operationId);
    const transport = new InternalTransport(served.policy, principal, input, options);
    const { claim = null, cancel = null, isPart = false, charged = null } = options;
    const terms = { claim, cancel, isPart, charged, origin: originOf(options.signal) ?? originOf(cancel) };
    const call = new MeteredCall(served.policy, transport, this.clock.now(), terms, claim?.callId);
    const span = this.spanOf(call);
    try {
      const answer = await this.pass(call, served, options);
      const body = this.text(answer, transport);
      span?.end();
      if (call.isUncharged) {
        this.uncharged.note(call, call.successStatus);
      }
      return {
        requestId: transport.requestId,
        status: call.successStatus,
        headers: transport.headers,
        body,
        brokenOff: answer instanceof SentAnswer ? answer.brokenOff : null,
      };
    } catch (thrown) {
      const error = knownError(thrown);
      span?.end({ 'http.response.status_code': error?.status ?? 500 }, error?.name ?? 'unexpected');
      await call.fail(error?.status ?? 500);
      if (call.isUncharged) {
        this.uncharged.note(call, error?.status ?? 500);
      }
      throw error ?? thrown;
    } finally {
      transport.close();
    }
  }

  private spanOf(call: MeteredCall): Span | null {
    const parent = call.terms.origin?.span?.traceparent;
    if (parent === undefined) {
      return null;
    }
    const cause = { requestId: call.requestId, parent };
    call.span = this.tracing.serve(call.policy.operationId, cause, factsOf(call));
    call.traceParent = parent;
    return call.span;
  }

  private async pass(
    call: MeteredCall,
    { policy, controller }: ServedOperation,
    { reached, accept }: InternalCallOptions,
  ): Promise<unknown> {
    const admitted = await this.admission.run(call);
    reached?.('admitted');
    const work = async () => {
      if (admitted.quote !== null) {
        reached?.('reserved');
      }
      const result: unknown = await controller[policy.operationId]?.(call.work as object);
      // As over HTTP, an observable's last value is the answer.
      const last = isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result;
      accept?.(last);
      reached?.('answered');
      return last;
    };
    return this.metering.run(admitted, (done, failed) => void work().then(done, failed));
  }

  private text(answer: unknown, transport: InternalTransport): string | null {
    if (answer instanceof SentAnswer || answer === undefined) {
      return null;
    }
    return (typeof answer === 'string' ? answer : transport.serialize(answer)) || null;
  }

  private served(operationId: string): ServedOperation {
    const served = this.operations.get(operationId);
    const { auth, price } = served.policy;
    const isForPrincipals = auth === 'key' || (auth === 'jwt' && price !== null);
    if (!isForPrincipals) {
      throw new Error(`${operationId} is not called from within the service`);
    }
    return served;
  }
}

/** With a claim the charge's transaction also stores the answer. */
export type RunOrder = {
  operationId: string;
  keyId: string;
  parameters: string;
} & Required<Pick<InternalCallOptions, 'claim' | 'clientRequestId' | 'cancel' | 'reached'>>;

@Injectable()
export class TaskOperations {
  constructor(
    private readonly validator: RequestValidator,
    private readonly calls: MeteredCalls,
  ) {}

  judge(operationId: string, body: unknown): ValidationDetail[] {
    try {
      this.validator.validateBody(operationId, structuredClone(body));
      return [];
    } catch (error) {
      if (error instanceof ValidationFailed) {
        return error.details;
      }
      throw error;
    }
  }

  /** @throws ApiError, charged only for a cancelled call's use; OutcomeUnknown */
  async run({ operationId, keyId, parameters, ...options }: RunOrder): Promise<void> {
    const input = { body: JSON.parse(parameters) as unknown };
    await this.calls.run(operationId, { kind: 'key', keyId }, input, options);
  }
}

function unvalidated(
  { params = {}, query = {}, body }: Partial<RequestInput>,
  { idempotencyKey, stream }: InternalCallOptions,
): UnvalidatedInput {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return {
    params,
    query,
    // A copy, because the validation fills in defaults.
    body: structuredClone(asksForStream(body) && !stream ? { ...(body as object), stream: false } : body),
    headers,
    bodyFault: null,
    bodyLength: 0,
  };
}

class InternalTransport implements CallTransport {
  readonly requestId: string;
  readonly clientRequestId: string | null;
  readonly idempotencyKey: string | null;
  readonly input: UnvalidatedInput;
  readonly serialize: (answer: unknown) => string;
  /** Only streams leave at once; the internal caller keeps other answers. */
  readonly isReadOutside: boolean;
  readonly address = '';
  readonly page = null;
  readonly file = null;
  readonly unreadBytesMax = 0;
  readonly headers: Record<string, string | number> = {};
  private readonly watches = new Set<() => void>();

  constructor(
    policy: OperationPolicy,
    readonly caller: Principal,
    input: Partial<RequestInput>,
    private readonly options: InternalCallOptions,
  ) {
    this.requestId = options.claim?.callId ?? options.requestId ?? newId();
    this.clientRequestId = clientRequestId(options.clientRequestId);
    this.idempotencyKey = options.idempotencyKey ?? null;
    this.input = unvalidated(input, options);
    this.serialize = answerSerializer(policy);
    this.isReadOutside = options.stream !== undefined;
  }

  readBody(): void {}

  leaveBody(): void {}

  get isGone(): boolean {
    return this.options.signal?.aborted ?? false;
  }

  onGone(gone: () => void): () => void {
    const { signal } = this.options;
    const stop = () => {
      signal?.removeEventListener('abort', gone);
      this.watches.delete(stop);
    };
    signal?.addEventListener('abort', gone, { once: true });
    this.watches.add(stop);
    return stop;
  }

  /** A signal may serve many calls, and would hold the listeners of them all. */
  close(): void {
    this.watches.forEach((stop) => stop());
  }

  setHeaders(headers: Readonly<Record<string, string | number>>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.headers[name.toLowerCase()] = value;
    }
  }

  openStream(gone: () => void): AnswerStream {
    const { stream } = this.options;
    if (!stream) {
      throw new Error('a streamed answer has no stream to go to');
    }
    this.onGone(gone);
    if (this.isGone) {
      gone();
    }
    return stream;
  }
}

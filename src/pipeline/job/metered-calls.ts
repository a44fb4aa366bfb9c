import { Injectable, Logger } from '@nestjs/common';
import { isObservable, lastValueFrom } from 'rxjs';
import { answerSerializer } from '../../contract/answer-serializers';
import type { OperationPolicy } from '../../contract/operation';
import type { ApiError } from '../../core/errors/api-error';
import type { FinalNumbers } from '../../core/models/streams/streamed-answer';
import type { Claim } from '../../core/money/idempotency/idempotency';
import type { TokenUse } from '../../core/money/pricing/price-list';
import { Clock } from '../../infrastructure/clock/clock';
import { newId } from '../../infrastructure/ids/ids';
import { errorText } from '../../infrastructure/logging/error-text';
import { Tracing, type Span } from '../../infrastructure/tracing/span';
import { originOf } from '../../infrastructure/tracing/work-origin';
import { Admission } from '../admission';
import type { AnswerStream, Principal, UnvalidatedInput } from '../call-transport';
import { factsOf } from '../call-span';
import { clientRequestId, idsForLog } from '../client-request-id';
import { asksForStream, MeteredCall, type RequestInput } from '../metered-call';
import { knownError } from '../known-error';
import { Metering } from '../metering';
import { ServedOperations, type ServedOperation } from '../served-operations';
import { SENT } from '../step-8-usage-log';
import { UnchargedCalls } from '../uncharged-calls';
import { InternalTransport } from './internal-transport';

/** Admitted to the reservation; reserved, its work begins; answered by its operation, not yet charged. */
export type CallStage = 'admitted' | 'reserved' | 'answered';

export interface InternalCallOptions {
  /** Works as the X-Request-Id header of a request: the receipt is found under it as well as under the call's own id. */
  clientRequestId?: string;
  /** Works as the Idempotency-Key header of a request: a second call with it gets the answer of the first. */
  idempotencyKey?: string;
  /**
   * A claim that was taken for this call before, in place of an Idempotency-Key; an operation that takes no such key has its
   * answer kept too. The call has the claim's id for it, which is also its request id.
   */
  claim?: Claim;
  /** Ends the call, whatever its class, when it aborts. Its reason says what that costs: CallCancelled or CallStopped. */
  cancel?: AbortSignal;
  /** The id of the call; absent for a new one. A claim brings its own. */
  requestId?: string;
  /** Whether the call is part of one that was counted for its rate already. */
  isPart?: boolean;
  /** Is shown what the operation answers, before that is charged. What it throws fails the call, which then costs nothing. */
  accept?: (answer: unknown) => void;
  /** Is told how far the call has come. */
  reached?: (stage: CallStage) => void;
  /** Is told what the call was charged, and for which tokens, also where it then fails. */
  charged?: (charge: FinalNumbers, use: TokenUse | null) => void;
  /** Aborts when nobody waits for the answer any more. */
  signal?: AbortSignal;
  /** Where the events of a streamed answer go. Without it, `stream: true` in the body is ignored. */
  stream?: AnswerStream;
}

/** The answer of a call from within the service. Its headers are those that HTTP would carry, in lower case. */
export interface InternalAnswer {
  requestId: string;
  status: number;
  headers: Readonly<Record<string, string | number>>;
  /** The JSON text, in the operation's envelope; null where the answer left as a stream or has no body. */
  body: string | null;
  /** Why a streamed answer ended before it was complete; null where it did not. What was delivered of it is charged. */
  brokenOff: ApiError | null;
}

/**
 * Calls of operations from within the service: by a task, a socket, a batch. They pass the same steps as a request, in
 * the same order, and leave the same ledger entries and receipts. Guards and interceptors of other modules belong to
 * HTTP and do not run here, so a rule that has to hold for every call of an operation belongs in the operation's
 * service.
 */
@Injectable()
export class MeteredCalls {
  private readonly logger = new Logger('MeteredCalls');

  constructor(
    private readonly operations: ServedOperations,
    private readonly admission: Admission,
    private readonly metering: Metering,
    private readonly uncharged: UnchargedCalls,
    private readonly clock: Clock,
    private readonly tracing: Tracing,
  ) {}

  /**
   * @param principal in whose name the call is made; its key or account is looked up anew
   * @param input as a request would bring it, not yet validated
   * @throws ApiError for a call that failed, which is charged nothing; any other error is unexpected
   */
  async run(
    operationId: string,
    principal: Principal,
    input: Partial<RequestInput>,
    options: InternalCallOptions = {},
  ): Promise<InternalAnswer> {
    const served = this.served(operationId);
    const transport = new InternalTransport({
      requestId: options.claim?.callId ?? options.requestId ?? newId(),
      clientRequestId: clientRequestId(options.clientRequestId),
      principal,
      input: unvalidated(input, options),
      idempotencyKey: options.idempotencyKey ?? null,
      signal: options.signal ?? null,
      stream: options.stream ?? null,
      serialize: answerSerializer(served.policy),
    });
    const call = new MeteredCall(served.policy, transport, this.clock.now(), options.claim?.callId);
    call.claim = options.claim ?? null;
    call.cancel = options.cancel ?? null;
    call.isPart = options.isPart ?? false;
    call.origin = originOf(options.signal) ?? originOf(options.cancel);
    const span = this.spanOf(call);
    try {
      const body = this.text(await this.pass(call, served, options), transport);
      span?.end();
      this.uncharged.note(call, served.policy.status);
      return {
        requestId: transport.requestId,
        status: served.policy.status,
        headers: transport.headers,
        body,
        brokenOff: call.brokenOff,
      };
    } catch (thrown) {
      const error = knownError(thrown);
      span?.end({ 'http.response.status_code': error?.status ?? 500 }, error?.name ?? 'unexpected');
      await this.takeBack(call, error?.status ?? 500);
      throw error ?? thrown;
    } finally {
      if (call.charge) {
        options.charged?.(call.charge, call.use);
      }
      transport.close();
    }
  }

  private spanOf(call: MeteredCall): Span | null {
    const parent = call.origin?.span?.traceparent;
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
    await this.admission.run(call);
    reached?.('admitted');
    return this.metering.run(call, async () => {
      reached?.('reserved');
      const result: unknown = await controller[policy.operationId]?.(call.parameter());
      // As over HTTP, a handler may answer by an observable, whose last value counts.
      const last = isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result;
      accept?.(last);
      reached?.('answered');
      return last;
    });
  }

  private text(answer: unknown, transport: InternalTransport): string | null {
    if (answer === SENT || answer === undefined) {
      return null;
    }
    return (typeof answer === 'string' ? answer : transport.serialize(answer)) || null;
  }

  private async takeBack(call: MeteredCall, status: number): Promise<void> {
    await call.fail(status, (failure) =>
      this.logger.error({
        message: 'a failed call could not be taken back',
        ...idsForLog(call),
        error: errorText(failure),
      }),
    );
    this.uncharged.note(call, status);
  }

  /** @throws Error for an operation that nobody is charged for and that no access key may call */
  private served(operationId: string): ServedOperation {
    const served = this.operations.get(operationId);
    if (!isForPrincipals(served.policy)) {
      throw new Error(`${operationId} is not called from within the service`);
    }
    return served;
  }
}

function isForPrincipals({ auth, price }: OperationPolicy): boolean {
  return auth === 'key' || (auth === 'jwt' && price !== null);
}

function unvalidated(
  { params = {}, query = {}, body }: Partial<RequestInput>,
  { idempotencyKey, stream }: InternalCallOptions,
): UnvalidatedInput {
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  return {
    params,
    query,
    // A copy, because the validation fills in defaults and must not change the caller's object.
    body: structuredClone(asksForStream(body) && !stream ? { ...(body as object), stream: false } : body),
    headers,
    bodyFault: null,
    bodyLength: 0,
    upload: null,
  };
}

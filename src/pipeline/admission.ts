import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { KeyAddresses } from '../accounts/key-cache';
import { AccessDenied, InvalidApiKey } from '../accounts/credentials';
import { InvalidKeyCalls, RateLimitEvents } from '../accounts/refused-calls';
import { isForOthersClients, leaseMs, type OperationPolicy } from '../contract/operation';
import { Configuration } from '../config/configuration';
import { RequestValidator } from '../contract/request-validator';
import { ApiError, ServiceUnavailable, ValidationFailed } from '../errors/api-errors';
import { TURN_LENGTH_MAX } from '../http/json-bodies';
import type { BodyFault } from '../http/request-body';
import { type Histogram, Metrics } from '../observability/metrics';
import type { SpanFacts } from '../observability/tracing';
import { Clock } from '../runtime/clock';
import { type ClaimOrder, Idempotency, type Replay } from '../ledger/idempotency';
import type { Credential, RequestInput, ValidRequest } from './call-transport';
import { errorName } from './known-error';
import { type AdmittedCall, asksForStream, type MeteredCall, type UndoStep } from './metered-call';
import { PriceStep } from './step-3-price';
import { type RateDecision, RateLimiter, type RefusedCall } from '../accounts/rate-limiter';
import { RateLimitExceeded, rateLimitHeaders } from '../accounts/rate-windows';
import { UnsentBytes } from '../http/http-server';
import { Credentials, RateSubjects, refuseOldPassword } from './credentials';
import { AccountMoves, CallsInFlight } from './calls-in-flight';

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30, 120];

const STEPS = [
  'rate_limit',
  'authentication',
  'account',
  'validation',
  'idempotency',
  'price',
  'reservation',
  'work',
  'settlement',
] as const;

type StepName = (typeof STEPS)[number];

@Injectable()
export class StepTimes {
  private readonly seconds: Readonly<Record<StepName, Histogram>>;

  constructor(metrics: Metrics) {
    const family = metrics.histogram('pipeline_step_seconds', 'Time of one step of a call.', SECONDS);
    const series = STEPS.map((step) => [step, family.labelled({ step })] as const);
    this.seconds = Object.fromEntries(series) as Record<StepName, Histogram>;
  }

  watch(call: MeteredCall): StepWatch {
    return new StepWatch(this.seconds, call);
  }
}

/** Times consecutive steps. The caller stops it, also after a failure. */
class StepWatch {
  private beganMs = performance.now();
  private step: StepName | null = null;

  constructor(
    private readonly seconds: Readonly<Record<StepName, Histogram>>,
    private readonly call: MeteredCall,
  ) {}

  next(step: StepName): void {
    this.stop();
    this.step = step;
  }

  stop(): void {
    if (this.step !== null) {
      const endedMs = performance.now();
      const durationMs = endedMs - this.beganMs;
      this.seconds[this.step].observe(durationMs / 1000);
      this.call.span?.child(this.step, 'internal', {}, durationMs).end();
      this.beganMs = endedMs;
      this.step = null;
    }
  }
}

export function factsOf({ policy, requestId }: Pick<MeteredCall, 'policy' | 'requestId'>): SpanFacts {
  return {
    'http.request.method': policy.method,
    'http.route': policy.path,
    'app.operation_id': policy.operationId,
    'app.request_id': requestId,
  };
}

/** Step 1, the rate limit: 429, or 503 with too many unread answers. Parts of a counted call are exempt. */
@Injectable()
export class RateLimitStep {
  constructor(
    private readonly credentials: Credentials,
    private readonly subjects: RateSubjects,
    private readonly limiter: RateLimiter,
    private readonly inFlight: CallsInFlight,
    private readonly unsent: UnsentBytes,
    private readonly events: RateLimitEvents,
  ) {}

  run(call: MeteredCall): Promise<void> | void {
    if (call.policy.rate !== 'health') {
      this.inFlight.begin(call);
    }
    const credential = this.credentials.resolve(call.transport, call.policy.auth);
    if (credential instanceof Promise) {
      return credential.then((resolved) => this.count(call, resolved));
    }
    return this.count(call, credential);
  }

  private count(call: MeteredCall, credential: Credential): Promise<void> | void {
    call.credential = credential;
    if (call.policy.rate === 'health' || call.terms.isPart || isRefusedWithin(call)) {
      return;
    }
    const subjects = this.subjects.of(credential, call);
    const decision = this.limiter.take(subjects, call.startedAt.getTime());
    if (decision instanceof Promise) {
      return decision.then((decided) => this.admit(decided, call));
    }
    this.admit(decision, call);
  }

  private admit(decision: RateDecision, call: MeteredCall): void {
    if (!decision.allowed) {
      this.recordRefusal(decision, call);
      throw new RateLimitExceeded(decision);
    }
    call.transport.setHeaders(rateLimitHeaders(decision));
    if (call.transport.isReadOutside) {
      const { credential } = call;
      this.unsent.refuseMore('account' in credential ? credential.account.id : null);
    }
  }

  private recordRefusal(refused: RefusedCall, { credential, policy, startedAt }: MeteredCall): void {
    if ('account' in credential) {
      const keyId = credential.kind === 'key' ? credential.key.id : null;
      const { operationId } = policy;
      this.events.refused({ accountId: credential.account.id, keyId, operationId, at: startedAt }, refused);
    }
  }
}

/** Internal callers have no address, and one refusal must not bar their next call. */
function isRefusedWithin({ credential, transport }: MeteredCall): boolean {
  return credential.kind === 'refused' && transport.caller.kind !== 'secrets';
}

/** Step 2: 401 without the right credential; 403 without its role or a recent password. */
@Injectable()
export class AuthenticationStep {
  constructor(
    private readonly invalidKeys: InvalidKeyCalls,
    private readonly addresses: KeyAddresses,
  ) {}

  run(call: MeteredCall): void {
    const { credential, policy, startedAt } = call;
    const { caller, address } = call.transport;
    const isFromOutside = caller.kind === 'secrets';
    if (credential.kind === 'refused') {
      if (credential.error instanceof InvalidApiKey && isFromOutside) {
        this.invalidKeys.note(caller.apiKey ?? caller.bearer ?? '', startedAt);
      }
      throw credential.error;
    }
    if (credential.kind === 'none') {
      throw new Error('authentication ran before the credential was looked up');
    }
    if (policy.role !== null && credential.account.role !== policy.role) {
      throw new AccessDenied(policy.role);
    }
    refuseOldPassword(policy, credential, startedAt);
    call.caller = credential;
    if (credential.kind === 'key' && isFromOutside) {
      this.addresses.note(credential.key, address, startedAt);
    }
  }
}

export function bodyRefused({ status, message }: BodyFault): ApiError {
  if (status === 503) {
    return new ServiceUnavailable(`The body ${message}.`, 1);
  }
  return status === 400
    ? new ValidationFailed([{ field: 'body', message }])
    : new ApiError(status, errorName(status), `The body ${message}.`);
}

@Injectable()
export class RequestValidationStep {
  private readonly withoutInput = new Map<OperationPolicy, boolean>();

  constructor(
    private readonly validator: RequestValidator,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  run(call: MeteredCall): Promise<ValidRequest> | ValidRequest {
    const { policy, transport } = call;
    if (this.takesNothing(policy)) {
      const { params, query } = transport.input;
      if (Object.keys(query).length === 0) {
        return { input: { params, query, body: undefined }, headers: NO_HEADERS, bodyLength: 0 };
      }
    }
    const isForOthers = isForOthersClients(policy);
    const bytesMax =
      policy.bodyBytesMax !== null && isForOthers ? this.configuration.v1BodyBytesMax : policy.bodyBytesMax;
    const arriving = transport.readBody(bytesMax, policy.form ?? null, isForOthers);
    return arriving === undefined ? this.validated(call) : this.validateArrived(call, arriving);
  }

  private takesNothing(policy: OperationPolicy): boolean {
    let known = this.withoutInput.get(policy);
    if (known === undefined) {
      known = this.validator.takesNothing(policy.operationId);
      this.withoutInput.set(policy, known);
    }
    return known;
  }

  private async validateArrived(call: MeteredCall, arriving: Promise<void>): Promise<ValidRequest> {
    await arriving;
    // Leases count from here: an upload can outlast one, and a retry could then repeat the work.
    call.startedAt = this.clock.now();
    return this.validated(call);
  }

  private validated({ policy, transport }: MeteredCall): Promise<ValidRequest> | ValidRequest {
    const { operationId } = policy;
    const { params, query, body, headers, bodyFault, bodyLength } = transport.input;
    const isForOthers = isForOthersClients(policy);
    // An unreadable body is ignored by operations that take none.
    if (bodyFault !== null && this.validator.takesBody(operationId)) {
      throw bodyRefused(bodyFault);
    }
    const valid = {
      headers: this.validator.validateHeaders(operationId, headers),
      input: {
        params,
        query: this.validator.validateQuery(operationId, query, { ignoresUnknown: isForOthers }),
        body: this.validator.validateBody(operationId, body, { takesAnyText: isForOthers }),
      },
      bodyLength,
    };
    // Validating a large body has used up this turn of the event loop.
    return bodyLength > TURN_LENGTH_MAX ? setImmediate(valid) : valid;
  }
}

const NO_HEADERS = Object.freeze({});

/** Step 2c: a retry gets the stored answer without price, charge and work. A call that brings a claim takes none. */
@Injectable()
export class IdempotencyStep implements UndoStep {
  constructor(private readonly idempotency: Idempotency) {}

  async undo(call: MeteredCall): Promise<void> {
    await this.idempotency.abandon(call.accountId, call.id);
  }

  async claim(
    call: MeteredCall,
    request: RequestInput,
    idempotencyKey: string,
  ): Promise<Pick<AdmittedCall, 'claim' | 'replay'>> {
    const { accountId, policy, startedAt } = call;
    const lengthMs = leaseMs(policy.rate, asksForStream(request.body));
    const order: ClaimOrder = {
      accountId,
      idempotencyKey,
      operationId: policy.operationId,
      request,
      callId: call.id,
      now: startedAt,
      leaseUntil: new Date(startedAt.getTime() + lengthMs),
      isBounded: policy.price !== null,
    };
    try {
      const claimed = await this.idempotency.claim(order);
      if ('body' in claimed) {
        return { claim: null, replay: claimed };
      }
      call.onFailure(this);
      return { claim: claimed, replay: null };
    } catch (error) {
      // The claim may be stored although its confirmation was lost, and would hold the key.
      if (!(error instanceof ApiError)) {
        call.onFailure({ undo: () => this.idempotency.forgo(order) });
      }
      throw error;
    }
  }
}

@Injectable()
export class Admission {
  constructor(
    private readonly times: StepTimes,
    private readonly rateLimit: RateLimitStep,
    private readonly authentication: AuthenticationStep,
    private readonly moves: AccountMoves,
    private readonly validation: RequestValidationStep,
    private readonly idempotency: IdempotencyStep,
    private readonly price: PriceStep,
  ) {}

  /** Awaits only steps that return a promise. @throws the refusing step's error */
  async run(call: MeteredCall): Promise<AdmittedCall> {
    const { policy, transport, terms } = call;
    const isKnown = policy.auth !== 'none';
    const watch = this.times.watch(call);
    try {
      // Health checks without credentials are answered while draining, and are not limited.
      if (isKnown || policy.rate !== 'health') {
        watch.next('rate_limit');
        const counting = this.rateLimit.run(call);
        if (counting) {
          await counting;
        }
      }
      if (isKnown) {
        watch.next('authentication');
        this.authentication.run(call);
        if (this.moves.arePossible) {
          watch.next('account');
          await this.moves.letIn(call);
        }
      }
      if (policy.price !== null && isForOthersClients(policy)) {
        watch.next('price');
        await this.price.beforeBody(call);
      }
      watch.next('validation');
      const judged = this.validation.run(call);
      const request = judged instanceof Promise ? await judged : judged;
      let { claim } = terms;
      let replay: Replay | null = null;
      if (policy.idempotent && isKnown) {
        watch.next('idempotency');
        if (claim === null && transport.idempotencyKey !== null) {
          ({ claim, replay } = await this.idempotency.claim(call, request.input, transport.idempotencyKey));
        }
      }
      if (policy.price !== null) {
        watch.next('price');
        call.quote = replay === null ? await this.price.quote(call, request) : null;
      }
      // Named one by one: spreading cost 2.5 µs a call and made the result slow to read.
      const { input, headers, bodyLength } = request;
      call.admitted = { input, headers, bodyLength, call, claim, replay, quote: call.quote };
      return call.admitted;
    } finally {
      watch.stop();
    }
  }
}

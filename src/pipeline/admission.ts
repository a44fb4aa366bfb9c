import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { KeyAddresses } from '../accounts/anomaly-observations';
import { AccessDenied, InvalidApiKey } from '../accounts/credentials';
import { InvalidKeyCalls, RateLimitEvents } from '../accounts/refused-calls';
import { isForOthersClients, type KeyPrincipal, type OperationPolicy } from '../contract/operation';
import { Configuration } from '../config/configuration';
import { RequestValidator } from '../contract/request-validator';
import { ApiError, ServiceUnavailable, ValidationFailed } from '../errors/api-errors';
import { TURN_LENGTH_MAX } from '../http/json-bodies';
import type { BodyFault } from '../http/request-body';
import { type Histogram, Metrics } from '../observability/metrics';
import type { SpanFacts } from '../observability/tracing';
import { Clock } from '../runtime/clock';
import { type Credential, NOT_VALIDATED, type UnvalidatedInput } from './call-transport';
import { errorName } from './known-error';
import type { MeteredCall } from './metered-call';
import { type RateDecision, RateLimiter, type RefusedCall } from '../accounts/rate-limiter';
import { RateLimitExceeded, rateLimitHeaders } from '../accounts/rate-windows';
import { UnsentBytes } from '../http/http-server';
import { Credentials, RateSubjects, refuseOldPassword } from './credentials';
import { CallsInFlight } from './calls-in-flight';

const SECONDS = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.25, 1, 5, 30, 120];

/** What a call waits for in turn. `settlement` lasts to the end of a stream. */
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

  /** @returns when the step ended by performance.now(), which is when the next one begins */
  note(step: StepName, call: MeteredCall, begunMs: number): number {
    const endedMs = performance.now();
    const durationMs = endedMs - begunMs;
    this.seconds[step].observe(durationMs / 1000);
    call.span?.child(step, 'internal', {}, durationMs).end();
    return endedMs;
  }

  start(step: StepName, call: MeteredCall): StepWatch {
    return new StepWatch(this, call, step);
  }
}

/** Times steps that follow each other. Whoever starts it stops it, also when a step has failed. */
class StepWatch {
  private beganMs = performance.now();

  constructor(
    private readonly times: StepTimes,
    private readonly call: MeteredCall,
    private step: StepName | null,
  ) {}

  next(step: StepName): void {
    this.stop();
    this.step = step;
  }

  stop(): void {
    if (this.step !== null) {
      this.beganMs = this.times.note(this.step, this.call, this.beganMs);
      this.step = null;
    }
  }
}

/** Leaves on the call what later steps need. Without a wait it returns no promise: the next step follows at once. */
export interface Step {
  readonly name: StepName;
  /** Whether calls of an operation pass it. It is asked once for each operation, never for a call. */
  isPassedBy(policy: OperationPolicy): boolean;
  run(call: MeteredCall): Promise<void> | void;
}

/** For the span of a call: nothing of who called or of what was sent, not even a path with its parameters. */
export function factsOf({ policy, requestId }: Pick<MeteredCall, 'policy' | 'requestId'>): SpanFacts {
  return {
    'http.request.method': policy.method,
    'http.route': policy.path,
    'app.operation_id': policy.operationId,
    'app.request_id': requestId,
  };
}

export class Admission {
  private readonly lists = new Map<OperationPolicy, readonly Step[]>();

  constructor(
    private readonly times: StepTimes,
    private readonly steps: readonly Step[],
  ) {}

  prepare(policy: OperationPolicy): readonly Step[] {
    const list = this.steps.filter((step) => step.isPassedBy(policy));
    this.lists.set(policy, list);
    return list;
  }

  /** @returns no promise where no step had to wait. @throws the error of the step that refuses the call */
  run(call: MeteredCall): Promise<void> | void {
    return this.pass(call, this.lists.get(call.policy) ?? this.prepare(call.policy), 0, performance.now());
  }

  private pass(
    call: MeteredCall,
    steps: readonly Step[],
    first: number,
    startedMs: number,
  ): Promise<void> | void {
    let beganMs = startedMs;
    for (let index = first; index < steps.length; index += 1) {
      const step = steps[index] as Step;
      let pending: Promise<void> | void;
      try {
        pending = step.run(call);
      } catch (error) {
        this.times.note(step.name, call, beganMs);
        throw error;
      }
      if (pending !== undefined) {
        const rest = (endedMs: number) => this.pass(call, steps, index + 1, endedMs);
        return this.afterWait(call, step, beganMs, pending).then(rest);
      }
      beganMs = this.times.note(step.name, call, beganMs);
    }
  }

  private async afterWait(
    call: MeteredCall,
    { name }: Step,
    beganMs: number,
    pending: Promise<void>,
  ): Promise<number> {
    try {
      await pending;
    } catch (error) {
      this.times.note(name, call, beganMs);
      throw error;
    }
    return this.times.note(name, call, beganMs);
  }
}

/** Step 1: counts the call; beyond the limit 429, and 503 where too many answers are unread. Parts of a counted call are exempt. */
@Injectable()
export class RateLimitStep implements Step {
  readonly name = 'rate_limit';

  constructor(
    private readonly credentials: Credentials,
    private readonly subjects: RateSubjects,
    private readonly limiter: RateLimiter,
    private readonly inFlight: CallsInFlight,
    private readonly unsent: UnsentBytes,
    private readonly events: RateLimitEvents,
  ) {}

  /** Health checks have none: they are answered while the service drains, and however often they are made. */
  isPassedBy({ rate, auth }: OperationPolicy): boolean {
    return rate !== 'health' || auth !== 'none';
  }

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
      this.tell(decision, call);
      throw new RateLimitExceeded(decision);
    }
    call.transport.setHeaders(rateLimitHeaders(decision));
    if (call.transport.isReadOutside) {
      const { credential } = call;
      this.unsent.refuseMore('account' in credential ? credential.account.id : null);
    }
  }

  /** A refusal of a caller whose credential stands for nobody concerns no account. */
  private tell(refused: RefusedCall, { credential, policy, startedAt }: MeteredCall): void {
    if ('account' in credential) {
      const keyId = credential.kind === 'key' ? credential.key.id : null;
      const { operationId } = policy;
      this.events.refused({ accountId: credential.account.id, keyId, operationId, at: startedAt }, refused);
    }
  }
}

/** Callers from within the service come from no address, and whatever they call next is not refused for this call. */
function isRefusedWithin({ credential, transport }: MeteredCall): boolean {
  return credential.kind === 'refused' && transport.caller.kind !== 'secrets';
}

/** Step 2: without the credential that the operation asks for 401; without its role, or a password that it asks for again, 403. */
@Injectable()
export class AuthenticationStep implements Step {
  readonly name = 'authentication';

  constructor(
    private readonly invalidKeys: InvalidKeyCalls,
    private readonly addresses: KeyAddresses,
  ) {}

  isPassedBy({ auth }: OperationPolicy): boolean {
    return auth !== 'none';
  }

  run(call: MeteredCall): void {
    const { credential, policy } = call;
    if (credential.kind === 'refused') {
      if (credential.error instanceof InvalidApiKey) {
        this.noteInvalidKey(call);
      }
      throw credential.error;
    }
    if (credential.kind === 'none') {
      throw new Error('authentication ran before the credential was looked up');
    }
    if (policy.role !== null && credential.account.role !== policy.role) {
      throw new AccessDenied(policy.role);
    }
    refuseOldPassword(policy, credential, call.startedAt);
    call.caller = credential;
    if (credential.kind === 'key') {
      this.noteAddress(call, credential.key);
    }
  }

  // Calls from within the service show no secret and come from no address.

  private noteInvalidKey({ transport: { caller }, startedAt }: MeteredCall): void {
    if (caller.kind === 'secrets') {
      this.invalidKeys.note(caller.apiKey ?? caller.bearer ?? '', startedAt);
    }
  }

  private noteAddress({ transport: { caller, address }, startedAt }: MeteredCall, key: KeyPrincipal): void {
    if (caller.kind === 'secrets') {
      this.addresses.note(key, address, startedAt);
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

/** Step 2b: reads the body, now that the caller is known, and judges the input before anything costs. */
@Injectable()
export class RequestValidationStep implements Step {
  readonly name = 'validation';
  private readonly withoutInput = new Set<OperationPolicy>();

  constructor(
    private readonly validator: RequestValidator,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  isPassedBy(policy: OperationPolicy): boolean {
    if (this.validator.takesNothing(policy.operationId)) {
      this.withoutInput.add(policy);
    }
    return true;
  }

  run(call: MeteredCall): Promise<void> | void {
    if (this.withoutInput.has(call.policy)) {
      const { params, query } = call.transport.input;
      if (Object.keys(query).length === 0) {
        call.valid = { ...NOT_VALIDATED, input: { params, query, body: undefined } };
        return;
      }
    }
    const { form = null } = call.policy;
    const isForOthers = isForOthersClients(call.policy);
    const arriving = call.transport.readBody(this.bodyBytesMax(call.policy), form, isForOthers);
    return arriving === undefined
      ? this.validate(call, call.transport.input)
      : this.validateArrived(call, arriving);
  }

  private bodyBytesMax(policy: OperationPolicy): number | null {
    const { bodyBytesMax } = policy;
    return bodyBytesMax === null || !isForOthersClients(policy)
      ? bodyBytesMax
      : this.configuration.v1BodyBytesMax;
  }

  private async validateArrived(call: MeteredCall, arriving: Promise<void>): Promise<void> {
    await arriving;
    const { input } = call.transport;
    call.upload = input.upload;
    // Leases are counted from here. A body may take longer than the work, and a lease that was over before the work
    // began would let a retry do it a second time.
    call.startedAt = this.clock.now();
    const pending = this.validate(call, input);
    if (pending !== undefined) {
      await pending;
    }
  }

  private validate(call: MeteredCall, input: UnvalidatedInput): Promise<void> | void {
    const { operationId } = call.policy;
    const isForOthers = isForOthersClients(call.policy);
    // An operation without a body reads none, so it does not matter that one was sent and could not be read.
    if (input.bodyFault !== null && this.validator.takesBody(operationId)) {
      throw bodyRefused(input.bodyFault);
    }
    const headers = this.validator.validateHeaders(operationId, input.headers);
    const query = this.validator.validateQuery(operationId, input.query, { ignoresUnknown: isForOthers });
    const body = this.validator.validateBody(operationId, input.body, { takesAnyText: isForOthers });
    call.valid = { input: { params: input.params, query, body }, headers, bodyLength: input.bodyLength };
    // The validation of a large body has used this turn of the event loop up; other calls go first.
    if (input.bodyLength > TURN_LENGTH_MAX) {
      return setImmediate();
    }
  }
}

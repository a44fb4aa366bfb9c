import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ApiKeyExpired, TokenExpired } from '../accounts/credentials';
import {
  type RateDecision,
  RateLimiter,
  RateLimitExceeded,
  rateLimitHeaders,
  type RefusedCall,
} from '../accounts/rate-limiter';
import { RateLimitEvents } from '../accounts/refused-calls';
import type { OperationPolicy } from '../contract/operation';
import { ENDED_WITHIN_MS, ProcessRegister } from '../database/process-register';
import { type ApiError, ServiceUnavailable, ShuttingDown, TooManyUnreadAnswers } from '../errors/api-errors';
import { UnsentBytes } from '../http/http-server';
import { Ledger } from '../ledger/ledger';
import { Clock } from '../runtime/clock';
import type { Credential } from './call-transport';
import { Credentials, RateSubjects } from './credentials';
import type { EndObserver, MeteredCall } from './metered-call';
import type { Step } from './admission';

/** How long a shutdown waits for calls. */
export const DRAIN_MS_MAX = 25_000;
/**
 * When a shutdown breaks open streams off. What is left of DRAIN_MS_MAX is for settling them and telling why they end.
 */
const STREAMS_BROKEN_OFF_AFTER_MS = 20_000;
const RETRY_AFTER_SECONDS = 1;
const LOOKED_EVERY_MS = 5;

/**
 * The calls that have come in and not ended. A shutdown waits for them, also for those whose client has gone away:
 * the server forgets a call with its connection, but its settlement still needs the database.
 */
@Injectable()
export class CallsInFlight implements EndObserver, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Shutdown');
  private readonly streams = new Set<MeteredCall>();
  private readonly calls = new Set<MeteredCall>();
  private draining = false;
  private isBreakingOff = false;
  private lastEnded: () => void = () => undefined;
  private drained: Promise<void> = Promise.resolve();

  /** @throws ShuttingDown once the shutdown has begun */
  begin(call: MeteredCall): void {
    if (this.draining) {
      throw new ShuttingDown();
    }
    this.calls.add(call);
    call.onEnd(this);
  }

  ended(call: MeteredCall): void {
    this.calls.delete(call);
    if (this.calls.size === 0) {
      this.lastEnded();
    }
  }

  /** Those of an account, by its keys and tokens; of all accounts where it is null. */
  of(accountId: string | null): MeteredCall[] {
    return [...this.calls].filter(
      ({ credential }) =>
        'account' in credential && (accountId === null || credential.account.id === accountId),
    );
  }

  has(call: MeteredCall): boolean {
    return this.calls.has(call);
  }

  isStreaming(call: MeteredCall): boolean {
    return this.streams.has(call);
  }

  /** Lets a shutdown break the call's stream off, because a stream could go on for longer than the shutdown waits. */
  streamBegins(call: MeteredCall): void {
    this.streams.add(call);
    if (this.isBreakingOff) {
      breakOff(call);
    }
  }

  streamEnds(call: MeteredCall): void {
    this.streams.delete(call);
  }

  /** The times run from here on, because Nest asks one module after the other to wait, and what waits first may be a socket. */
  onModuleDestroy(): void {
    this.draining = true;
    this.drained = this.drain();
  }

  /** What calls need, the pool of the database above all, is closed only after this. */
  beforeApplicationShutdown(): Promise<void> {
    return this.drained;
  }

  private async drain(): Promise<void> {
    if (this.calls.size === 0) {
      return;
    }
    const timers: NodeJS.Timeout[] = [];
    await new Promise<void>((resolve) => {
      this.lastEnded = resolve;
      timers.push(setTimeout(resolve, DRAIN_MS_MAX));
      timers.push(setTimeout(() => this.breakStreamsOff(), STREAMS_BROKEN_OFF_AFTER_MS));
    });
    timers.forEach(clearTimeout);
    if (this.calls.size > 0) {
      this.logger.warn({
        message: 'calls were cut off; their reservations will be swept',
        count: this.calls.size,
      });
    }
  }

  private breakStreamsOff(): void {
    this.isBreakingOff = true;
    this.streams.forEach(breakOff);
  }
}

function breakOff(call: MeteredCall): void {
  call.abort(
    new ServiceUnavailable(
      'The service is shutting down. What was delivered is charged.',
      RETRY_AFTER_SECONDS,
    ),
  );
}

/**
 * Ends what a credential has in flight when it has ended: its key was revoked, deleted or given another secret, its account
 * closed, its token logged out. A stream breaks off, and so does the work of a model: what was delivered or used until then is
 * charged, as where the caller goes away. Other work by a key has a second to end by itself. Only then is the change
 * acknowledged, so that nothing is charged after its answer. Other work by a token goes on, for it may be what ends the token.
 */
@Injectable()
export class EndedCredentials implements OnModuleInit {
  constructor(
    private readonly inFlight: CallsInFlight,
    private readonly credentials: Credentials,
    private readonly register: ProcessRegister,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.register.onChange((accountId) => this.end(accountId));
  }

  /** @throws Error where one of them can't be judged */
  private async end(accountId: string | null): Promise<void> {
    const endMs = performance.now() + ENDED_WITHIN_MS;
    const calls = this.inFlight.of(accountId);
    const refusals = new Map<Credential, Promise<ApiError | null>>();
    const refusalOf = (call: MeteredCall) => {
      const refusal = refusals.get(call.credential) ?? this.refusalOf(call);
      refusals.set(call.credential, refusal);
      return refusal;
    };
    const judged = await Promise.all(calls.map(async (call) => ({ call, refusal: await refusalOf(call) })));
    const ended = judged
      .filter(({ call, refusal }) => refusal !== null && this.stop(call, refusal))
      .map(({ call }) => call);
    const left = () => ended.filter((call) => this.inFlight.has(call) && call.isWorking);
    while (left().length > 0 && performance.now() < endMs) {
      await delay(LOOKED_EVERY_MS);
    }
    await Promise.all(left().map((call) => this.endUncharged(call)));
  }

  /** A paid call that does not end by itself is not charged after the answer. */
  private async endUncharged({ id: callId, accountId, policy }: MeteredCall): Promise<void> {
    if (policy.price !== null) {
      const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
      await this.ledger.settle({ callId, accountId, outcome: 'expired', now: this.clock.now(), ...nothing });
    }
  }

  /** That a credential has expired by itself ends nothing that was begun before. */
  private async refusalOf({ credential, transport }: MeteredCall): Promise<ApiError | null> {
    const now = await this.credentials.again(transport, credential.kind === 'key' ? 'key' : 'jwt');
    const hasEnded =
      now.kind === 'refused' && !(now.error instanceof ApiKeyExpired || now.error instanceof TokenExpired);
    return hasEnded ? now.error : null;
  }

  /** @returns whether it is stopped */
  private stop(call: MeteredCall, refusal: ApiError): boolean {
    const isStreaming = this.inFlight.isStreaming(call);
    if (call.credential.kind === 'token' && call.isWorking && !isStreaming && call.onRefused === null) {
      return false;
    }
    call.refuse(refusal);
    if (isStreaming) {
      call.abort(refusal);
    }
    return true;
  }
}

/**
 * Refuses work whose answer would add to those that nobody reads.
 * @param accountId null where nobody is known
 * @throws TooManyUnreadAnswers where the memory that answers take has to be freed first
 */
export function refuseUnread(unsent: UnsentBytes, accountId: string | null): void {
  if (accountId !== null && unsent.isAccountFull(accountId)) {
    throw new TooManyUnreadAnswers('account');
  }
  if (unsent.isProcessFull) {
    throw new TooManyUnreadAnswers('everybody');
  }
}

/**
 * Step 1: counts the call; beyond the limit 429, and 503 where too many answers are unread. Health checks are exempt, and
 * so are parts of a call that was counted.
 */
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
      refuseUnread(this.unsent, 'account' in credential ? credential.account.id : null);
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

import { validateHeaderValue } from 'node:http';
import { Logger } from '@nestjs/common';
import type {
  AccountPrincipal,
  CallContext,
  KeyPrincipal,
  Meter,
  OperationPolicy,
  PresentedToken,
} from '../contract/operation';
import { type ApiError, errorText } from '../errors/api-errors';
import type { Claim, Replay } from '../ledger/idempotency';
import { believedTokens, type TokenUse, type WatchedWork } from '../ledger/money';
import { withOrigin, type Span } from '../observability/tracing';
import { newId } from '../runtime/ids';
import type {
  AnswerNotes,
  CallTerms,
  CallTransport,
  Credential,
  KeyCredential,
  NoCredential,
  Quote,
  TokenCredential,
  ValidRequest,
} from './call-transport';

const logger = new Logger('MeteredCalls');

export const NO_CREDENTIAL: NoCredential = Object.freeze({ kind: 'none' });

const NO_TERMS: CallTerms = Object.freeze({
  claim: null,
  cancel: null,
  isPart: false,
  origin: null,
  charged: null,
});

const SANE = /^[\w.:-]{8,128}$/;

/** Finds the receipt too. What is not 8 to 128 letters, digits and `_.:-` is not kept, but the call is served. */
export function clientRequestId(given: unknown): string | null {
  return typeof given === 'string' && SANE.test(given) ? given : null;
}

export function idsForLog(call: { requestId: string; clientRequestId: string | null }): object {
  const { requestId, clientRequestId: given } = call;
  return { request_id: requestId, ...(given !== null && { client_request_id: given }) };
}

/** Takes back what a step did, should anything later fail. `status` is that of the answer. */
export interface UndoStep {
  undo(call: MeteredCall, status: number): Promise<void>;
}

export interface EndObserver {
  ended(call: MeteredCall): void;
}

/** A call from its first byte to its end: who makes it, what may stop it, and what is taken back should it fail. */
export class MeteredCall {
  /** What step 1 looked up; step 2 throws its refusal, or makes it the caller. */
  credential: Credential = NO_CREDENTIAL;
  caller: KeyCredential | TokenCredential | null = null;
  /** By which its receipt names a price, also where it is refused. */
  quote: Quote | null = null;
  /** What the steps before its work have found, once they have let it pass. */
  admitted: AdmittedCall | null = null;
  work: CallWork | null = null;
  /** Whether the ledger wrote, or will write, this call's receipt. */
  hasReceipt = false;
  /** Whether something was reserved for it, be it that this was lost since. */
  isReserved = false;
  /** Whether its reservation, its work or its settlement is under way: then it ends by itself, however its answer leaves. */
  isWorking = false;
  /** Whether a stream of its answer is being delivered. */
  isStreaming = false;
  isOutcomeUnknown = false;
  /** Whether it fails because the database is away: then what it did may be taken back only after its answer. */
  isDatabaseAway = false;
  isOver = false;
  refusal: ApiError | null = null;
  /** Stops work that does not heed the signal. */
  onAbort: (() => void) | null = null;
  /** Ends work whose result nobody may have any more. */
  onRefused: ((refusal: ApiError) => void) | null = null;
  /** Ends any work that has gone on for too long after its credential had ended. */
  onOverdue: ((refusal: ApiError) => void) | null = null;
  span: Span | null = null;
  traceParent: string | null = null;
  private stop: AbortController | null = null;
  private undoing: Promise<void> | null = null;
  private undoings: UndoStep[] | null = null;
  private observer: EndObserver | null = null;

  constructor(
    readonly policy: OperationPolicy,
    readonly transport: CallTransport,
    /** When the request had arrived as a whole; before its body was read, when its head had. */
    public startedAt: Date,
    readonly terms: CallTerms = NO_TERMS,
    readonly id = newId(),
  ) {}

  /** Whether it has to be noted as one that moved no money. Free calls of account tokens are not. */
  get isUncharged(): boolean {
    return this.caller !== null && !this.hasReceipt && (this.policy.price !== null || this.key !== null);
  }

  get account(): AccountPrincipal | null {
    return this.caller?.account ?? null;
  }

  get key(): KeyPrincipal | null {
    return this.caller?.kind === 'key' ? this.caller.key : null;
  }

  get token(): PresentedToken | null {
    return this.caller?.kind === 'token' ? this.caller.token : null;
  }

  /** The ledger compares it, so that a secret replaced in the meantime is refused; null where none was shown. */
  get secretHash(): Buffer | null {
    return this.caller?.kind === 'key' ? this.caller.secretHash : null;
  }

  get requestId(): string {
    return this.transport.requestId;
  }

  get clientRequestId(): string | null {
    return this.transport.clientRequestId;
  }

  get accountId(): string {
    if (!this.account) {
      throw new Error(`${this.policy.operationId} was called without an account`);
    }
    return this.account.id;
  }

  get successStatus(): number {
    return this.work?.notes.isReplaced ? 200 : this.policy.status;
  }

  /** Aborted when the call's work is to stop: its time is over, its caller has gone away, or the service shuts down. */
  get signal(): AbortSignal {
    return this.stopping().signal;
  }

  /** Made when somebody asks for it. Whoever the signal is handed to can tell whose work it ends. */
  private stopping(): AbortController {
    if (this.stop === null) {
      this.stop = new AbortController();
      const causedBy = this.terms.origin?.requestId ?? null;
      const accountId = this.account?.id ?? null;
      withOrigin(this.stop.signal, { requestId: this.requestId, causedBy, accountId, span: this.span });
    }
    return this.stop;
  }

  abort(reason: Error): void {
    this.stopping().abort(reason);
    this.onAbort?.();
  }

  /** Its credential has ended: its work does not begin; of work under way `onRefused` decides. */
  refuse(refusal: ApiError): void {
    this.refusal = refusal;
    this.onRefused?.(refusal);
  }

  throwIfRefused(): void {
    if (this.refusal) {
      throw this.refusal;
    }
  }

  /** @throws why the call was refused, cancelled or stopped; Error where somebody else has answered it */
  throwIfEnded(): void {
    if (this.isOver || this.undoing !== null) {
      throw new Error(`${this.policy.operationId} was answered before its work began`);
    }
    this.throwIfRefused();
    this.terms.cancel?.throwIfAborted();
  }

  onFailure(undoing: UndoStep): void {
    (this.undoings ??= []).push(undoing);
  }

  onEnd(observer: EndObserver): void {
    this.observer = observer;
  }

  /** The last first; one that fails keeps no other. No promise where there is nothing to take back. */
  fail(status: number): Promise<void> | void {
    if (!this.isOver) {
      this.stop?.abort(new Error('the call has failed'));
      this.onAbort?.();
    }
    if (this.undoings) {
      this.undoing = this.undo(this.undoings, status);
    }
    if (this.undoing) {
      return this.undoing;
    }
    this.end();
  }

  succeed(): void {
    this.undoings = null;
    this.end();
  }

  private async undo(undoings: UndoStep[], status: number): Promise<void> {
    this.undoings = null;
    for (const undoing of undoings.reverse()) {
      await undoing.undo(this, status).catch((failure: unknown) =>
        logger.error({
          message: 'a failed call could not be taken back',
          ...idsForLog(this),
          error: errorText(failure),
        }),
      );
    }
    this.undoing = null;
    this.end();
  }

  /** An answer that can't be sent fails a call which has succeeded before: it ends once all the same. */
  private end(): void {
    const { observer } = this;
    this.observer = null;
    this.isOver = true;
    this.transport.leaveBody();
    observer?.ended(this);
  }
}

/** A call that all steps before its work have let pass. Nothing of it changes. */
export interface AdmittedCall extends ValidRequest {
  readonly call: MeteredCall;
  /** Its right to do the work, for an Idempotency-Key, or one that whoever makes the call has taken before. */
  readonly claim: Claim | null;
  readonly replay: Replay | null;
  readonly quote: Quote | null;
}

/** Whether the body asks for a stream. On an operation that never streams, this only makes the lease too long. */
export function asksForStream(body: unknown): boolean {
  return (body as { stream?: unknown } | null | undefined)?.stream === true;
}

/** Stands for an answer that has already left as a stream. */
export class SentAnswer {
  constructor(readonly brokenOff: ApiError | null = null) {}
}

/** What the work says that it has used. */
export class WorkMeter implements Meter {
  use: TokenUse | null = null;
  /** What it had used when its caller went away; null where it did not, or nothing has to be paid for. */
  useWhenLeft: Promise<TokenUse> | null = null;
  private watched: WatchedWork | null = null;

  constructor(private readonly quote: Quote | null) {}

  get outputTokensMax(): number {
    return this.quote?.outputTokensMax ?? 0;
  }

  get inputTokens(): number {
    return this.quote?.inputTokens ?? 0;
  }

  /** An upstream may claim anything: beyond the reservation only what balance and limits have room for is charged. */
  report(use: TokenUse): TokenUse {
    const { price = null, inputTokens = 0, outputTokensMax = 0 } = this.quote ?? {};
    const input = price?.counts ? believedTokens(use.inputTokens, inputTokens) : 0;
    const isOutputPriced = price?.counts === 'input_and_output';
    const output = isOutputPriced ? believedTokens(use.outputTokens, outputTokensMax) : 0;
    const cachedTokens = Math.min(believedTokens(use.cachedTokens ?? 0, 0), input);
    const cacheWriteTokens = Math.min(believedTokens(use.cacheWriteTokens ?? 0, 0), input - cachedTokens);
    this.use = {
      inputTokens: input,
      outputTokens: output,
      ...(cachedTokens > 0 && { cachedTokens }),
      ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    };
    return this.use;
  }

  watch(work: WatchedWork): void {
    this.watched = work;
  }

  leave(): void {
    this.useWhenLeft = this.watched?.useSoFar() ?? null;
  }
}

/** The work of a call, and the one parameter of its operation. Signal and functions are getters: few operations use them, and every call would pay. */
export class CallWork implements CallContext {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly requestId: string;
  readonly account: AccountPrincipal | null;
  readonly key: KeyPrincipal | null;
  readonly token: PresentedToken | null;
  readonly idempotencyId: string | null;
  readonly plan: object | null;
  readonly requestHeaders: CallContext['requestHeaders'];
  readonly file: CallContext['file'];
  readonly meter: WorkMeter;
  readonly notes: AnswerNotes = {
    isReplaced: false,
    headers: null,
    passedOn: null,
    engine: null,
    includedNanoUsd: 0n,
    includedTokens: 0,
  };
  readonly call: MeteredCall;

  /** @param quote what was reserved, which may be less than what the call was admitted with; null for a free call */
  constructor(
    readonly admitted: AdmittedCall,
    readonly quote: Quote | null,
  ) {
    const { call, input, headers, claim } = admitted;
    this.call = call;
    this.params = input.params;
    this.query = input.query;
    this.body = input.body;
    this.requestId = call.requestId;
    this.account = call.account;
    this.key = call.key;
    this.token = call.token;
    this.idempotencyId = claim?.id ?? null;
    this.plan = quote?.plan ?? null;
    this.requestHeaders = headers;
    this.file = call.transport.file;
    this.meter = new WorkMeter(quote);
  }

  get callerAddress(): string {
    return this.call.transport.address;
  }

  get page(): CallContext['page'] {
    return this.call.transport.page;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  get replaced(): CallContext['replaced'] {
    return () => {
      this.notes.isReplaced = true;
    };
  }

  /** A bound function, so that handlers may destructure it. Throws TypeError for a value that no header can have. */
  get setHeader(): CallContext['setHeader'] {
    return (name, value) => {
      validateHeaderValue(name, value);
      this.notes.headers = { ...this.notes.headers, [name]: value };
    };
  }

  get passOn(): CallContext['passOn'] {
    return (text) => {
      this.notes.passedOn = text;
    };
  }

  get setEngine(): CallContext['setEngine'] {
    return (engine) => {
      this.notes.engine = engine;
    };
  }

  get includeCost(): CallContext['includeCost'] {
    return (nanoUsd, tokens) => {
      this.notes.includedNanoUsd += nanoUsd;
      this.notes.includedTokens += tokens;
    };
  }
}

/** Work for which something is reserved. */
export type PaidWork = CallWork & { readonly quote: Quote };

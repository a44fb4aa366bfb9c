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
import { believedTokens, cacheUse, type TokenUse, type WatchedWork } from '../ledger/money';
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

/** Null unless 8 to 128 letters, digits and `_.:-`; the call is served anyway. */
export function clientRequestId(header: unknown): string | null {
  return typeof header === 'string' && SANE.test(header) ? header : null;
}

export function idsForLog(call: { requestId: string; clientRequestId: string | null }): object {
  const { requestId, clientRequestId } = call;
  return { request_id: requestId, ...(clientRequestId !== null && { client_request_id: clientRequestId }) };
}

export interface UndoStep {
  undo(call: MeteredCall, status: number): Promise<void>;
}

export interface EndObserver {
  ended(call: MeteredCall): void;
}

export class MeteredCall {
  credential: Credential = NO_CREDENTIAL;
  caller: KeyCredential | TokenCredential | null = null;
  /** Also names the price on a refused call's receipt. */
  quote: Quote | null = null;
  admitted: AdmittedCall | null = null;
  work: CallWork | null = null;
  /** Whether the ledger wrote, or will write, this call's receipt. */
  hasReceipt = false;
  isReserved = false;
  /** Its reservation, work or settlement is under way: it ends by itself, however its answer leaves. */
  isWorking = false;
  isStreaming = false;
  isOutcomeUnknown = false;
  /** The database is down: what the call did may be taken back only after its answer. */
  isDatabaseAway = false;
  isOver = false;
  refusal: ApiError | null = null;
  onAbort: (() => void) | null = null;
  /** Ends work whose result nobody may have any more. */
  onRefused: ((refusal: ApiError) => void) | null = null;
  /** Ends work that goes on too long after its credential ended. */
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
    /** When the whole request had arrived; before its body is read, when its head had. */
    public startedAt: Date,
    readonly terms: CallTerms = NO_TERMS,
    readonly id = newId(),
  ) {}

  /** Needs a row in the usage log although it moved no money. Free calls of account tokens have none. */
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

  /** The ledger refuses a secret that was replaced meanwhile; null where none was shown. */
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

  /** Aborted when the call times out, its caller leaves or the service shuts down. */
  get signal(): AbortSignal {
    return this.stopping().signal;
  }

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

  /** Its credential has ended: work does not begin; `onRefused` decides over work under way. */
  refuse(refusal: ApiError): void {
    this.refusal = refusal;
    this.onRefused?.(refusal);
  }

  throwIfRefused(): void {
    if (this.refusal) {
      throw this.refusal;
    }
  }

  /** @throws why the call was refused, cancelled or stopped; Error where it was answered already */
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

  /** Undoes steps, the last first, despite failures. Returns no promise where nothing is to be undone. */
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

  /** Runs once, even where the answer of a successful call then cannot be sent. */
  private end(): void {
    const { observer } = this;
    this.observer = null;
    this.isOver = true;
    this.transport.leaveBody();
    observer?.ended(this);
  }
}

/** A call that all steps before its work let pass; immutable. */
export interface AdmittedCall extends ValidRequest {
  readonly call: MeteredCall;
  /** Its right to do the work: for an Idempotency-Key, or taken earlier by the internal caller. */
  readonly claim: Claim | null;
  readonly replay: Replay | null;
  readonly quote: Quote | null;
}

/** Where an operation never streams, this only makes the lease too long. */
export function asksForStream(body: unknown): boolean {
  return (body as { stream?: unknown } | null | undefined)?.stream === true;
}

export class SentAnswer {
  constructor(readonly brokenOff: ApiError | null = null) {}
}

export class WorkMeter implements Meter {
  use: TokenUse | null = null;
  /** Its use when the caller left; null where he did not, or nothing must be paid. */
  useWhenLeft: Promise<TokenUse> | null = null;
  private watched: WatchedWork | null = null;

  constructor(private readonly quote: Quote | null) {}

  get outputTokensMax(): number {
    return this.quote?.outputTokensMax ?? 0;
  }

  get inputTokens(): number {
    return this.quote?.inputTokens ?? 0;
  }

  /** An upstream may claim anything: the excess is charged only as far as balance and limits have room. */
  report(use: TokenUse): TokenUse {
    const { price = null, inputTokens = 0, outputTokensMax = 0 } = this.quote ?? {};
    const input = price?.counts ? believedTokens(use.inputTokens, inputTokens) : 0;
    const isOutputPriced = price?.counts === 'input_and_output';
    const output = isOutputPriced ? believedTokens(use.outputTokens, outputTokensMax) : 0;
    this.use = { inputTokens: input, outputTokens: output, ...cacheUse(use, input) };
    return this.use;
  }

  watch(work: WatchedWork): void {
    this.watched = work;
  }

  leave(): void {
    this.useWhenLeft = this.watched?.useSoFar() ?? null;
  }
}

/** Signal and functions are getters: few operations use them, and every call would pay. */
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

  /** @param quote what was reserved, at most the admitted quote; null for a free call */
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

  /** Bound, so that handlers may destructure it. Throws TypeError for an invalid header value. */
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

export type PaidWork = CallWork & { readonly quote: Quote };

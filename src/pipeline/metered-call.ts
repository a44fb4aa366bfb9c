import { validateHeaderValue } from 'node:http';
import type { BoundedInput } from '../contract/estimates';
import type {
  AccountPrincipal,
  CallContext,
  KeyPrincipal,
  Meter,
  OperationPolicy,
  PresentedToken,
} from '../contract/operation';
import { type ApiError, CallCancelled } from '../errors/api-errors';
import type { Claim, StoredAnswer } from '../ledger/idempotency';
import { believedTokens, type WatchedWork } from '../ledger/meter';
import type { Price, TokenUse } from '../ledger/price-list';
import type { Engine } from '../models/model-provider';
import type { FinalNumbers } from '../models/streamed-answer';
import { withOrigin, type Span, type WorkOrigin } from '../observability/tracing';
import { newId } from '../runtime/ids';
import { type CallTransport, type Credential, NO_CREDENTIAL, type Upload } from './call-transport';

/**
 * The one parameter of every operation: its validated input and what the pipeline found out. The signal and the
 * functions are getters, because few operations use them and every call would pay for making them.
 */
class CallParameter implements CallContext {
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  readonly requestId: string;
  readonly idempotencyId: string | null;
  readonly account: AccountPrincipal | null;
  readonly key: KeyPrincipal | null;
  readonly token: PresentedToken | null;
  readonly meter: Meter;
  readonly plan: object | null;
  readonly requestHeaders: CallContext['requestHeaders'];
  readonly file: CallContext['file'];

  constructor(private readonly call: MeteredCall) {
    this.params = call.input.params;
    this.query = call.input.query;
    this.body = call.input.body;
    this.requestId = call.requestId;
    this.idempotencyId = call.claim?.id ?? null;
    this.account = call.account;
    this.key = call.key;
    this.token = call.token;
    this.meter = call;
    this.plan = call.plan;
    this.requestHeaders = call.requestHeaders;
    this.file = call.upload?.file ?? null;
  }

  get callerAddress(): string {
    return this.call.transport.address;
  }

  get signal(): AbortSignal {
    return this.call.signal;
  }

  /** Returns a bound function, so that handlers may destructure it. */
  get setHeader(): CallContext['setHeader'] {
    return (name, value) => this.call.setHeader(name, value);
  }

  get passOn(): CallContext['passOn'] {
    return (text) => {
      this.call.passedOn = text;
    };
  }

  get setEngine(): CallContext['setEngine'] {
    return (engine) => {
      this.call.engine = engine;
    };
  }

  get includeCost(): CallContext['includeCost'] {
    return (nanoUsd) => {
      this.call.includedNanoUsd += nanoUsd;
    };
  }
}

/** What the price step decided for a call. */
export interface Quote {
  price: Price;
  priceVersion: string;
  inputTokens: number;
  /** The part of `inputTokens` that the request's max_input_tokens bounds; null where there is none. */
  boundedInput: BoundedInput | null;
  /** The most output tokens of all choices together. */
  outputTokensMax: number;
  /** The part of `outputTokensMax` that a smaller max_tokens would not reduce; absent means none. */
  outputTokensFixed?: number;
  /** How many answers the request asks for; each may be as long as its max_tokens says. */
  choices: number;
  /** The worst case, which is what will be reserved. */
  reserveNanoUsd: bigint;
}

export interface RequestInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

/** Takes back what a step did, should anything later fail. */
export interface Undoing {
  /** @param status the HTTP status of the answer */
  undo(call: MeteredCall, status: number): Promise<void>;
}

/** Is told once, when a call has succeeded or after it was taken back. */
export interface EndObserver {
  ended(): void;
}

const NO_HEADERS = Object.freeze({});
const NO_INPUT: RequestInput = Object.freeze({ params: {}, query: {}, body: undefined });

/** One call on its way through the pipeline; each step leaves here what later steps need. */
export class MeteredCall implements Meter {
  /** What step 1 looked up; step 2 throws its refusal or takes the account from it. */
  credential: Credential = NO_CREDENTIAL;
  account: AccountPrincipal | null = null;
  key: KeyPrincipal | null = null;
  token: PresentedToken | null = null;
  /**
   * SHA-256 of the access key's secret. The ledger compares it with the key's, so that a secret that was replaced in the
   * meantime is refused; null where no secret was shown. Handlers never see it.
   */
  secretHash: Buffer | null = null;
  input: RequestInput = NO_INPUT;
  /** The headers that the document names for the operation, by their names in lower case. */
  requestHeaders: Readonly<Record<string, string | undefined>> = NO_HEADERS;
  /** The file that came with it, which is removed at its end. */
  upload: Upload | null = null;
  /** Its right to do the work: for an Idempotency-Key, or one that whoever makes the call has taken before. */
  claim: Claim | null = null;
  replay: StoredAnswer | null = null;
  quote: Quote | null = null;
  /** What the operation's estimator worked out, for its handler. */
  plan: object | null = null;
  use: TokenUse | null = null;
  /** What the work had used when its caller went away; null where it did not, or nothing has to be paid for. */
  useWhenLeft: Promise<TokenUse> | null = null;
  /** What the handler adds to the answer's headers, should the call succeed. */
  headers: Record<string, string> | null = null;
  /** The JSON text to answer with instead of the result, byte for byte. */
  passedOn: string | null = null;
  /** Why a streamed answer ended before it was complete. */
  brokenOff: ApiError | null = null;
  /** What it was charged, once that is settled. */
  charge: FinalNumbers | null = null;
  /** What calls that this one made were charged. */
  includedNanoUsd = 0n;
  /** Whether it is part of a call that was counted for its rate already. */
  isPart = false;
  /** What produced the answer, as the envelope will say. */
  engine: Engine | null = null;
  /** Whether the ledger wrote, or will write, this call's receipt. */
  hasReceipt = false;
  /** Whether its reservation, its work or its settlement is under way. */
  isWorking = false;
  /** Whether it has succeeded or was taken back. */
  isOver = false;
  /** Whether nobody can say if it was charged. */
  isOutcomeUnknown = false;
  /** Whether it fails because the database is away: then what it did may be taken back only after its answer. */
  isDatabaseAway = false;
  /** Ends the work, of whatever class, when it aborts with a reason of CallCancelled or CallStopped. */
  cancel: AbortSignal | null = null;
  /** Stops work that does not heed the signal. */
  onAbort: (() => void) | null = null;
  /** What it does is told under this; null where nobody traces it. */
  span: Span | null = null;
  /** The traceparent of the span that it is under; null where it begins its trace, or nobody traces it. */
  traceParent: string | null = null;
  /** Whose work it is a part of, as that of a task; null for a call of its own. */
  origin: WorkOrigin | null = null;
  private watched: WatchedWork | null = null;
  private stop: AbortController | null = null;
  private undoing: Promise<void> | null = null;
  private undoings: Undoing[] | null = null;
  private observer: EndObserver | null = null;

  constructor(
    readonly policy: OperationPolicy,
    readonly transport: CallTransport,
    /** When the request had arrived as a whole; before its body was read, when its head had. */
    public startedAt: Date,
    readonly id = newId(),
  ) {}

  get requestId(): string {
    return this.transport.requestId;
  }

  /** The id that the caller gave the call; null where it gave none. */
  get clientRequestId(): string | null {
    return this.transport.clientRequestId;
  }

  /** @throws Error before the authentication step, and on operations without one */
  get accountId(): string {
    if (!this.account) {
      throw new Error(`${this.policy.operationId} was called without an account`);
    }
    return this.account.id;
  }

  /** Whether the body asks for a stream. On an operation that never streams, this only makes the lease too long. */
  get asksForStream(): boolean {
    return asksForStream(this.input.body);
  }

  /** What the operation's method is given. */
  parameter(): CallParameter {
    return new CallParameter(this);
  }

  /** Aborted when the call's work is to stop: its time is over, its caller has gone away, or the service shuts down. */
  get signal(): AbortSignal {
    return this.stopping().signal;
  }

  /** Made when somebody asks for it. Whoever the signal is handed to can tell whose work it ends. */
  private stopping(): AbortController {
    if (this.stop === null) {
      this.stop = new AbortController();
      const causedBy = this.origin?.requestId ?? null;
      const accountId = this.account?.id ?? null;
      withOrigin(this.stop.signal, { requestId: this.requestId, causedBy, accountId, span: this.span });
    }
    return this.stop;
  }

  /** Tells the work to stop. */
  abort(reason: Error): void {
    this.stopping().abort(reason);
    this.onAbort?.();
  }

  /** @throws TypeError for a value that no header can have; found now, it costs nothing */
  setHeader(name: string, value: string): void {
    validateHeaderValue(name, value);
    (this.headers ??= {})[name] = value;
  }

  get outputTokensMax(): number {
    return this.quote?.outputTokensMax ?? 0;
  }

  get inputTokens(): number {
    return this.quote?.inputTokens ?? 0;
  }

  /**
   * Notes what the work used, as far as it is believed, because an upstream may claim anything. What goes beyond the
   * reservation is charged only as far as the balance and the key's limits have room.
   */
  report(use: TokenUse): TokenUse {
    const { price = null, inputTokens = 0, outputTokensMax = 0 } = this.quote ?? {};
    this.use = {
      inputTokens: price?.counts ? believedTokens(use.inputTokens, inputTokens) : 0,
      outputTokens:
        price?.counts === 'input_and_output' ? believedTokens(use.outputTokens, outputTokensMax) : 0,
    };
    return this.use;
  }

  watch(work: WatchedWork): void {
    this.watched = work;
  }

  /** @throws the reason for which the call was cancelled or stopped, if it was */
  throwIfCancelled(): void {
    this.cancel?.throwIfAborted();
  }

  /** @throws Error where somebody else has answered the call: it was taken back then, or is being taken back */
  throwIfAnswered(): void {
    if (this.isOver || this.undoing !== null) {
      throw new Error(`${this.policy.operationId} was answered before its work began`);
    }
  }

  /** Tells the work to stop because it is not wanted any more. What is stopped to be done anew is not paid for. */
  halt(reason: Error): void {
    if (reason instanceof CallCancelled) {
      this.leave(reason);
    } else {
      this.abort(reason);
    }
  }

  /** Tells the work that its caller has gone away, and notes what has to be paid for it. */
  leave(reason: Error): void {
    this.useWhenLeft = this.watched?.useSoFar() ?? null;
    this.abort(reason);
  }

  /** Registers how a step is taken back should anything later fail. */
  onFailure(undoing: Undoing): void {
    (this.undoings ??= []).push(undoing);
  }

  /** Registers the one who is told when the call has ended. */
  onEnd(observer: EndObserver): void {
    this.observer = observer;
  }

  /**
   * Takes all steps back, the last first, and tells the work to stop. One step that fails to be taken back does not keep
   * the others from it.
   * @param status the HTTP status of the answer
   * @returns no promise where there is nothing to take back, as after the end of the call
   */
  fail(status: number, report: (error: unknown) => void): Promise<void> | void {
    if (!this.isOver) {
      this.stop?.abort(new Error('the call has failed'));
      this.onAbort?.();
    }
    if (this.undoings) {
      this.undoing = this.undo(this.undoings, status, report);
    }
    if (this.undoing) {
      return this.undoing;
    }
    this.end();
  }

  /** From here on the call has succeeded, and nothing is taken back any more. */
  succeed(): void {
    this.undoings = null;
    this.end();
  }

  private async undo(undoings: Undoing[], status: number, report: (error: unknown) => void): Promise<void> {
    this.undoings = null;
    for (const undoing of undoings.reverse()) {
      await undoing.undo(this, status).catch(report);
    }
    this.undoing = null;
    this.end();
  }

  /** An answer that can't be sent fails a call which has succeeded before: it ends once all the same. */
  private end(): void {
    const { observer } = this;
    this.observer = null;
    this.isOver = true;
    this.upload?.remove();
    this.transport.leaveBody();
    observer?.ended();
  }
}

/** Whether a body asks for a streamed answer. */
export function asksForStream(body: unknown): boolean {
  return (body as { stream?: unknown } | null | undefined)?.stream === true;
}

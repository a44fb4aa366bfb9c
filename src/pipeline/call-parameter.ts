import { validateHeaderValue } from 'node:http';
import type {
  AccountPrincipal,
  CallContext,
  KeyPrincipal,
  Meter,
  PresentedToken,
} from '../contract/operation';
import { type AnswerNotes, NO_NOTES } from './call-transport';
import type { MeteredCall } from './metered-call';

/** The one parameter of every operation. Signal and functions are getters: few operations use them, and every call would pay. */
export class CallParameter implements CallContext {
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
  readonly meter: Meter;
  readonly notes: { -readonly [Note in keyof AnswerNotes]: AnswerNotes[Note] } = { ...NO_NOTES };

  constructor(private readonly call: MeteredCall) {
    const { params, query, body } = call.input;
    this.params = params;
    this.query = query;
    this.body = body;
    this.requestId = call.requestId;
    this.account = call.account;
    this.key = call.key;
    this.token = call.token;
    this.idempotencyId = call.claim?.id ?? null;
    this.plan = call.quote?.plan ?? null;
    this.requestHeaders = call.valid.headers;
    this.file = call.upload?.file ?? null;
    this.meter = call;
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

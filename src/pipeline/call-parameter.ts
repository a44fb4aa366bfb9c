import type { AccountPrincipal, CallContext, KeyPrincipal, Meter, PresentedToken } from '../contract/call';
import type { MeteredCall } from './metered-call';

/**
 * The one parameter of every operation: its validated input and what the pipeline found out. The signal and the
 * functions are getters, because few operations use them and every call would pay for making them.
 */
export class CallParameter implements CallContext {
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

import type { AccountRateLimits } from '../accounts/accounts';
import { BoundedInput } from '../contract/estimates';
import type { AccountPrincipal, KeyPrincipal, PresentedToken } from '../contract/operation';
import type { ApiError } from '../errors/api-errors';
import type { FormFields } from '../http/form-bodies';
import type { ConsoleRequest } from '../http/console-requests';
import type { BodyFault } from '../http/request-body';
import type { UploadedFile } from '../http/uploaded-files';
import { Claim } from '../ledger/idempotency';
import { Price } from '../ledger/money';
import { Engine } from '../models/model-provider';
import { WorkOrigin } from '../observability/tracing';

/** Who calls from within the service: the owner of a job, of a socket or of a batch, looked up anew for every call. */
export type Principal =
  { readonly kind: 'key'; readonly keyId: string } | { readonly kind: 'account'; readonly accountId: string };

export interface PresentedSecrets {
  readonly kind: 'secrets';
  /** The X-API-Key header, or api-key as clients of Azure send it. */
  readonly apiKey: string | null;
  /** The bearer token of the Authorization header: an account token or an access key. */
  readonly bearer: string | null;
  /** The cookie of a console session. Null also where any header shows a credential, which always wins. */
  readonly session: { readonly cookie: string; readonly fault: string | null } | null;
}

export interface Upload {
  readonly file: UploadedFile;
  /** Removes it; whoever has it open may go on reading. */
  remove(): void;
}

export interface RequestInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface UnvalidatedInput extends RequestInput {
  readonly headers: Readonly<Record<string, unknown>>;
  /** Why the body could not be read; null where it could. */
  readonly bodyFault: BodyFault | null;
  /** The length of a JSON body in UTF-16 units; 0 where it is not known. */
  readonly bodyLength: number;
  readonly upload: Upload | null;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AnswerStream {
  readonly isGone: boolean;
  /** Whether the answer may have a body: one to HEAD may not. */
  readonly takesBody: boolean;
  /** Where there is no room for more, waits until there is; not when the reader has gone or the signal aborts. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void> | void;
  end(bytes: Uint8Array): void;
  /** Breaks the answer off without an end, as if the service had died. */
  destroy(): void;
}

/** How a call came, and how its answer leaves: the only thing that a step knows of HTTP, of a job or of a socket. */
export interface CallTransport {
  /** No other call has it. */
  readonly requestId: string;
  /** The id that the caller gave the call; null where it gave none. Several calls may have the same. */
  readonly clientRequestId: string | null;
  /** The IP address under which a caller is counted whose secrets stand for nobody; empty for a principal. */
  readonly address: string;
  readonly caller: PresentedSecrets | Principal;
  /** What a browser says of the page that calls; null where the call did not come as a request. */
  readonly page: ConsoleRequest | null;
  readonly idempotencyKey: string | null;
  /** Of a body that has not been read; Infinity where its head does not tell. */
  readonly unreadBytesMax: number;
  /** Whether the answer goes to somebody outside of the service, who may read it slowly or not at all. */
  readonly isReadOutside: boolean;
  /** Complete once `readBody` was called and has ended. */
  readonly input: UnvalidatedInput;
  /**
   * Called once, when the call is known to be admitted.
   * @param bytesMax null where the operation takes no body, which then stays unread
   * @returns no promise where nothing has to be waited for
   * @throws ClientGone where the caller leaves before the end
   */
  readBody(bytesMax: number | null, form: FormFields | null, takesEncoded: boolean): Promise<void> | void;
  /** Gives back the room that the body takes. Called once, when the call has ended and needs its input no longer. */
  leaveBody(): void;
  readonly isGone: boolean;
  /** Calls `gone` once. Returns a function that ends the watch. */
  onGone(gone: () => void): () => void;
  setHeaders(headers: Readonly<Record<string, string | number>>): void;
  /** Writes an answer as JSON by the operation's response schema, so that an undeclared field never leaves. */
  serialize(answer: unknown): string;
  /** @param head what an answer of bytes has in place of the status and headers of server-sent events */
  openStream(gone: () => void, head?: AnswerHead | null): AnswerStream;
}

/** Who the presented credential stands for, or why it stands for nobody. */
export type Credential = NoCredential | KeyCredential | TokenCredential | RefusedCredential;

interface NoCredential {
  readonly kind: 'none';
}

/**
 * What a valid access key stands for. It is the same object for every call with the same secret, as long as nothing
 * about the key has changed, so that what follows from it can be cached by it.
 */
export interface KeyCredential {
  readonly kind: 'key';
  readonly key: KeyPrincipal;
  /** SHA-256 of the secret that was shown; null where the key was named from within the service. */
  readonly secretHash: Buffer | null;
  /** Whether the console made it for itself, for minutes. */
  readonly isPlayground: boolean;
  readonly account: AccountPrincipal;
  readonly rateLimits: AccountRateLimits | null;
}

export interface TokenCredential {
  readonly kind: 'token';
  /** Null where the account was named from within the service. */
  readonly token: PresentedToken | null;
  readonly account: AccountPrincipal;
  readonly rateLimits: AccountRateLimits | null;
}

interface RefusedCredential {
  readonly kind: 'refused';
  readonly error: ApiError;
}

export const NO_CREDENTIAL: NoCredential = Object.freeze({ kind: 'none' });

export interface ValidInput {
  readonly input: RequestInput;
  /** The headers that the document names for the operation, by their names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bodyLength: number;
}

export const NOT_VALIDATED: ValidInput = Object.freeze({
  input: Object.freeze({ params: {}, query: {}, body: undefined }),
  headers: Object.freeze({}),
  bodyLength: 0,
});

/** What whoever makes a call says of it beside its input. A request says nothing. */
export interface CallTerms {
  /** The right to do the work, which was taken for it before. */
  readonly claim: Claim | null;
  /** Ends the work, of whatever class, when it aborts with a reason of CallCancelled or CallStopped. */
  readonly cancel: AbortSignal | null;
  /** Whether it is part of a call that was counted for its rate already. */
  readonly isPart: boolean;
  /** Whose work it is a part of, as that of a task; null for a call of its own. */
  readonly origin: WorkOrigin | null;
}

export const NO_TERMS: CallTerms = Object.freeze({ claim: null, cancel: null, isPart: false, origin: null });

/** Stands for an answer that has already left as a stream. */
export const SENT = Symbol('sent');

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
  /** What the operation's estimator worked out, for its handler; absent means nothing. */
  plan?: object | null;
  /** The plan for fewer output tokens of each choice; absent where their number is not the service's to choose. */
  planFor?: (tokensMax: number) => object;
}

export interface AnswerNotes {
  /** Whether it replaced what it would have created. */
  readonly isReplaced: boolean;
  readonly headers: Readonly<Record<string, string>> | null;
  /** The JSON text to answer with instead of the result, byte for byte. */
  readonly passedOn: string | null;
  readonly engine: Engine | null;
  /** What calls that this one made were charged. */
  readonly includedNanoUsd: bigint;
  readonly includedTokens: number;
}

export const NO_NOTES: AnswerNotes = Object.freeze({
  isReplaced: false,
  headers: null,
  passedOn: null,
  engine: null,
  includedNanoUsd: 0n,
  includedTokens: 0,
});

const SANE = /^[\w.:-]{8,128}$/;

/**
 * The id that a caller gives its call, by which it finds the receipt beside ours. Null where it gives none, or one that
 * is no token of 8 to 128 letters, digits and `_.:-`: such an id is not kept, but the call is served all the same.
 */
export function clientRequestId(given: unknown): string | null {
  return typeof given === 'string' && SANE.test(given) ? given : null;
}

export function idsForLog(call: { requestId: string; clientRequestId: string | null }): object {
  const { requestId, clientRequestId: given } = call;
  return { request_id: requestId, ...(given !== null && { client_request_id: given }) };
}

interface InternalCall {
  requestId: string;
  clientRequestId: string | null;
  principal: Principal;
  input: UnvalidatedInput;
  idempotencyKey: string | null;
  /** Aborts when nobody waits for the answer any more; null where somebody always waits. */
  signal: AbortSignal | null;
  /** Where the events of a streamed answer go; null where none is asked for. */
  stream: AnswerStream | null;
  serialize(answer: unknown): string;
}

/** The transport of a call that a part of the service makes in the name of an account, and whose answer that part reads. */
export class InternalTransport implements CallTransport {
  readonly requestId: string;
  readonly clientRequestId: string | null;
  readonly caller: Principal;
  readonly idempotencyKey: string | null;
  readonly input: UnvalidatedInput;
  /** Only streams leave as they are; other answers are kept by whoever made the call. */
  readonly isReadOutside: boolean;
  readonly address = '';
  readonly page = null;
  readonly unreadBytesMax = 0;
  /** Their names are in lower case. */
  readonly headers: Record<string, string | number> = {};
  private readonly watches = new Set<() => void>();

  constructor(private readonly call: InternalCall) {
    this.requestId = call.requestId;
    this.clientRequestId = call.clientRequestId;
    this.caller = call.principal;
    this.idempotencyKey = call.idempotencyKey;
    this.input = call.input;
    this.isReadOutside = call.stream !== null;
  }

  /** The input came as a whole, and whoever makes the call holds it. */
  readBody(): void {}

  leaveBody(): void {}

  get isGone(): boolean {
    return this.call.signal?.aborted ?? false;
  }

  onGone(gone: () => void): () => void {
    const { signal } = this.call;
    const stop = () => {
      signal?.removeEventListener('abort', gone);
      this.watches.delete(stop);
    };
    signal?.addEventListener('abort', gone, { once: true });
    this.watches.add(stop);
    return stop;
  }

  /** Ends every watch: a signal may serve many calls, and would hold the listeners of them all. */
  close(): void {
    this.watches.forEach((stop) => stop());
  }

  setHeaders(headers: Readonly<Record<string, string | number>>): void {
    for (const [name, value] of Object.entries(headers)) {
      this.headers[name.toLowerCase()] = value;
    }
  }

  serialize(answer: unknown): string {
    return this.call.serialize(answer);
  }

  openStream(gone: () => void): AnswerStream {
    const { stream } = this.call;
    if (stream === null) {
      throw new Error('a streamed answer has no stream to go to');
    }
    this.onGone(gone);
    if (this.isGone) {
      gone();
    }
    return stream;
  }
}

import type { AccountRateLimits } from '../accounts/accounts';
import type { AccountPrincipal, BoundedInput, KeyPrincipal, PresentedToken } from '../contract/operation';
import type { ApiError } from '../errors/api-errors';
import type { FormFields } from '../http/form-bodies';
import type { ConsoleRequest } from '../http/console-requests';
import type { BodyFault } from '../http/request-body';
import type { UploadedFile } from '../http/uploaded-files';
import type { Claim } from '../ledger/idempotency';
import type { Price, TokenUse } from '../ledger/money';
import type { Engine } from '../models/model-provider';
import type { FinalUsage } from '../models/streamed-answer';
import type { WorkOrigin } from '../observability/tracing';

/** Who calls from within the service: the owner of a job, of a socket or of a batch, looked up anew for every call. */
export type Principal =
  { readonly kind: 'key'; readonly keyId: string } | { readonly kind: 'account'; readonly accountId: string };

export interface PresentedSecrets {
  readonly kind: 'secrets';
  readonly apiKey: string | null;
  readonly bearer: string | null;
  /** The cookie of a console session. Null also where any header shows a credential, which always wins. */
  readonly session: { readonly cookie: string; readonly fault: string | null } | null;
}

export interface RequestInput {
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: unknown;
}

export interface UnvalidatedInput extends RequestInput {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bodyFault: BodyFault | null;
  /** The length of a JSON body in UTF-16 units; 0 where it is not known. */
  readonly bodyLength: number;
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

export interface CallTransport {
  readonly requestId: string;
  /** The id that the caller gave the call; null where it gave none. Several calls may have the same. */
  readonly clientRequestId: string | null;
  /** The IP address under which a caller is counted whose secrets stand for nobody; empty for a principal. */
  readonly address: string;
  readonly caller: PresentedSecrets | Principal;
  readonly page: ConsoleRequest | null;
  readonly idempotencyKey: string | null;
  /** Of a body that has not been read; Infinity where its head does not tell. */
  readonly unreadBytesMax: number;
  /** Whether the answer goes to somebody outside of the service, who may read it slowly or not at all. */
  readonly isReadOutside: boolean;
  /** Complete once `readBody` was called and has ended. */
  readonly input: UnvalidatedInput;
  /** Called once, on admission; null leaves it unread. No promise where nothing has to wait. @throws ClientGone */
  readBody(bytesMax: number | null, form: FormFields | null, takesEncoded: boolean): Promise<void> | void;
  /** The file of the form that was read; it is gone once the body was left. */
  readonly file: UploadedFile | null;
  /** Gives back the room that the body takes, and removes its file. Called once, when the call has ended and needs its input no longer. */
  leaveBody(): void;
  readonly isGone: boolean;
  onGone(gone: () => void): () => void;
  setHeaders(headers: Readonly<Record<string, string | number>>): void;
  /** Writes an answer as JSON by the operation's response schema, so that an undeclared field never leaves. */
  serialize(answer: unknown): string;
  /** @param head what an answer of bytes has in place of the status and headers of server-sent events */
  openStream(gone: () => void, head?: AnswerHead | null): AnswerStream;
}

export type Credential = NoCredential | KeyCredential | TokenCredential | RefusedCredential;

export interface NoCredential {
  readonly kind: 'none';
}

/** One object for all calls with a secret while the key is unchanged, so that what follows from it is cached by it. */
export interface KeyCredential {
  readonly kind: 'key';
  readonly key: KeyPrincipal;
  /** SHA-256 of the secret that was shown; null where the key was named from within the service. */
  readonly secretHash: Buffer | null;
  readonly isPlayground: boolean;
  readonly account: AccountPrincipal;
  readonly rateLimits: AccountRateLimits | null;
}

export interface TokenCredential {
  readonly kind: 'token';
  readonly token: PresentedToken | null;
  readonly account: AccountPrincipal;
  readonly rateLimits: AccountRateLimits | null;
}

interface RefusedCredential {
  readonly kind: 'refused';
  readonly error: ApiError;
}

/** What was judged, and is no further than the document says. */
export interface ValidRequest {
  readonly input: RequestInput;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bodyLength: number;
}

export interface CallTerms {
  /** The right to do the work, which was taken for it before. */
  readonly claim: Claim | null;
  /** Ends the work, of whatever class, when it aborts with a reason of CallCancelled or CallStopped. */
  readonly cancel: AbortSignal | null;
  readonly isPart: boolean;
  /** Whose work it is a part of, as that of a task; null for a call of its own. */
  readonly origin: WorkOrigin | null;
  /** Is told what the call was charged, and for which tokens, also where it then fails. */
  readonly charged: ((charge: FinalUsage, use: TokenUse | null) => void) | null;
}

export interface Quote {
  readonly price: Price;
  readonly priceVersion: string;
  readonly inputTokens: number;
  readonly boundedInput: BoundedInput | null;
  readonly outputTokensMax: number;
  readonly outputTokensFixed?: number;
  readonly choices: number;
  /** The worst case, which is what will be reserved. */
  readonly reserveNanoUsd: bigint;
  readonly plan?: object | null;
  readonly planFor?: (tokensMax: number) => object;
}

/** What the work says of its answer. */
export interface AnswerNotes {
  isReplaced: boolean;
  headers: Readonly<Record<string, string>> | null;
  passedOn: string | null;
  engine: Engine | null;
  includedNanoUsd: bigint;
  includedTokens: number;
}

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

/** An internal caller: the owner of a job, socket or batch, looked up anew for every call. */
export type Principal =
  { readonly kind: 'key'; readonly keyId: string } | { readonly kind: 'account'; readonly accountId: string };

export interface PresentedSecrets {
  readonly kind: 'secrets';
  readonly apiKey: string | null;
  readonly bearer: string | null;
  /** The console session's cookie. Null where a header shows a credential, which always wins. */
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
  /** UTF-16 units of a JSON body; 0 where unknown. */
  readonly bodyLength: number;
}

export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface AnswerStream {
  readonly isGone: boolean;
  readonly takesBody: boolean;
  /** Waits for room, but not once the reader has gone or the signal aborts. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void> | void;
  end(bytes: Uint8Array): void;
  destroy(): void;
}

export interface CallTransport {
  readonly requestId: string;
  readonly clientRequestId: string | null;
  /** The IP address under which callers with invalid credentials are counted; empty for a principal. */
  readonly address: string;
  readonly caller: PresentedSecrets | Principal;
  readonly page: ConsoleRequest | null;
  readonly idempotencyKey: string | null;
  /** Of an unread body; Infinity where its head does not tell. */
  readonly unreadBytesMax: number;
  /** Whether a client outside the service reads the answer, possibly slowly or never. */
  readonly isReadOutside: boolean;
  /** Complete once `readBody` has ended. */
  readonly input: UnvalidatedInput;
  /** Called once; null leaves it unread. Returns no promise without a wait. @throws ClientGone */
  readBody(bytesMax: number | null, form: FormFields | null, takesEncoded: boolean): Promise<void> | void;
  readonly file: UploadedFile | null;
  /** Frees the body's memory and file. Called once, when the ended call needs its input no longer. */
  leaveBody(): void;
  readonly isGone: boolean;
  onGone(gone: () => void): () => void;
  setHeaders(headers: Readonly<Record<string, string | number>>): void;
  /** Uses the operation's response schema, so that an undeclared field never leaves. */
  serialize(answer: unknown): string;
  /** @param head for bytes, in place of the status and headers of server-sent events */
  openStream(gone: () => void, head?: AnswerHead | null): AnswerStream;
}

export type Credential = NoCredential | KeyCredential | TokenCredential | RefusedCredential;

export interface NoCredential {
  readonly kind: 'none';
}

/** One object for each secret while its key is unchanged, so that it can serve as a cache key. */
export interface KeyCredential {
  readonly kind: 'key';
  readonly key: KeyPrincipal;
  /** SHA-256 of the secret; null for internal callers. */
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

/** Validated, with declared fields only. */
export interface ValidRequest {
  readonly input: RequestInput;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly bodyLength: number;
}

export interface CallTerms {
  readonly claim: Claim | null;
  /** Ends work of any class, by the reason CallCancelled or CallStopped. */
  readonly cancel: AbortSignal | null;
  readonly isPart: boolean;
  readonly origin: WorkOrigin | null;
  /** Gets the charge and its tokens, also where the call then fails. */
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
  readonly reserveNanoUsd: bigint;
  readonly plan?: object | null;
  readonly planFor?: (tokensMax: number) => object;
}

export interface AnswerNotes {
  isReplaced: boolean;
  headers: Readonly<Record<string, string>> | null;
  passedOn: string | null;
  engine: Engine | null;
  includedNanoUsd: bigint;
  includedTokens: number;
}

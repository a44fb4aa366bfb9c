import type { FormFields } from '../infrastructure/http/forms/form-bodies';
import type { UploadedFile } from '../infrastructure/http/forms/uploaded-file';
import type { BodyFault } from '../infrastructure/http/body-fault';
import type { RequestInput } from './metered-call';

/** Who calls from within the service: the owner of a job, of a socket or of a batch, looked up anew for every call. */
export type Principal =
  { readonly kind: 'key'; readonly keyId: string } | { readonly kind: 'account'; readonly accountId: string };

/** The secrets that a caller from outside shows; null for each that it does not show. */
export interface PresentedSecrets {
  readonly kind: 'secrets';
  /** The X-API-Key header. */
  readonly apiKey: string | null;
  /** The bearer token of the Authorization header: an account token or an access key. */
  readonly bearer: string | null;
}

/** A file that came with a call. */
export interface Upload {
  readonly file: UploadedFile;
  /** Removes it; whoever has it open may go on reading. */
  remove(): void;
}

/** The input of a call before its validation. */
export interface UnvalidatedInput extends RequestInput {
  readonly headers: Readonly<Record<string, unknown>>;
  /** Why the body could not be read; null where it could. */
  readonly bodyFault: BodyFault | null;
  /** The length of a JSON body in UTF-16 units; 0 where it is not known. */
  readonly bodyLength: number;
  /** The file of a form; null where none came. */
  readonly upload: Upload | null;
}

/** The status and the headers of an answer of bytes. */
export interface AnswerHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Where the events of a streamed answer go, one after the other. */
export interface AnswerStream {
  /** Whether the reader has gone. */
  readonly isGone: boolean;
  /** Whether the answer may have a body: one to HEAD may not. */
  readonly takesBody: boolean;
  /** Resolves when there is room for more, and at once when the reader has gone or the signal aborts. */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>;
  /** Writes the last bytes and ends the answer. */
  end(bytes: Uint8Array): void;
  /** Breaks the answer off without an end, as if the service had died. */
  destroy(): void;
}

/** How a call came, and how its answer leaves: the only thing that a step knows of HTTP, of a job or of a socket. */
export interface CallTransport {
  /** The call's id, which no other call has; the caller is told it. */
  readonly requestId: string;
  /** The id that the caller gave the call; null where it gave none. Several calls may have the same. */
  readonly clientRequestId: string | null;
  /** The IP address under which a caller is counted whose secrets stand for nobody; empty for a principal. */
  readonly address: string;
  readonly caller: PresentedSecrets | Principal;
  readonly idempotencyKey: string | null;
  /** Whether the answer goes to somebody outside of the service, who may read it slowly or not at all. */
  readonly isReadOutside: boolean;
  /** Complete once `readBody` was called and has ended. */
  readonly input: UnvalidatedInput;
  /**
   * Reads what of the input has not been read so far. Called once, when the call is known to be admitted.
   * @param bytesMax null where the operation takes no body, which then stays unread
   * @param form how the body is a form; null where it is none
   * @returns no promise where nothing has to be waited for
   * @throws ClientGone where the caller leaves before the end
   */
  readBody(bytesMax: number | null, form: FormFields | null): Promise<void> | void;
  /** Gives back the room that the body takes. Called once, when the call has ended and needs its input no longer. */
  leaveBody(): void;
  /** Whether nobody waits for the answer any more. */
  readonly isGone: boolean;
  /** Calls `gone` once when the caller goes away. Returns a function that ends the watch. */
  onGone(gone: () => void): () => void;
  /** Adds headers to the answer, whatever it will be. */
  setHeaders(headers: Readonly<Record<string, string | number>>): void;
  /** Writes an answer as JSON by the operation's response schema, so that an undeclared field never leaves. */
  serialize(answer: unknown): string;
  /**
   * Begins a streamed answer.
   * @param gone is called once when the reader goes away before the end
   * @param head what an answer of bytes has in place of the status and headers of server-sent events; null for events
   */
  openStream(gone: () => void, head?: AnswerHead | null): AnswerStream;
}

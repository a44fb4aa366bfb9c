import type { KeyPrincipal } from '../core/access/access-keys/key-principal';
import type { AccountPrincipal } from '../core/access/accounts/account-principal';
import type { Engine } from '../core/models/model-provider';
import type { UploadedFile } from '../infrastructure/http/forms/uploaded-file';
import type { Meter } from '../core/money/pricing/meter';

export type { AccountPrincipal, KeyPrincipal, Meter, UploadedFile };

/** The account token that a call was made with. */
export interface PresentedToken {
  jti: string;
  /** The account's token version under which the token was issued; a password change raises the account's. */
  ver: number;
  /** When the token expires, in Unix seconds. */
  exp: number;
}

/** What every operation may know about the call beside its input. */
export interface CallContext {
  requestId: string;
  /** The IP address that the call came from; empty for a call from within the service. */
  callerAddress: string;
  /** Aborted when the work is to stop: its time is over, its caller has gone away, or the service shuts down. */
  signal: AbortSignal;
  /** The headers of the request that the document names for the operation, by their names in lower case. */
  requestHeaders: Readonly<Record<string, string | undefined>>;
  /** The file of the form; null where the operation takes none. It is gone when the call has ended. */
  file: UploadedFile | null;
  /** The same for every retry with one Idempotency-Key; null without that header. */
  idempotencyId: string | null;
  /** What the operation's estimator left for the handler, which reads it with `planOf`; null where it left nothing. */
  plan: object | null;
  /** Puts a header into the answer, should the call succeed. */
  setHeader(name: string, value: string): void;
  /** Makes this JSON text the answer, byte for byte, in place of what the handler returns. */
  passOn(text: string): void;
  /** Says what produced the answer, which the envelope's metadata then name. */
  setEngine(engine: Engine): void;
  /** Adds what a call that this one made was charged to the cost that the envelope's metadata tell. */
  includeCost(nanoUsd: bigint): void;
}

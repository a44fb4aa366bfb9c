import type { AccountPrincipal, KeyPrincipal, PresentedToken } from '../contract/call';
import type { ApiError } from '../core/errors/api-error';
import type { AccountRateLimits } from '../core/access/accounts/account.entity';

/** Who the presented credential stands for, or why it stands for nobody. */
export type Credential = NoCredential | KeyCredential | TokenCredential | RefusedCredential;

/** The operation asks for no credential. */
export interface NoCredential {
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

export interface RefusedCredential {
  readonly kind: 'refused';
  readonly error: ApiError;
}

export const NO_CREDENTIAL: NoCredential = Object.freeze({ kind: 'none' });

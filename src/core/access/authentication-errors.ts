import { ApiError } from '../errors/api-error';

const CHALLENGE = { headers: { 'WWW-Authenticate': 'Bearer' } };

/** 401: the operation needs an access key and the request shows none. */
export class MissingApiKey extends ApiError {
  constructor(message = 'Send an access key as X-API-Key or as a bearer token.') {
    super(401, 'Missing API key', message, CHALLENGE);
  }
}

/** 401: who asks for a socket shows no credential. */
export class MissingSocketCredential extends MissingApiKey {
  constructor() {
    super('Send an access key or an account token as the query parameter token (?token=…), or as over HTTP.');
  }
}

/** 401: the key is unknown, malformed, revoked, deleted or of another environment; the text never says which. */
export class InvalidApiKey extends ApiError {
  constructor(message = 'The access key is not valid.') {
    super(401, 'Invalid API key', message, CHALLENGE);
  }
}

/** 401: an operation for access keys was shown what has the form of an account token, valid or not. */
export class AccessKeyWanted extends InvalidApiKey {
  constructor() {
    super('This operation takes an access key (svc_…) and no account token.');
  }
}

/** 401: the access key's expires_at lies in the past. */
export class ApiKeyExpired extends ApiError {
  constructor() {
    super(401, 'API key expired', 'The access key has expired; create a new one.', CHALLENGE);
  }
}

/** 401: the operation needs an account token and the request shows none. */
export class MissingToken extends ApiError {
  constructor() {
    super(401, 'Missing token', 'Send the account token as a bearer token.', CHALLENGE);
  }
}

/**
 * 401: the token was not signed by this service, was ended by logout, refresh or a new password, or belongs to a
 * disabled account; the text never says which.
 */
export class InvalidToken extends ApiError {
  constructor(message = 'The account token is not valid.') {
    super(401, 'Invalid token', message, CHALLENGE);
  }
}

/** 401: an operation for account tokens was shown what has the form of an access key, valid or not. */
export class AccountTokenWanted extends InvalidToken {
  constructor() {
    super('This operation takes an account token, as POST /api/auth/login gives it, and no access key.');
  }
}

/** 401: the account token has outlived its 24 hours. */
export class TokenExpired extends ApiError {
  constructor() {
    super(401, 'Token expired', 'The account token has expired; log in again.', CHALLENGE);
  }
}

/** 401: no account has this e-mail address and this password; the text never says which of them is wrong. */
export class InvalidCredentials extends ApiError {
  constructor() {
    super(401, 'Invalid credentials', 'E-mail or password is wrong.');
  }
}

/** 403: the account's role does not suffice. */
export class AccessDenied extends ApiError {
  constructor(role: string) {
    super(403, 'Access denied', `This operation needs the role ${role}.`);
  }
}

import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '../errors/api-errors';

/** The access key that a call was made with. */
export interface KeyPrincipal {
  id: string;
  accountId: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** The length of a whole secret, with its prefix and its checksum. */
export const KEY_SECRET_LENGTH = 'svc_live_'.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const FORM = /^svc_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * A new secret: `svc_{environment}_`, 32 random base62 characters and 6 checksum characters. Because of the checksum,
 * the service can refuse a mistyped secret, and a secret scanner can recognise a real one, without asking a database.
 */
export function newKeySecret(environment: 'live' | 'test'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
  const prefix = `svc_${environment}_${random}`;
  return prefix + checksum(prefix);
}

/** Whether a text has the form and the checksum of a secret of this environment. */
export function isKeySecret(text: string, environment: 'live' | 'test'): boolean {
  const match = FORM.exec(text);
  return match !== null && match[1] === environment && checksum(text.slice(0, -CHECKSUM_LENGTH)) === match[3];
}

/** Whether a bearer credential is meant as an access key rather than an account token. */
export function looksLikeKey(text: string): boolean {
  return text.startsWith('svc_');
}

/** Whether a text has the form of an account token: three parts of a JWT, of which the first begins an object of JSON. */
export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(text);
}

/** The SHA-256 of a secret, which is stored in its place. With 190 random bits in a secret, no slow hash is needed. */
export function hashKeySecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** The same hash as hexadecimal text. Making text takes a third of the time that making a Buffer takes. */
export function hashKeySecretHex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The first 13 characters of a secret, with which its preview begins: what a wrong secret may have in common with a key.
 * Null for text that begins like no secret. It is a copy: a mere part would keep the whole text in memory, and a stranger
 * may send a long one.
 */
export function previewBeginning(secret: string): string | null {
  const match = /^svc_(?:live|test)_[0-9A-Za-z]{4}/.exec(secret);
  return match && Buffer.from(match[0], 'latin1').toString('latin1');
}

/** What lists show in place of a secret: its first 13 and last 4 characters, with an ellipsis between them. */
export function previewOf(secret: string): string {
  return `${secret.slice(0, 13)}…${secret.slice(-4)}`;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}

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

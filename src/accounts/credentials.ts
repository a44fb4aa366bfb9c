import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { apiError } from '../errors/api-errors';

export interface KeyPrincipal {
  id: string;
  accountId: string;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
/** With prefix and checksum. */
export const KEY_SECRET_LENGTH = 'svc_live_'.length + RANDOM_LENGTH + CHECKSUM_LENGTH;
const FORM = /^svc_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/**
 * `svc_{environment}_`, 32 random base62 characters and 6 of a checksum, by which a mistyped secret is refused, and a real
 * one recognised by a secret scanner, without asking a database.
 */
export function newKeySecret(environment: 'live' | 'test'): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  ).join('');
  const prefix = `svc_${environment}_${random}`;
  return prefix + checksum(prefix);
}

export function isKeySecret(text: string, environment: 'live' | 'test'): boolean {
  const match = FORM.exec(text);
  return match !== null && match[1] === environment && checksum(text.slice(0, -CHECKSUM_LENGTH)) === match[3];
}

export function looksLikeKey(text: string): boolean {
  return text.startsWith('svc_');
}

/** Whether a text has the three parts of a JWT, of which the first begins an object of JSON. */
export function looksLikeToken(text: string): boolean {
  return /^eyJ[\w-]*\.[\w-]*\.[\w-]*$/.test(text);
}

/** With 190 random bits in a secret, no slow hash is needed. */
export function hashKeySecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** Text takes a third of the time that a Buffer takes. */
export function hashKeySecretHex(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/**
 * The first 13 characters of a secret, with which its preview begins; null for text that begins like no secret. It is a copy:
 * a mere part would keep the whole text in memory, and a stranger may send a long one.
 */
export function previewBeginning(secret: string): string | null {
  const match = /^svc_(?:live|test)_[0-9A-Za-z]{4}/.exec(secret);
  return match && Buffer.from(match[0], 'latin1').toString('latin1');
}

/** What lists show in place of a secret. */
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
export class MissingApiKey extends apiError(
  401,
  'Missing API key',
  (message?: string) => message ?? 'Send an access key as X-API-Key or as a bearer token.',
  CHALLENGE,
) {}

export class MissingSocketCredential extends MissingApiKey {
  constructor() {
    super('Send an access key or an account token as the query parameter token (?token=…), or as over HTTP.');
  }
}

/** 401: the key is unknown, malformed, revoked, deleted or of another environment; the text never says which. */
export class InvalidApiKey extends apiError(
  401,
  'Invalid API key',
  (message?: string) => message ?? 'The access key is not valid.',
  CHALLENGE,
) {}

/** 401: an operation for access keys was shown what has the form of an account token, valid or not. */
export class AccessKeyWanted extends InvalidApiKey {
  constructor() {
    super('This operation takes an access key (svc_…) and no account token.');
  }
}

export class ApiKeyExpired extends apiError(
  401,
  'API key expired',
  () => 'The access key has expired; create a new one.',
  CHALLENGE,
) {}

export class MissingToken extends apiError(
  401,
  'Missing token',
  () => 'Send the account token as a bearer token.',
  CHALLENGE,
) {}

/**
 * 401: the token was not signed by this service, was ended by logout, refresh or a new password, or belongs to a disabled
 * account; the text never says which.
 */
export class InvalidToken extends apiError(
  401,
  'Invalid token',
  (message?: string) => message ?? 'The account token is not valid.',
  CHALLENGE,
) {}

/** 401: an operation for account tokens was shown what has the form of an access key, valid or not. */
export class AccountTokenWanted extends InvalidToken {
  constructor() {
    super('This operation takes an account token, as POST /api/auth/login gives it, and no access key.');
  }
}

export class TokenExpired extends apiError(
  401,
  'Token expired',
  () => 'The account token has expired; log in again.',
  CHALLENGE,
) {}

/** 401: the text never says whether the e-mail address or the password is wrong. */
export class InvalidCredentials extends apiError(
  401,
  'Invalid credentials',
  () => 'E-mail or password is wrong.',
) {}

export class AccessDenied extends apiError(
  403,
  'Access denied',
  (role: string) => `This operation needs the role ${role}.`,
) {}

import { DatabaseError } from 'pg';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';

const UNIQUE_VIOLATION = '23505';
const TOO_MANY_CONNECTIONS = '53300';
const READ_ONLY = '25006';

const NETWORK_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver's errors without a code for a broken or closed connection. */
const BROKEN_CONNECTION =
  /^Connection terminated|^timeout e(?:xpired|xceeded when trying to connect)$|is not queryable$|^Query read timeout$/;

/**
 * The server can do nothing now: connection gone (08), starting or stopping (57P), standby (25006), no
 * memory, connections or disk (53), disk failure (58030).
 */
const AWAY_STATES = /^(?:08|53|57P|25006|58030)/;

/** The server gave up a slow statement (57014) or a wait for a lock (55P03). */
const GIVEN_UP_STATES = /^(?:57014|55P03)$/;

/**
 * Meets all orders of a flush: also a pooler that lost the prepared statement (26), a replaced function (42),
 * a missing feature (0A), or an internal error (XX).
 */
const EVERYBODYS_STATES = /^(?:08|0A|25|26|42|53|57P|58|XX)/;

/** The server undid the transaction: not serialisable (40001), or a deadlock (40P01). */
const UNDONE_STATES = /^40(?:001|P01)$/;

export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot be reached: ${textOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

export class NoPrimary extends DatabaseUnreachable {}

/** TypeORM's errors after a connection broke between two statements of a transaction. */
const AWAY_ERRORS = [
  DatabaseUnreachable,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
];

/** For a name with several addresses Node's error has a code and no text. */
export function textOf(cause: unknown): string {
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  return message || code || String(cause);
}

/** SQLSTATE (PostgreSQL manual, appendix A); undefined for other errors. */
export function sqlStateOf(error: unknown): string | undefined {
  const driverError = driverErrorOf(error);
  return driverError instanceof DatabaseError ? driverError.code : undefined;
}

export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

export function brokenUniqueness(error: unknown): string | null {
  const driverError = driverErrorOf(error);
  return driverError instanceof DatabaseError && driverError.code === UNIQUE_VIOLATION
    ? (driverError.constraint ?? null)
    : null;
}

/** The database was down or late; the statement may have taken effect. */
export function isDatabaseAway(error: unknown): boolean {
  if (AWAY_ERRORS.some((away) => error instanceof away)) {
    return true;
  }
  const state = sqlStateOf(error);
  if (state !== undefined) {
    return AWAY_STATES.test(state) || isGivenUp(error);
  }
  // Outside a statement a system's code may be about another server.
  return error instanceof QueryFailedError
    ? isBrokenConnection(error.driverError)
    : error instanceof Error && BROKEN_CONNECTION.test(error.message);
}

/** The statement took too long, and may do so each time. */
export function isGivenUp(error: unknown): boolean {
  return GIVEN_UP_STATES.test(sqlStateOf(error) ?? '');
}

/** The transaction did nothing, because of a simultaneous one. */
export function isUndoneForAnother(error: unknown): boolean {
  return UNDONE_STATES.test(sqlStateOf(error) ?? '');
}

export function mayConnectLater(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined
    ? error instanceof NoPrimary || isBrokenConnection(error)
    : state === TOO_MANY_CONNECTIONS || /^(?:08|57P)/.test(state);
}

/** Nothing was done, for one order's fault. Severities come in the server's language, so SQLSTATE decides. */
export function isFaultOfOne(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !EVERYBODYS_STATES.test(state);
}

function driverErrorOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** A name with several addresses has one error for each, and the first one's code. */
function isBrokenConnection(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string'
    ? NETWORK_CODES.has(code)
    : error instanceof Error && BROKEN_CONNECTION.test(String(message));
}

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

/** What the driver says, in errors without any code, of a connection that broke or was closed. */
const BROKEN_CONNECTION =
  /^Connection terminated|^timeout e(?:xpired|xceeded when trying to connect)$|is not queryable$|^Query read timeout$/;

/**
 * The states of a server that can do nothing for anybody now: the connection is gone (08), it is starting or stopping
 * (57P), is a standby (25006), lacks memory, connections or room on its disk (53), or its disk fails (58030).
 */
const AWAY_STATES = /^(?:08|53|57P|25006|58030)/;

/** The server has given up a statement that took too long (57014) or waited too long for a lock (55P03). */
const GIVEN_UP_STATES = /^(?:57014|55P03)$/;

/**
 * What meets every order of a flush alike: beside those above, a pooler lost the prepared statement (26), the function
 * was replaced (42), the server lacks a feature (0A) or contradicts itself (XX).
 */
const EVERYBODYS_STATES = /^(?:08|0A|25|26|42|53|57P|58|XX)/;

/** The server has undone a whole transaction for another's sake: it could not be serialized (40001), or both waited (40P01). */
const UNDONE_STATES = /^40(?:001|P01)$/;

/** No connection to the database could be had in time, so nothing was run. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super(`the database cannot be reached: ${textOf(cause)}`, { cause });
    this.name = new.target.name;
  }
}

/** Of several servers none takes writes: they are away, or standbys of which none is promoted yet. */
export class NoPrimary extends DatabaseUnreachable {}

/** TypeORM's own: a connection broke between two statements of a transaction, and what was to run next fails with these. */
const AWAY_ERRORS = [
  DatabaseUnreachable,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
];

/** Where a name has several addresses, Node's error for all of them has a code and no text. */
export function textOf(cause: unknown): string {
  const { message, code } = cause instanceof Error ? (cause as NodeJS.ErrnoException) : {};
  return message || code || String(cause);
}

/** The SQLSTATE of a failed statement (PostgreSQL manual, appendix A); undefined where the error is not Postgres's. */
export function sqlStateOf(error: unknown): string | undefined {
  const driverError = driverErrorOf(error);
  return driverError instanceof DatabaseError ? driverError.code : undefined;
}

/** Whether the server of a connection has become a standby, or takes no writes for another reason: all of it is useless then. */
export function isReadOnlyServer(error: unknown): boolean {
  return sqlStateOf(error) === READ_ONLY;
}

/** The name of the unique constraint or index that a statement violated; null for every other error. */
export function brokenUniqueness(error: unknown): string | null {
  const driverError = driverErrorOf(error);
  return driverError instanceof DatabaseError && driverError.code === UNIQUE_VIOLATION
    ? (driverError.constraint ?? null)
    : null;
}

/** Whether the database was away or late, through no fault of the statement, which may have taken effect. */
export function isDatabaseAway(error: unknown): boolean {
  if (AWAY_ERRORS.some((away) => error instanceof away)) {
    return true;
  }
  const state = sqlStateOf(error);
  if (state !== undefined) {
    return AWAY_STATES.test(state) || GIVEN_UP_STATES.test(state);
  }
  // Outside of a statement the codes of the system may tell of any other server.
  return error instanceof QueryFailedError
    ? isBrokenConnection(error.driverError)
    : error instanceof Error && BROKEN_CONNECTION.test(error.message);
}

/** Whether the transaction of the statement did nothing, only because of another one at the same time. */
export function isUndoneForAnother(error: unknown): boolean {
  return UNDONE_STATES.test(sqlStateOf(error) ?? '');
}

/** Whether a vain attempt to connect may succeed a moment later. */
export function mayConnectLater(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === undefined
    ? error instanceof NoPrimary || isBrokenConnection(error)
    : state === TOO_MANY_CONNECTIONS || /^(?:08|57P)/.test(state);
}

/** Whether the statement did nothing for the fault of one of its orders. Severities come in the language of the server. */
export function isFaultOfOne(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && !EVERYBODYS_STATES.test(state);
}

/** TypeORM wraps the errors of statements, and no others. */
function driverErrorOf(error: unknown): unknown {
  return error instanceof QueryFailedError ? error.driverError : error;
}

/** Where a name has several addresses, the error of connecting holds one error for each, and the code of the first. */
function isBrokenConnection(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string'
    ? NETWORK_CODES.has(code)
    : error instanceof Error && BROKEN_CONNECTION.test(String(message));
}

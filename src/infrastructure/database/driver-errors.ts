import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';

/**
 * The five characters by which Postgres names the error of a statement (PostgreSQL manual, appendix A).
 * @returns undefined where Postgres did not answer, such as when the connection broke or was never made
 */
export function sqlStateOf(error: unknown): string | undefined {
  const { severity, code } = driverErrorOf(error);
  return severity === undefined ? undefined : code;
}

/** The name of the unique constraint or index that a statement broke; null for every other error. */
export function brokenUniqueness(error: unknown): string | null {
  return sqlStateOf(error) === UNIQUE_VIOLATION ? (driverErrorOf(error).constraint ?? null) : null;
}

interface DriverError {
  severity?: string;
  code?: string;
  constraint?: string;
}

function driverErrorOf(error: unknown): DriverError {
  return error instanceof QueryFailedError ? (error.driverError as DriverError) : {};
}

import { QueryFailedError } from 'typeorm';

const UNIQUE_VIOLATION = '23505';

/**
 * The SQLSTATE of a failed statement, the five characters by which Postgres names an error (PostgreSQL manual,
 * appendix A).
 * @returns undefined when the error did not come from Postgres, for example because the connection broke
 */
export function sqlStateOf(error: unknown): string | undefined {
  const { severity, code } = driverErrorOf(error);
  return severity === undefined ? undefined : code;
}

/** The name of the unique constraint or index that a statement violated; null for every other error. */
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

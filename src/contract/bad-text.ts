import type { ValidationDetail } from '../core/errors/request-errors';

/** Code that walks values recursively, as this file and the schemas do, would run out of stack on deeper ones. */
const DEPTH_MAX = 64;
const ILL_FORMED_NAME = 'has an ill-formed name';
const FIELD_LENGTH_MAX = 1_000;

/**
 * The first text in a JSON value that Postgres could not store: with a NUL character, or with half a surrogate pair.
 * Such a text would otherwise fail as an unexpected database error in the middle of a paid call.
 */
export function findBadText(value: unknown): ValidationDetail | null {
  // Nearly every value is sound, so the cheap check comes first and paths are only built for faults.
  const fault = isSound(value, 0) ? null : describe(value, 0);
  return (
    fault && {
      field: fault.path.reverse().join('.').slice(0, FIELD_LENGTH_MAX) || 'body',
      message: fault.message,
    }
  );
}

function isSound(value: unknown, depth: number): boolean {
  if (typeof value === 'string') {
    return isStorable(value);
  }
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  if (depth >= DEPTH_MAX) {
    return false;
  }
  if (Array.isArray(value)) {
    return value.every((member) => isSound(member, depth + 1));
  }
  for (const name in value) {
    if (!isStorable(name) || !isSound((value as Record<string, unknown>)[name], depth + 1)) {
      return false;
    }
  }
  return true;
}

interface Fault {
  /** The names that lead to the fault, the innermost first; empty where it is the whole value or can't be written. */
  path: string[];
  message: string;
}

/** Finds the first fault; the path is built on the way back up, so a sound value costs none. */
function describe(value: unknown, depth: number): Fault | null {
  if (typeof value === 'string') {
    return isStorable(value) ? null : { path: [], message: 'must be well-formed text without NUL' };
  }
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  if (depth >= DEPTH_MAX) {
    return { path: [], message: `must not be nested deeper than ${DEPTH_MAX} levels` };
  }
  for (const name in value) {
    if (!isStorable(name)) {
      return { path: [], message: ILL_FORMED_NAME };
    }
    const fault = describe((value as Record<string, unknown>)[name], depth + 1);
    if (fault) {
      // An ill-formed name can't be written into an answer, so a fault in a name is reported without its path.
      if (fault.message !== ILL_FORMED_NAME) {
        fault.path.push(name);
      }
      return fault;
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

import type { ValidationDetail } from '../core/errors/request-errors';

/** Deeper values would exhaust the stack of whoever walks them next. */
const DEPTH_MAX = 64;
const ILL_FORMED_NAME = 'has an ill-formed name';
const FIELD_LENGTH_MAX = 1_000;

/**
 * The first text in a JSON value that Postgres could not store: with a NUL character, or with half a surrogate pair.
 * Without this look they would surface as an unexpected error in the middle of a paid call.
 */
export function findBadText(value: unknown): ValidationDetail | null {
  // Nearly every value is sound, and paths are costly to put together for nothing.
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
  /** From the faulty value outwards, as far as it can be shown. */
  path: string[];
  message: string;
}

/** Puts a path together only once there is a fault to lead to. */
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
      // A name that can't be written leaves its whole path out.
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

import type { ValidationDetail } from '../core/errors/request-errors';

/** Deeper values would exhaust the stack of whoever walks them next. */
const DEPTH_MAX = 64;

/**
 * The first text in a JSON value that Postgres could not store: with a NUL character, or with half a surrogate pair.
 * Without this look they would surface as an unexpected error in the middle of a paid call.
 */
export function findBadText(value: unknown): ValidationDetail | null {
  // Nearly every value is sound, and paths are costly to put together for nothing.
  return isSound(value, 0) ? null : describe(value, '', 0);
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

function describe(value: unknown, field: string, depth: number): ValidationDetail | null {
  if (typeof value === 'string') {
    return isStorable(value)
      ? null
      : { field: field || 'body', message: 'must be well-formed text without NUL' };
  }
  if (typeof value !== 'object' || value === null) {
    return null;
  }
  if (depth >= DEPTH_MAX) {
    return { field: field.slice(0, 100), message: `must not be nested deeper than ${DEPTH_MAX} levels` };
  }
  for (const [name, member] of Object.entries(value)) {
    const path = field ? `${field}.${name}` : name;
    const fault = isStorable(name)
      ? describe(member, path, depth + 1)
      : { field: 'body', message: 'has an ill-formed name' };
    if (fault) {
      return fault;
    }
  }
  return null;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

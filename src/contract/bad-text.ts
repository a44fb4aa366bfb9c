import type { ValidationDetail } from '../core/errors/request-errors';
import { pathInWords } from './describe-faults';

/** Code that walks values recursively, as this file and the schemas do, would run out of stack on deeper ones. */
const DEPTH_MAX = 64;
const ILL_FORMED_NAME = 'has an ill-formed name';
/** More than one answer names. */
const FAULTS_MAX = 50;

interface Fault {
  /** The names that lead to the fault. */
  path: string[];
  message: string;
}

/**
 * The texts in a JSON value that Postgres could not store: with a NUL character, or with half a surrogate pair. Such a
 * text would otherwise fail as an unexpected database error in the middle of a paid call.
 */
export function findBadTexts(value: unknown): ValidationDetail[] {
  // Nearly every value is sound, so the cheap check comes first and paths are only built for faults.
  return isSound(value, 0)
    ? []
    : describe(value, 0).map(({ path, message }) => ({ field: pathInWords(path, value), message }));
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

/** Collects the faults; a path is built on the way back up, so a sound value costs none. */
function describe(value: unknown, depth: number): Fault[] {
  if (typeof value === 'string') {
    return isStorable(value) ? [] : [{ path: [], message: 'must be well-formed text without NUL' }];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (depth >= DEPTH_MAX) {
    return [{ path: [], message: `must not be nested deeper than ${DEPTH_MAX} levels` }];
  }
  const faults: Fault[] = [];
  for (const name in value) {
    if (faults.length >= FAULTS_MAX) {
      break;
    }
    // An ill-formed name can't be written into an answer, so the field is the object that has it.
    const found = isStorable(name)
      ? describe((value as Record<string, unknown>)[name], depth + 1)
      : [{ path: [], message: ILL_FORMED_NAME }];
    const step = isStorable(name) ? [name] : [];
    faults.push(...found.map(({ path, message }) => ({ path: [...step, ...path], message })));
  }
  return faults;
}

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

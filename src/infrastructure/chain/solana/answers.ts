import { ChainUnavailable } from '../chain-errors';

/**
 * These read parts of a node's answer. Each throws ChainUnavailable for what is of another type.
 * @param what the part, as the message names it; never the value, which anybody may have written
 */
export function recordOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw nonsense(what);
  }
  return value as Record<string, unknown>;
}

/** @param countMax a longer list costs nothing: none of its entries is read */
export function listOf(value: unknown, what: string, countMax = Infinity): unknown[] {
  if (!Array.isArray(value) || value.length > countMax) {
    throw nonsense(what);
  }
  return value;
}

export function textOf(value: unknown, what: string): string {
  if (typeof value !== 'string') {
    throw nonsense(what);
  }
  return value;
}

/** A whole number from zero on; a large one may have lost its last digits when its JSON was read. */
export function naturalOf(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) {
    throw nonsense(what);
  }
  return value;
}

/** A time in seconds since 1970; null where the node knows none. */
export function timeOf(value: unknown, what: string): Date | null {
  if (value === null || value === undefined) {
    return null;
  }
  const time = new Date(naturalOf(value, what) * 1_000);
  if (Number.isNaN(time.getTime())) {
    throw nonsense(what);
  }
  return time;
}

function nonsense(what: string): ChainUnavailable {
  return new ChainUnavailable(`the node's answer makes no sense: ${what}`);
}

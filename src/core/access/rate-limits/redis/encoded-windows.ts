import type { RateSubject } from '../rate-limiter';
import type { RateWindow, RateWindowName } from '../rate-windows';

/** The numbers that stand for the windows in Redis. They are stored there, so none may ever get another meaning. */
const NAMES: Readonly<Record<RateWindowName, number>> = { second: 1, minute: 2, hour: 3, day: 4 };

/**
 * The text for each array of windows. Callers with equal rates share an array, so each is checked and encoded once.
 */
const known = new WeakMap<readonly RateWindow[], string>();

/**
 * The windows of one subject as JSON for take-calls.lua.
 *
 * @throws RangeError when a window allows less than one call, or its numbers are not integers
 * @throws Error when a window is given twice
 */
export function encodedWindows({ id, windows }: RateSubject): string {
  let encoded = known.get(windows);
  if (encoded === undefined) {
    encoded = JSON.stringify(windows.map(encode));
    const twice = windows.find(
      ({ name }, index) => windows.findIndex((other) => other.name === name) < index,
    );
    if (twice) {
      throw new Error(`The ${twice.name} window of ${id} is given twice for one call`);
    }
    known.set(windows, encoded);
  }
  return encoded;
}

function encode({ name, lengthMs, limit }: RateWindow): number[] {
  if (!isCount(lengthMs) || !isCount(limit)) {
    throw new RangeError(`A rate window of ${limit} calls per ${lengthMs} ms is impossible`);
  }
  return [NAMES[name], lengthMs, limit];
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

import { randomBytes } from 'node:crypto';

/** The counter has 12 bits after the version and 14 after the variant. */
const SEQUENCE_MAX = 2 ** 26 - 1;
const SEQUENCE_START_MAX = 2 ** 25;
const LOW_BITS = 14;
const LOW_MASK = 2 ** LOW_BITS - 1;
const RANDOM_DIGITS = 12;
const IDS_PER_DRAW = 256;

let latestMs = 0;
let sequence = 0;
/** All that comes before the low bits of the counter. */
let beginning = '';
let random = '';
let randomUsed = 0;

/**
 * A UUIDv7: ids grow with time, which keeps B-tree inserts at the right edge. Those of one process grow strictly, also
 * within a millisecond and when the clock is set back, so that what was made later sorts later.
 *
 * Source: RFC 9562, sections 5.7 and 6.2, method 1: 48 bits of Unix milliseconds, 26 of a counter that starts anew at
 * random in each millisecond, 48 at random, drawn for many ids at once.
 */
export function newId(): string {
  const nowMs = Date.now();
  if (nowMs > latestMs || sequence === SEQUENCE_MAX) {
    latestMs = Math.max(nowMs, latestMs + 1);
    sequence = parseInt(randomDigits(), 16) % SEQUENCE_START_MAX;
    beginning = beginningOf(latestMs, sequence);
  } else {
    sequence += 1;
    if ((sequence & LOW_MASK) === 0) {
      beginning = beginningOf(latestMs, sequence);
    }
  }
  return `${beginning}${(0x8000 | (sequence & LOW_MASK)).toString(16)}-${randomDigits()}`;
}

function beginningOf(ms: number, count: number): string {
  const digits = ms.toString(16).padStart(12, '0');
  const version = (0x7000 | (count >>> LOW_BITS)).toString(16);
  return `${digits.slice(0, 8)}-${digits.slice(8)}-${version}-`;
}

function randomDigits(): string {
  if (randomUsed === random.length) {
    random = randomBytes((IDS_PER_DRAW * RANDOM_DIGITS) / 2).toString('hex');
    randomUsed = 0;
  }
  randomUsed += RANDOM_DIGITS;
  return random.slice(randomUsed - RANDOM_DIGITS, randomUsed);
}

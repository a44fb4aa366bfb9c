import { randomUUID } from 'node:crypto';

/** 12 bits that follow the version, and 14 that follow the variant. */
const SEQUENCE_MAX = 2 ** 26 - 1;
const SEQUENCE_START_MAX = 2 ** 25;
const LOW_BITS = 14;

let latestMs = 0;
let stamp = '';
let sequence = 0;

/**
 * A UUIDv7: ids grow with time, which keeps B-tree inserts at the right edge. Those of one process grow strictly, also
 * within a millisecond and when the clock is set back, so that what was made later sorts later.
 *
 * Source: RFC 9562, sections 5.7 and 6.2, method 1: 48 bits of Unix milliseconds, 26 of a counter that starts anew at
 * random in each millisecond, 48 at random. These come from randomUUID, which draws for 128 ids at once.
 */
export function newId(): string {
  const random = randomUUID();
  const nowMs = Date.now();
  if (nowMs > latestMs) {
    begin(nowMs, random);
  } else if (sequence < SEQUENCE_MAX) {
    sequence += 1;
  } else {
    begin(latestMs + 1, random);
  }
  const high = (0x7000 | (sequence >>> LOW_BITS)).toString(16);
  const low = (0x8000 | (sequence & (2 ** LOW_BITS - 1))).toString(16);
  return `${stamp}-${high}-${low}-${random.slice(24)}`;
}

/** The first of the id's random digits, of which the id itself shows the last. */
function begin(ms: number, random: string): void {
  latestMs = ms;
  const digits = ms.toString(16).padStart(12, '0');
  stamp = `${digits.slice(0, 8)}-${digits.slice(8)}`;
  sequence = parseInt(random.slice(0, 8), 16) % SEQUENCE_START_MAX;
}

import { randomFillSync, randomInt } from 'node:crypto';
import { v5, v7 } from 'uuid';
import { presentMs } from './clock';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const SEQUENCE_MAX = 2 ** 31;
/** A clock that is set back by less is waited out, so that ids stay in order. */
const SET_BACK_MS_MAX = 10_000;

/** An id takes 16 bytes. So many are drawn at once that drawing them costs next to nothing. */
const drawn = new Uint8Array(16 * 1024);
let drawnUsed = drawn.length;

let latestMs = -Infinity;
let sequence = 0;

/** A UUIDv7: new rows go to the right edge of an index (RFC 9562, section 5.7), in the order in which a process made them. */
export function newId(): string {
  const nowMs = presentMs();
  if (nowMs > latestMs || nowMs < latestMs - SET_BACK_MS_MAX) {
    latestMs = nowMs;
    sequence = randomInt(SEQUENCE_MAX);
  } else {
    sequence += 1;
  }
  return v7({ msecs: latestMs, seq: sequence, random: random16() });
}

function random16(): Uint8Array {
  if (drawnUsed === drawn.length) {
    randomFillSync(drawn);
    drawnUsed = 0;
  }
  return drawn.subarray(drawnUsed, (drawnUsed += 16));
}

/** No id that was made at this time or later is smaller. */
export function smallestIdAt(time: Date): string {
  const digits = Math.max(time.getTime(), 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** A UUIDv5: a second try with the same text finds what the first one stored (RFC 9562, section 5.5). */
export function idOf(text: string): string {
  return v5(text, v5.URL);
}

/** The id of what a call creates: the same for every try under one Idempotency-Key, and new where there is none. */
export function createdId(idempotencyId: string | null): string {
  return idempotencyId === null ? newId() : idOf(idempotencyId);
}

/** For any other text Postgres would report an error instead of finding no row. */
export function isId(text: string): boolean {
  return ID.test(text);
}

const CHOSEN_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The same for an id that callers may choose themselves. A path may name any text, also such that Postgres takes for none. */
export function isChosenId(text: string): boolean {
  return CHOSEN_ID.test(text);
}

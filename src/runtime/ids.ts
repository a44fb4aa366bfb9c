import { randomFillSync, randomInt } from 'node:crypto';
import { v5, v7 } from 'uuid';
import { presentMs } from './clock';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const SEQUENCE_MAX = 2 ** 31;
/** A clock set back by less is waited out, so that ids stay in order. */
const SET_BACK_MS_MAX = 10_000;

const drawn = new Uint8Array(16 * 1024);
let drawnUsed = drawn.length;

let latestMs = -Infinity;
let sequence = 0;

/** A UUIDv7, so that rows go to the right edge of an index (RFC 9562, section 5.7). */
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

export function smallestIdAt(time: Date): string {
  const digits = Math.max(time.getTime(), 0).toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}

/** A UUIDv5: a retry with the same text finds the first one's row (RFC 9562, section 5.5). */
export function idOf(text: string): string {
  return v5(text, v5.URL);
}

/** Equal for every retry under one Idempotency-Key; random without one. */
export function createdId(idempotencyId: string | null): string {
  return idempotencyId === null ? newId() : idOf(idempotencyId);
}

/** Postgres would report an error for other texts instead of finding no row. */
export function isId(text: string): boolean {
  return ID.test(text);
}

const CHOSEN_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The same for ids that callers choose. */
export function isChosenId(text: string): boolean {
  return CHOSEN_ID.test(text);
}

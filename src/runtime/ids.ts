import { v5, v7 } from 'uuid';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A UUIDv7: new rows go to the right edge of an index (RFC 9562, section 5.7). */
export function newId(): string {
  return v7();
}

/** A UUIDv5: a second try with the same text finds what the first one stored (RFC 9562, section 5.5). */
export function idOf(text: string): string {
  return v5(text, v5.URL);
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

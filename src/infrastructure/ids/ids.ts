import { v7 } from 'uuid';

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A new UUIDv7. These ids grow with time, so that new rows go to the right edge of an index (RFC 9562, section 5.7).
 */
export function newId(): string {
  return v7();
}

/**
 * Whether a text has the form of an id. For any other text Postgres would report an error instead of finding no row.
 */
export function isId(text: string): boolean {
  return ID.test(text);
}

import { v7 } from 'uuid';

/**
 * A new UUIDv7. These ids grow with time, so that new rows go to the right edge of an index (RFC 9562, section 5.7).
 */
export function newId(): string {
  return v7();
}

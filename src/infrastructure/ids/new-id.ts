import { v7 } from 'uuid';

/** A UUIDv7: ids grow with time, which keeps B-tree inserts at the right edge (RFC 9562, section 5.7). */
export function newId(): string {
  return v7();
}

import { ValidationFailed } from '../../errors/request-errors';

const BYTES_MAX = 16 * 1024;
/**
 * Postgres compares each value of a filter with each that is stored, and can't be interrupted while it does: with
 * 100,000 on both sides one memory took minutes.
 */
const VALUES_MAX = 256;

/** @throws ValidationFailed for metadata that is too much to store or to filter by; `field` is where it stands */
export function limitMetadata(metadata: Record<string, unknown>, field: string): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > BYTES_MAX || countValues(metadata) > VALUES_MAX) {
    const message = `must not hold more than ${VALUES_MAX} values or ${BYTES_MAX} bytes`;
    throw new ValidationFailed([{ field, message }]);
  }
}

/** Those in its depths too, and the objects and lists themselves. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}

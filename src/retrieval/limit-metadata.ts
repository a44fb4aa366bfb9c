import { ValidationFailed } from '../errors/api-errors';

const BYTES_MAX = 16 * 1024;
/**
 * Postgres compares each value of a filter with each value of the stored metadata, and can't be interrupted meanwhile.
 * With 100,000 values on both sides, comparing the metadata of a single memory took minutes.
 */
const VALUES_MAX = 256;

/**
 * Refuses metadata that is too large to store or to filter by: more than 16 KiB of JSON, or more than 256 values.
 * @param field the path of the metadata in the request, for the error
 * @throws ValidationFailed when it is too large
 */
export function limitMetadata(metadata: Record<string, unknown>, field: string): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > BYTES_MAX || countValues(metadata) > VALUES_MAX) {
    const message = `must not hold more than ${VALUES_MAX} values or ${BYTES_MAX} bytes`;
    throw new ValidationFailed([{ field, message }]);
  }
}

/** How many values there are at all depths. Objects and lists count as values too. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}

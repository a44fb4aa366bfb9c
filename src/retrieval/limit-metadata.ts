import { ValidationFailed } from '../errors/api-errors';

const BYTES_MAX = 16 * 1024;
/** Postgres compares each value of a filter with each stored one: 100,000 on both sides took minutes. */
const VALUES_MAX = 256;

/**
 * @param field the path of the metadata in the request, for the error
 * @throws ValidationFailed for more than 16 KiB of JSON, or more than 256 values at all depths
 */
export function limitMetadata(metadata: Record<string, unknown>, field: string): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > BYTES_MAX || countValues(metadata) > VALUES_MAX) {
    const message = `must not hold more than ${VALUES_MAX} values or ${BYTES_MAX} bytes`;
    throw new ValidationFailed([{ field, message }]);
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 1;
  }
  return Object.values(value).reduce((sum: number, member) => sum + countValues(member), 1);
}

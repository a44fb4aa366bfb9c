/**
 * SQL for a UUIDv7 (RFC 9562, section 5.7) of a moment in the past: 48 bits of Unix milliseconds, then a random
 * UUIDv4's bits with the version's nibble changed from 0100 to 0111.
 *
 * @param moment an SQL expression of type timestamptz
 */
export function timedId(moment: string): string {
  const milliseconds = `substring(int8send((extract(epoch FROM ${moment}) * 1000)::bigint) FROM 3)`;
  const timed = `overlay(uuid_send(gen_random_uuid()) PLACING ${milliseconds} FROM 1 FOR 6)`;
  return `encode(set_bit(set_bit(${timed}, 52, 1), 53, 1), 'hex')::uuid`;
}

import { NAMES_MAX } from './json-names';

/** Why a request's body was not read. */
export interface BodyFault {
  readonly status: 400 | 413 | 415;
  /** Begins with a verb: the body is what it speaks of. */
  readonly message: string;
}

const ENCODING_LENGTH_MAX = 40;

/** The faults that a body can have before it is parsed, with their texts. What is no JSON is told by jsonFault(). */
export const BODY_FAULTS = {
  notJsonType: { status: 400, message: 'must be application/json' },
  tooManyNames: { status: 400, message: `must not have more than ${NAMES_MAX} names` },
  tooLarge: { status: 413, message: 'is too large' },
} as const satisfies Record<string, BodyFault>;

/** The body is compressed, and nobody can tell before unpacking it how large it is. */
export function compressedBody(encoding: string): BodyFault {
  const name = encoding.slice(0, ENCODING_LENGTH_MAX);
  return { status: 415, message: `must not be compressed: send it without Content-Encoding ${name}` };
}

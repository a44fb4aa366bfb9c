/** Why a request's body was not read. */
export interface BodyFault {
  readonly status: 400 | 408 | 413 | 415 | 503;
  /** Begins with a verb: the body is what it speaks of. */
  readonly message: string;
}

const ENCODING_LENGTH_MAX = 40;

/** The faults that a body can have before it is parsed, with their texts. What is no JSON is told by jsonFault(). */
export const BODY_FAULTS = {
  notJsonType: { status: 400, message: 'must be application/json' },
  notFormType: { status: 400, message: 'must be multipart/form-data' },
  malformedForm: { status: 400, message: 'must be a form with a boundary that all of its parts end with' },
  tooManyParts: { status: 400, message: 'must not have more than one file and 16 fields' },
  repeatedField: { status: 400, message: 'must not have a field twice' },
  fieldTooLong: { status: 413, message: 'must not have a field of more than 64 KiB' },
  noFileName: { status: 400, message: 'must name the file that it brings (filename)' },
  stalled: { status: 408, message: 'did not arrive in time' },
  tooManyBodies: { status: 503, message: 'cannot be taken while so many others are held; send it again' },
  tooManyUploads: { status: 503, message: 'cannot be taken while so many files arrive; send it again' },
} as const satisfies Record<string, BodyFault>;

/**
 * The body is larger than the operation takes.
 * @param bytesMax null where that is not known
 * @param fileBytesMax how large its file may be, where it may bring one
 */
export function bodyTooLarge(bytesMax: number | null, fileBytesMax: number | null = null): BodyFault {
  if (bytesMax === null) {
    return { status: 413, message: 'is too large' };
  }
  const whose =
    fileBytesMax === null
      ? `this operation takes at most ${sizeOf(bytesMax)}`
      : `a file has at most ${sizeOf(fileBytesMax)}`;
  return { status: 413, message: `is too large: ${whose}` };
}

/** The body brings a file in a field that takes none. @param taking the field that takes one; null where none does */
export function fileInOtherField(taking: string | null): BodyFault {
  const message =
    taking === null
      ? 'must not bring a file: no field takes one'
      : `must bring its file in the field ${taking}, and none in another`;
  return { status: 400, message };
}

function sizeOf(bytes: number): string {
  if (bytes < 1024 * 1024) {
    return `${Math.round((bytes / 1024) * 100) / 100} KiB`;
  }
  return `${Math.round((bytes / 1024 / 1024) * 100) / 100} MiB`;
}

/** The body is compressed, and nobody can tell before unpacking it how large it is. */
export function compressedBody(encoding: string): BodyFault {
  const name = encoding.slice(0, ENCODING_LENGTH_MAX);
  return { status: 415, message: `must not be compressed: send it without Content-Encoding ${name}` };
}

import { type ApiError, ServiceUnavailable, Unprocessable } from '../errors/api-errors';

/** A file that is not read or written, for a reason that its owner may know: the message is a public sentence. */
export abstract class FileRefusal extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The file is of a kind that is not read, or holds what cannot be written. */
export class UnsupportedFile extends FileRefusal {}

/** The name of the file, or a second format within its bytes, says something else than its first bytes. */
export class FileContradictsName extends UnsupportedFile {}

/** The file is broken. */
export class UnreadableFile extends FileRefusal {}

/** The file can only be read with a password. */
export class EncryptedFile extends FileRefusal {}

/** Reading the file takes too much time or memory, or it has too many pages, pixels or parts. */
export class FileTooComplex extends FileRefusal {}

/** What is asked of an image cannot be done with it, such as a crop that reaches beyond its edges. */
export class ImpossibleImageChange extends FileRefusal {}

/** Too many files wait to be read. */
export class FilesBusy extends FileRefusal {
  constructor() {
    super('Too many files are waiting to be read; call again.');
  }
}

/** The refusals that a child process may report, by their names. */
export const REFUSALS = {
  UnsupportedFile,
  FileContradictsName,
  UnreadableFile,
  EncryptedFile,
  FileTooComplex,
  ImpossibleImageChange,
};

export type RefusalName = keyof typeof REFUSALS;

const RETRY_AFTER_SECONDS = 5;

/** What a caller is told whose file was refused: 422, or 503 where too many files wait; null for any other error. */
export function refusalOf(error: unknown): ApiError | null {
  if (error instanceof FilesBusy) {
    return new ServiceUnavailable(error.message, RETRY_AFTER_SECONDS, error);
  }
  return error instanceof FileRefusal ? new Unprocessable(error.message) : null;
}

/** What some work with files gives; what it refuses is thrown as `refusalOf` says, and anything else as it came. */
export async function withRefusals<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error) ?? error;
  }
}

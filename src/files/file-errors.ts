import { type ApiError, ServiceUnavailable, Unprocessable } from '../errors/api-errors';

/** The message is public. */
export abstract class FileRefusal extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
  }
}

export class UnsupportedFile extends FileRefusal {}

/** The name, or a second format within the bytes, contradicts the first bytes. */
export class FileContradictsName extends UnsupportedFile {}

export class UnreadableFile extends FileRefusal {}

export class EncryptedFile extends FileRefusal {}

export class FileTooComplex extends FileRefusal {}

export class ImpossibleImageChange extends FileRefusal {}

export class FilesBusy extends FileRefusal {
  constructor() {
    super('Too many files are waiting to be read; call again.');
  }
}

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

/**
 * The public error: 422, or 503 where too many files wait; null for any other error.
 * @param name of the file among several, which a 422 names
 */
export function refusalOf(error: unknown, name?: string): ApiError | null {
  if (error instanceof FilesBusy) {
    return new ServiceUnavailable(error.message, RETRY_AFTER_SECONDS, error);
  }
  const named = name === undefined ? '' : `${name}: `;
  return error instanceof FileRefusal ? new Unprocessable(named + error.message) : null;
}

export async function withRefusals<T>(work: () => T | Promise<T>, name?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw refusalOf(error, name) ?? error;
  }
}

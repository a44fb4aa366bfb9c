import { FileRefusal, FilesBusy } from '../../infrastructure/files/file-errors';
import type { ApiError } from './api-error';
import { Unprocessable } from './request-errors';
import { ServiceUnavailable } from './service-errors';

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

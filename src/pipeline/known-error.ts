import { STATUS_CODES } from 'node:http';
import { HttpException } from '@nestjs/common';
import { isDatabaseAway, isUndoneForAnother } from '../database/driver-errors';
import {
  ApiError,
  ChangesCollided,
  DatabaseAway,
  type ValidationDetail,
  ValidationFailed,
} from '../errors/api-errors';
import { storageRefusalOf } from '../ledger/storage-limit';
import { isObject } from '../runtime/json';

/** Null for unexpected errors. A database that is down or aborted the statement is 503. */
export function knownError(thrown: unknown): ApiError | null {
  if (thrown instanceof ApiError) {
    return thrown;
  }
  if (thrown instanceof HttpException) {
    return errorOfNest(thrown);
  }
  if (isDatabaseAway(thrown)) {
    return new DatabaseAway(thrown);
  }
  return isUndoneForAnother(thrown) ? new ChangesCollided(thrown) : storageRefusalOf(thrown);
}

export function unexpectedError(): ApiError {
  return new ApiError(500, 'Internal Server Error', 'Something went wrong on our side.');
}

function errorOfNest(thrown: HttpException): ApiError | null {
  const status = thrown.getStatus();
  if (!Number.isInteger(status) || status < 400 || status > 599) {
    return null;
  }
  const response: unknown = thrown.getResponse();
  if (!isObject(response) || response instanceof Error) {
    // Texts and fields of a wrapped error are not for the caller.
    const message = typeof response === 'string' ? response : (STATUS_CODES[status] ?? 'Error');
    return new ApiError(status, errorName(status), message, { cause: thrown });
  }
  const { message, error, ...others } = response;
  const fields = Object.fromEntries(Object.entries(others).filter(([name]) => name !== 'statusCode'));
  if (Array.isArray(message) && status === 400) {
    return new ValidationFailed(message.map((text) => detailOf(String(text))));
  }
  const name = typeof error === 'string' && error !== STATUS_CODES[status] ? error : errorName(status);
  return new ApiError(status, name, textOf(message, thrown.message), { fields, cause: thrown });
}

/** class-validator's texts begin with their property. */
function detailOf(text: string): ValidationDetail {
  const [field = 'body', ...words] = text.split(' ');
  return words.length === 0 ? { field: 'body', message: text } : { field, message: words.join(' ') };
}

const NAMES: Readonly<Record<number, string>> = {
  400: 'Validation error',
  403: 'Access denied',
  404: 'Not Found',
  422: 'Unprocessable',
};

export function errorName(status: number): string {
  return NAMES[status] ?? STATUS_CODES[status] ?? 'Error';
}

function textOf(message: unknown, otherwise: string): string {
  return typeof message === 'string' ? message : Array.isArray(message) ? message.join('; ') : otherwise;
}

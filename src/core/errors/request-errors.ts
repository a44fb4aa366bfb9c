import { ApiError } from './api-error';

/** One fault of a request: the path of the field, and what is wrong with it. */
export interface ValidationDetail {
  field: string;
  message: string;
}

/** 400: the request does not have the documented form; `details` names every fault. */
export class ValidationFailed extends ApiError {
  constructor(readonly details: ValidationDetail[]) {
    const message = details.map((detail) => `${detail.field}: ${detail.message}`).join('; ');
    super(400, 'Validation error', message, { fields: { details } });
  }
}

/** 404: the account has no such resource, whether or not another account has it. */
export class NotFound extends ApiError {
  constructor(what: string) {
    super(404, 'Not Found', `No such ${what}.`);
  }
}

/** 405: the path exists, but not for this method; the header Allow names those that it has. */
export class MethodNotAllowed extends ApiError {
  constructor(method: string, allowed: readonly string[]) {
    const list = allowed.join(', ');
    super(405, 'Method Not Allowed', `This path does not take ${method}. It takes ${list}.`, {
      headers: { Allow: list },
    });
  }
}

/** 409: the request conflicts with the present state. */
export class Conflict extends ApiError {
  constructor(message: string, options: { retryAfterSeconds?: number } = {}) {
    const { retryAfterSeconds } = options;
    super(
      409,
      'Conflict',
      message,
      retryAfterSeconds === undefined ? {} : { headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  }
}

/** 422: the request has the documented form, but what it asks for makes no sense or cannot be done. */
export class Unprocessable extends ApiError {
  constructor(message: string) {
    super(422, 'Unprocessable', message);
  }
}

/** What an error may carry in addition to its status and texts. */
export interface ApiErrorOptions {
  /** Further documented members of the error body. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** JSON text to send in place of the usual error body, when the error of an upstream is passed on as it came. */
  body?: string;
  cause?: unknown;
}

/** An expected failure with the HTTP status and the texts that the caller sees. The error filter renders it. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    message: string,
    readonly options: ApiErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
  }
}

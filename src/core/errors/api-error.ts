/** What an error may carry beside its texts. */
export interface ApiErrorOptions {
  /** Further documented members of the error body. */
  fields?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The JSON text to answer with instead of the error body: an upstream's own words, passed on. */
  body?: string;
  cause?: unknown;
}

/** An expected failure: its status and public texts. The one error filter renders it. */
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

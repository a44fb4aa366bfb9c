/** What the process ends with; docs/operating.md lists them. */
export const EXIT = {
  done: 0,
  refused: 1,
  usage: 2,
  credentials: 3,
  unavailable: 4,
  unconfirmed: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected failure: its message is for the operator, without a stack. */
export class CommandFailure extends Error {
  constructor(
    message: string,
    readonly exitCode: ExitCode,
  ) {
    super(message);
  }
}

/** No answer, or none that can be read. */
export class LostAnswer extends CommandFailure {
  constructor(message: string) {
    super(message, EXIT.unavailable);
  }
}

/** The service's answer to a call that it refused or failed. */
export class RefusedCall extends CommandFailure {
  /** @param retryAfterSeconds when the call may be made again, where the answer says so */
  constructor(
    readonly status: number,
    body: { error?: string; message?: string; request_id?: string },
    readonly retryAfterSeconds: number | null = null,
  ) {
    const { error = 'Error', message = 'The service gave no reason.', request_id: requestId } = body;
    const request = requestId === undefined ? '' : ` (request ${requestId})`;
    super(`${status} ${error}: ${message}${request}`, exitCodeOf(status));
  }
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) {
    return EXIT.credentials;
  }
  return status >= 500 || status === 429 ? EXIT.unavailable : EXIT.refused;
}

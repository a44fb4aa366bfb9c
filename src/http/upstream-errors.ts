/** The messages have neither addresses nor credentials. */
export abstract class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Refused, reset, host name unknown, certificate not valid, or no HTTP. */
export class ConnectionFailed extends TransportError {
  /** @param hadBody whether any byte of the answer's body had arrived */
  constructor(
    readonly hadBody: boolean,
    cause: unknown,
  ) {
    super(hadBody ? 'the connection broke in the middle of the answer' : 'the connection failed', { cause });
  }
}

function timedOut(what: string) {
  return class extends TransportError {
    constructor(readonly timeoutMs: number) {
      super(`no ${what} within ${timeoutMs} ms`);
    }
  };
}

export class ConnectTimedOut extends timedOut('connection') {}

export class FirstByteTimedOut extends timedOut('byte of an answer') {}

export class TotalTimedOut extends timedOut('end of the answer') {}

export class AnswerTooLarge extends TransportError {
  constructor(readonly bytesMax: number) {
    super(`the answer exceeds ${bytesMax} bytes`);
  }
}

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

export class ConnectTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no connection within ${timeoutMs} ms`);
  }
}

export class FirstByteTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no byte of an answer within ${timeoutMs} ms`);
  }
}

export class TotalTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no end of the answer within ${timeoutMs} ms`);
  }
}

export class AnswerTooLarge extends TransportError {
  constructor(readonly bytesMax: number) {
    super(`the answer exceeds ${bytesMax} bytes`);
  }
}

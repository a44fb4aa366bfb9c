/** Why an exchange with an upstream failed. The messages contain neither addresses nor credentials. */
export abstract class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** There was no connection or it broke: refused, reset, host name unknown, certificate not valid, or not HTTP. */
export class ConnectionFailed extends TransportError {
  /** @param hadBody whether any byte of the answer's body had arrived */
  constructor(
    readonly hadBody: boolean,
    cause: unknown,
  ) {
    super(hadBody ? 'the connection broke in the middle of the answer' : 'the connection failed', { cause });
  }
}

/** There was no connection within the connect time-out. */
export class ConnectTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no connection within ${timeoutMs} ms`);
  }
}

/** No byte of the answer's body arrived within the first-byte time-out. */
export class FirstByteTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no byte of an answer within ${timeoutMs} ms`);
  }
}

/** The exchange as a whole took longer than the total time-out. */
export class TotalTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no end of the answer within ${timeoutMs} ms`);
  }
}

/** The body of the answer is larger than its reader allows. */
export class AnswerTooLarge extends TransportError {
  constructor(readonly bytesMax: number) {
    super(`the answer exceeds ${bytesMax} bytes`);
  }
}

/** Why an exchange with an upstream did not come to its end. Texts hold neither address nor credentials. */
export abstract class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** No connection, or one that broke: refused, reset, name unknown, certificate not valid, no HTTP. */
export class ConnectionFailed extends TransportError {
  /** @param hadBody whether any byte of the answer's body had arrived */
  constructor(
    readonly hadBody: boolean,
    cause: unknown,
  ) {
    super(hadBody ? 'the connection broke in the middle of the answer' : 'the connection failed', { cause });
  }
}

/** No connection within its time. */
export class ConnectTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no connection within ${timeoutMs} ms`);
  }
}

/** No byte of the answer's body within its time. */
export class FirstByteTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no byte of an answer within ${timeoutMs} ms`);
  }
}

/** The exchange as a whole took longer than it may. */
export class TotalTimedOut extends TransportError {
  constructor(readonly timeoutMs: number) {
    super(`no end of the answer within ${timeoutMs} ms`);
  }
}

/** The answer is larger than what its reader takes. */
export class AnswerTooLarge extends TransportError {
  constructor(readonly bytesMax: number) {
    super(`the answer exceeds ${bytesMax} bytes`);
  }
}

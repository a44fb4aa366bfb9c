import { ConnectionFailed, ConnectTimedOut, FirstByteTimedOut, TotalTimedOut } from './transport-errors';

export interface ExchangeTimes {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** The times of one request and its answer. What is over, or given up by the caller, closes the connection at once. */
export class Exchange {
  private readonly abortion = new AbortController();
  private readonly firstByteTimer: NodeJS.Timeout;
  private readonly totalTimer: NodeJS.Timeout;
  private readonly giveUp = () => this.abortion.abort(this.caller?.reason);
  private hadBody = false;

  constructor(
    private readonly times: ExchangeTimes,
    private readonly caller: AbortSignal | undefined,
  ) {
    caller?.throwIfAborted();
    const { firstByteTimeoutMs, totalTimeoutMs } = times;
    const abort = (reason: Error) => this.abortion.abort(reason);
    this.firstByteTimer = setTimeout(abort, firstByteTimeoutMs, new FirstByteTimedOut(firstByteTimeoutMs));
    this.totalTimer = setTimeout(abort, totalTimeoutMs, new TotalTimedOut(totalTimeoutMs));
    caller?.addEventListener('abort', this.giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  /** A byte of the body has arrived. */
  begun(): void {
    this.hadBody = true;
    clearTimeout(this.firstByteTimer);
  }

  /** Nothing is waited for any more. */
  end(): void {
    clearTimeout(this.firstByteTimer);
    clearTimeout(this.totalTimer);
    this.caller?.removeEventListener('abort', this.giveUp);
  }

  /** Closes the connection if the answer is not yet complete. */
  cut(): void {
    this.end();
    this.abortion.abort();
  }

  /** What an error of the connection stands for: the caller's own reason, a time-out, or a connection that failed. */
  faultOf(error: unknown): unknown {
    this.end();
    if (this.signal.aborted) {
      return this.signal.reason;
    }
    if (error instanceof ConnectTimedOut) {
      return error;
    }
    const { code, syscall } = error as NodeJS.ErrnoException;
    return code === 'ETIMEDOUT' && syscall === 'connect'
      ? new ConnectTimedOut(this.times.connectTimeoutMs)
      : new ConnectionFailed(this.hadBody, error);
  }
}

import { ConnectionFailed, ConnectTimedOut, FirstByteTimedOut, TotalTimedOut } from './transport-errors';

/** How long to wait for a connection, for the first byte of the answer's body, and for the end of the answer. */
export interface ExchangeTimes {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Watches over one request and its answer. It closes the connection when a time is over or the caller gives up. */
export class Exchange {
  private readonly abortion = new AbortController();
  private readonly firstByteTimer: NodeJS.Timeout;
  private readonly totalTimer: NodeJS.Timeout;
  private readonly giveUp = () => this.abortion.abort(this.caller?.reason);
  private hadBody = false;

  /** @throws the reason of the caller's signal when that is aborted already */
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

  /** Aborts when a time is over, the caller gives up or the exchange is cut. */
  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  /** To be called when bytes of the body have arrived, which ends the waiting for the first of them. */
  begun(): void {
    this.hadBody = true;
    clearTimeout(this.firstByteTimer);
  }

  /** To be called when the exchange is over: stops its timers and lets go of the caller's signal. */
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

  /**
   * The error to throw in place of an error of the connection: the caller's own reason, a time-out or a failed
   * connection.
   */
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

import type { WebSocket } from 'ws';
import type { UnsentShare } from '../send-buffer-limit';
import {
  CLOSE_CODES,
  type CloseCode,
  CONTROL_RATE,
  LATE_FRAMES_MAX,
  MessageRate,
  STREAM_WAITS_FROM_BYTES,
  UNSENT_BYTES_MAX,
  UNSENT_BYTES_WHEN_FULL_MAX,
} from './socket.limits';

/** One open WebSocket of a client. `Holder` is who opened it. */
export class ClientSocket<Holder = unknown> {
  /** Its messages, counted by the time of the process. */
  readonly rate = new MessageRate(performance.now());
  /** Its pings and pongs. They are free of the rate of messages, and so cheap to send that they need one of their own. */
  private readonly controlRate = new MessageRate(performance.now(), CONTROL_RATE);
  private hasAnswered = true;
  private lateFrames = 0;
  private work = 0;
  private isOver = false;
  /** Those who wait until the client has read. */
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly webSocket: WebSocket,
    /** The path that it was opened on. */
    readonly path: string,
    readonly holder: Holder,
    /** Is called for each message that is sent. */
    private readonly sent: () => void,
    private readonly unsent: UnsentShare,
  ) {
    // A connection that breaks also closes, which is watched; but an error without a listener would end the process.
    webSocket.on('error', () => undefined);
    webSocket.on('ping', () => this.takeControl());
    webSocket.on('pong', () => {
      this.hasAnswered = true;
      this.takeControl();
    });
    webSocket.once('close', () => {
      this.isOver = true;
      this.count();
    });
  }

  get isOpen(): boolean {
    return this.webSocket.readyState === this.webSocket.OPEN;
  }

  /** Whether the client has answered the last ping, or could not because it is not read. */
  get isAlive(): boolean {
    return this.hasAnswered || this.webSocket.isPaused;
  }

  /** Whether work that a message asked for is under way. */
  get isBusy(): boolean {
    return this.work > 0;
  }

  /** Notes work that a shutdown waits for, until what it returns is called. */
  begin(): () => void {
    this.work += 1;
    return () => {
      this.work -= 1;
    };
  }

  /**
   * Sends one message. A client that has left too much unread is closed instead, and sooner where its account or the
   * process leaves too much unread altogether. Nothing is sent to a closed one.
   */
  send(text: string): void {
    if (!this.isOpen) {
      return;
    }
    if (this.leavesTooMuch(this.webSocket.bufferedAmount)) {
      this.close(CLOSE_CODES.slowReader, 'what was sent is not read');
      return;
    }
    this.sent();
    this.webSocket.send(text, this.count);
    this.count();
  }

  /**
   * Sends one message and resolves when there is room for more, and at once when the socket closes or the signal aborts.
   */
  async sendInTime(text: string, signal: AbortSignal): Promise<void> {
    if (!this.isOpen || signal.aborted) {
      return;
    }
    this.sent();
    let flushed: () => void = () => undefined;
    const written = new Promise<void>((resolve) => (flushed = resolve));
    this.webSocket.send(text, () => {
      this.count();
      flushed();
    });
    this.count();
    if (this.webSocket.bufferedAmount <= STREAM_WAITS_FROM_BYTES) {
      return;
    }
    signal.addEventListener('abort', flushed, { once: true });
    this.webSocket.once('close', flushed);
    await written;
    this.webSocket.off('close', flushed);
    signal.removeEventListener('abort', flushed);
  }

  /**
   * Resolves once the client has left no more than 64 KiB unread, and at once where the socket is not open. A client that
   * stops to read is cut off, so it is waited for no longer than any write.
   */
  async hasRead(): Promise<void> {
    if (this.mustWait()) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  ping(): void {
    this.hasAnswered = false;
    this.webSocket.ping();
  }

  /**
   * Closes it; a client that does not answer the close in time is cut off by its server, whose `closeTimeout` says when. What
   * it sends meanwhile is not handled any more.
   */
  close(code: CloseCode, reason: string): void {
    if (this.isOpen) {
      this.webSocket.close(code, reason);
      // The answer to the close has to be read, also where messages were not.
      this.webSocket.resume();
    }
  }

  /** Ends the connection without a word. */
  terminate(): void {
    this.webSocket.terminate();
  }

  /** Reads no further frames until `resume`. */
  pause(): void {
    this.webSocket.pause();
  }

  resume(): void {
    // The answer to the last ping may wait behind what was not read.
    this.hasAnswered = true;
    this.webSocket.resume();
  }

  /** @param take is given the messages that come while the socket is open */
  onFrame(take: (bytes: Buffer, isBinary: boolean) => void): void {
    this.webSocket.on('message', (data, isBinary) => {
      if (this.admitsFrame()) {
        take(data as Buffer, isBinary);
      }
    });
  }

  onClose(closed: (code: number) => void): void {
    this.webSocket.once('close', closed);
  }

  /**
   * Whether a frame that has come is looked at. A client may go on sending after the close; that much would occupy the process
   * until it is cut off, so the connection is not read any more. The answer to the close is then not seen either.
   */
  private admitsFrame(): boolean {
    if (this.isOpen) {
      return true;
    }
    this.lateFrames += 1;
    if (this.lateFrames > LATE_FRAMES_MAX) {
      this.webSocket.pause();
    }
    return false;
  }

  private takeControl(): void {
    if (this.admitsFrame() && !this.controlRate.take(performance.now(), 0)) {
      this.close(CLOSE_CODES.tooManyMessages, 'pings and pongs come too fast');
    }
  }

  private mustWait(): boolean {
    return this.isOpen && this.webSocket.bufferedAmount > STREAM_WAITS_FROM_BYTES;
  }

  private leavesTooMuch(unsentBytes: number): boolean {
    return (
      unsentBytes > UNSENT_BYTES_WHEN_FULL_MAX && (unsentBytes > UNSENT_BYTES_MAX || this.unsent.isFull())
    );
  }

  /** Tells how much waits now. After each message and each write, so it is one function, and mostly finds nothing. */
  private readonly count = (): void => {
    this.unsent.count(this.isOver ? 0 : this.webSocket.bufferedAmount);
    if (this.waiting.length > 0 && !this.mustWait()) {
      this.waiting.splice(0).forEach((resume) => resume());
    }
  };
}

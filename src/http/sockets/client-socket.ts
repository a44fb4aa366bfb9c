import type { WebSocket } from 'ws';
import { Injectable } from '@nestjs/common';
import type { UnsentShare } from '../http-server';
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
import { Metrics } from '../../observability/metrics';
import { untilAborted } from '../../runtime/clock';

export class ClientSocket<Holder = unknown> {
  readonly rate = new MessageRate(performance.now());
  /** Pings and pongs are no messages, but cheap to send, so they have their own rate. */
  private readonly controlRate = new MessageRate(performance.now(), CONTROL_RATE);
  private hasAnswered = true;
  private hasPingLeft = true;
  private lateFrames = 0;
  private readonly work = new Set<() => void>();
  private isOver = false;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly webSocket: WebSocket,
    readonly path: string,
    readonly holder: Holder,
    private readonly sent: () => void,
    private readonly unsent: UnsentShare,
  ) {
    // A broken connection also closes; an error without a listener would end the process.
    webSocket.on('error', () => undefined);
    webSocket.on('ping', () => this.takeControl());
    webSocket.on('pong', () => {
      this.hasAnswered = true;
      this.takeControl();
    });
    webSocket.once('close', () => {
      this.isOver = true;
      this.endWork();
      this.count();
    });
  }

  get isOpen(): boolean {
    return this.webSocket.readyState === this.webSocket.OPEN;
  }

  /** Answered the last ping. A paused socket cannot be heard, but takes what was sent before the ping. */
  get isAlive(): boolean {
    return this.hasAnswered || (this.webSocket.isPaused && this.hasPingLeft);
  }

  get isBusy(): boolean {
    return this.work.size > 0;
  }

  /** A shutdown waits until the returned function is called. @param leave called on an earlier close */
  begin(leave?: () => void): () => void {
    const end = () => leave?.();
    this.work.add(end);
    return () => void this.work.delete(end);
  }

  /** Closes a client with too much unread, earlier when its account or the process has. */
  send(text: string): void {
    if (!this.isOpen) {
      return;
    }
    if (this.leavesTooMuch(this.webSocket.bufferedAmount)) {
      this.close(CLOSE_CODES.slowReader, 'what was sent is not read');
      return;
    }
    this.write(text);
  }

  async sendInTime(text: string, signal: AbortSignal): Promise<void> {
    if (!this.isOpen || signal.aborted) {
      return;
    }
    this.write(text);
    if (this.mustWait()) {
      await untilAborted(this.hasRead(), signal).catch(() => undefined);
    }
  }

  /** Resolves with at most 64 KiB unread, or on a closed socket. A stalled client is cut off. */
  async hasRead(): Promise<void> {
    if (this.mustWait()) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  ping(): void {
    this.hasAnswered = false;
    this.hasPingLeft = false;
    this.webSocket.ping(undefined, undefined, () => {
      this.hasPingLeft = true;
      this.count();
    });
  }

  /** The server cuts off a client that does not answer; later messages are not handled. */
  close(code: CloseCode, reason: string): void {
    if (this.isOpen) {
      this.webSocket.close(code, reason);
      this.endWork();
      // The answer to the close must be read, also after a pause.
      this.webSocket.resume();
    }
  }

  terminate(): void {
    this.webSocket.terminate();
  }

  pause(): void {
    this.webSocket.pause();
  }

  /** The answer to the last ping may be unread. */
  resume(): void {
    this.hasAnswered = true;
    this.webSocket.resume();
  }

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

  /** A client that sends on after the close is not read any more. */
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

  private write(text: string): void {
    this.sent();
    this.webSocket.send(text, this.count);
    this.count();
  }

  private endWork(): void {
    [...this.work].forEach((end) => end());
  }

  private mustWait(): boolean {
    return this.isOpen && this.webSocket.bufferedAmount > STREAM_WAITS_FROM_BYTES;
  }

  private leavesTooMuch(unsentBytes: number): boolean {
    return (
      unsentBytes > UNSENT_BYTES_WHEN_FULL_MAX && (unsentBytes > UNSENT_BYTES_MAX || this.unsent.isFull())
    );
  }

  /** A bound function, because it runs after each message and write. */
  private readonly count = (): void => {
    this.unsent.count(this.isOver ? 0 : this.webSocket.bufferedAmount);
    if (this.waiting.length > 0 && !this.mustWait()) {
      this.waiting.splice(0).forEach((resume) => resume());
    }
  };
}

/** Clients choose codes, and would create any number of series. */
const KNOWN_CODES = new Set([1000, 1001, 1003, 1005, 1006, 1009, 1012, 1013, 4401, 4429]);

@Injectable()
export class SocketMetrics {
  private readonly open = new Map<string, number>();
  private readonly messages;
  private readonly closes;

  constructor(metrics: Metrics) {
    metrics.gauges('sockets_open', 'Open WebSockets, by kind.', () =>
      [...this.open].map(([path, value]) => ({ labels: { socket: nameOf(path) }, value })),
    );
    this.messages = metrics.counter(
      'socket_messages_total',
      'Messages of WebSockets, by kind and direction.',
    );
    this.closes = metrics.counter('socket_closes_total', 'Closed WebSockets, by kind and close code.');
  }

  opened(path: string): void {
    this.open.set(path, (this.open.get(path) ?? 0) + 1);
  }

  closed(path: string, code: number): void {
    this.open.set(path, (this.open.get(path) ?? 1) - 1);
    this.closes
      .labelled({ socket: nameOf(path), code: KNOWN_CODES.has(code) ? String(code) : 'other' })
      .add();
  }

  counter(path: string, direction: 'received' | 'sent'): () => void {
    const tally = this.messages.labelled({ socket: nameOf(path), direction });
    return () => tally.add();
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

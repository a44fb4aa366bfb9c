import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { buildConnector, type Dispatcher } from 'undici';
import { originOf } from '../observability/tracing';
import { isConnectTimeout, proxiedAgent } from './operator-http';

/** Messages have neither addresses nor credentials. */
export abstract class TransportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** Refused, reset, unknown host, invalid certificate, or no HTTP. */
export class ConnectionFailed extends TransportError {
  /** @param hadBody whether any byte of the body had arrived */
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

interface Connecting {
  giveUp: ((reason: Error) => void) | null;
}

/** undici's time-out may be a second late, and it notices an abort only once connected. */
function connectWithin(timeoutMs: number, connectingNow: () => Connecting | null): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    const connecting = connectingNow();
    // The connector returns the socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      if (connecting) {
        connecting.giveUp = null;
      }
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
    if (connecting) {
      connecting.giveUp = (reason) => void socket.destroy(reason);
    }
  };
}

interface ExchangeTimes {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Held for a slow reader; then the upstream has to wait. */
const HELD_BYTES_MAX = 64 * 1024;
const BLANKS_MAX = 16 * 1024;

/** Made lazily: most calls need no stream, abort or failure. */
class Exchange implements Dispatcher.DispatchHandler, Connecting {
  status = 0;
  headers: IncomingHttpHeaders = {};
  giveUp: Connecting['giveUp'] = null;
  private controller: Dispatcher.DispatchController | null = null;
  private readonly firstByteTimer: NodeJS.Timeout;
  private readonly totalTimer: NodeJS.Timeout;
  private readonly held: Buffer[] = [];
  private heldBytes = 0;
  private hadBody = false;
  private isOver = false;
  private fault: unknown = null;
  private answered: ((response: UpstreamResponse) => void) | null = null;
  private refused: ((fault: unknown) => void) | null = null;
  private wake: (() => void) | null = null;
  private readonly leave = () => this.stop(this.caller?.reason);

  /** @throws the reason of a signal that is aborted already */
  constructor(
    private readonly times: ExchangeTimes,
    private readonly caller: AbortSignal | undefined,
    private readonly onSent: (() => void) | undefined,
  ) {
    caller?.throwIfAborted();
    const { firstByteTimeoutMs, totalTimeoutMs } = times;
    // Errors are made at the time-out: each would record a stack for every call.
    const late = (TimedOut: typeof FirstByteTimedOut | typeof TotalTimedOut, timeoutMs: number) =>
      this.stop(new TimedOut(timeoutMs));
    this.firstByteTimer = setTimeout(late, firstByteTimeoutMs, FirstByteTimedOut, firstByteTimeoutMs);
    this.totalTimer = setTimeout(late, totalTimeoutMs, TotalTimedOut, totalTimeoutMs);
    caller?.addEventListener('abort', this.leave, { once: true });
  }

  head(): Promise<UpstreamResponse> {
    return new Promise((resolve, reject) => {
      this.answered = resolve;
      this.refused = reject;
    });
  }

  /** The next piece, null at the end. An error follows all pieces that arrived before it. */
  next(): Buffer | null | Promise<Buffer | null> {
    const piece = this.held.shift();
    if (piece) {
      this.heldBytes -= piece.length;
      if (this.controller?.paused && this.heldBytes < HELD_BYTES_MAX) {
        this.controller.resume();
      }
      return piece;
    }
    if (!this.isOver) {
      return new Promise<void>((resolve) => (this.wake = resolve)).then(() => this.next());
    }
    if (this.fault !== null) {
      throw asError(this.fault);
    }
    return null;
  }

  /** As Latin-1 without blanks and byte order mark; stays to be read. @throws as `next` */
  async beginning(): Promise<string> {
    for (;;) {
      const [first] = this.held;
      const seen = this.held.length === 1 && first ? first : Buffer.concat(this.held);
      const text = seen.toString('latin1', 0, BLANKS_MAX).replace(/^(?:\s|\u00ef\u00bb\u00bf)+/, '');
      if (text !== '' || seen.length >= BLANKS_MAX || !(await this.more())) {
        return text;
      }
    }
  }

  /** @param received for each piece @throws AnswerTooLarge, and what `next` throws */
  async read(bytesMax: number, received?: (bytes: Buffer) => void): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for (;;) {
      const coming = this.next();
      const chunk = coming instanceof Promise ? await coming : coming;
      if (chunk === null) {
        const [alone] = chunks;
        return chunks.length === 1 && alone ? alone : Buffer.concat(chunks, length);
      }
      length += chunk.length;
      if (length > bytesMax) {
        this.discard();
        throw new AnswerTooLarge(bytesMax);
      }
      chunks.push(chunk);
      received?.(chunk);
    }
  }

  /** Closes the connection, unless the whole answer has come. */
  discard(): void {
    this.stop(new Error('the rest of the answer is not wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.isOver) {
      controller.abort(asError(this.fault));
    } else {
      this.onSent?.();
    }
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    if (status >= 200) {
      this.status = status;
      this.headers = headers;
      this.answered?.(this);
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.hadBody) {
      this.hadBody = true;
      clearTimeout(this.firstByteTimer);
    }
    this.held.push(chunk);
    this.heldBytes += chunk.length;
    if (this.heldBytes >= HELD_BYTES_MAX) {
      controller.pause();
    }
    this.wakeReader();
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.end(this.faultOf(error));
  }

  private stop(reason: unknown): void {
    if (!this.isOver) {
      this.end(reason);
      const error = asError(reason);
      this.giveUp?.(error);
      this.controller?.abort(error);
    }
  }

  private end(fault: unknown): void {
    if (this.isOver) {
      return;
    }
    this.isOver = true;
    this.fault = fault;
    clearTimeout(this.firstByteTimer);
    clearTimeout(this.totalTimer);
    this.caller?.removeEventListener('abort', this.leave);
    if (fault !== null) {
      this.refused?.(fault);
    }
    this.wakeReader();
  }

  private async more(): Promise<boolean> {
    if (!this.isOver) {
      await new Promise<void>((resolve) => (this.wake = resolve));
      return true;
    }
    if (this.fault !== null) {
      throw asError(this.fault);
    }
    return false;
  }

  private wakeReader(): void {
    const { wake } = this;
    this.wake = null;
    wake?.();
  }

  private faultOf(error: Error): unknown {
    if (error instanceof ConnectTimedOut) {
      return error;
    }
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isLate = (code === 'ETIMEDOUT' && syscall === 'connect') || isConnectTimeout(error);
    return isLate
      ? new ConnectTimedOut(this.times.connectTimeoutMs)
      : new ConnectionFailed(this.hadBody, error);
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}

export type UpstreamResponse = Pick<
  Exchange,
  'status' | 'headers' | 'beginning' | 'next' | 'read' | 'discard'
>;

interface UpstreamAddress extends ExchangeTimes {
  readonly baseUrl: string;
  readonly apiKey: string | null;
  readonly proxyUrl?: string | null;
}

interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** Replaces the first-byte and the total time-out. */
  readonly timeoutMs?: number;
  readonly onSent?: () => void;
  /** Beside those of every request; null leaves one of these out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Sends once: only the caller knows whether to repeat. An abort throws the signal's reason. */
export class UpstreamTransport {
  private readonly agent: Dispatcher;
  /** The agent connects synchronously, while this is set. */
  private connectingNow: Connecting | null = null;
  private readonly origin: string;
  private readonly basePath: string;
  private readonly headers: Readonly<Record<string, string>>;

  constructor(private readonly address: UpstreamAddress) {
    // Exchange enforces the time-outs, so that errors name the right one.
    const { apiKey, baseUrl, connectTimeoutMs, proxyUrl } = address;
    const { origin, pathname } = new URL(baseUrl);
    this.origin = origin;
    this.basePath = pathname.replace(/\/$/, '');
    this.headers = {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      ...(apiKey !== null && { authorization: `Bearer ${apiKey}` }),
    };
    const connect = connectWithin(connectTimeoutMs, () => this.connectingNow);
    const agent = { connect, headersTimeout: 0, bodyTimeout: 0 };
    this.agent = proxiedAgent({ connectTimeoutMs, proxyUrl, agent });
  }

  post(path: string, json: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('POST', path, json, options);
  }

  get(path: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('GET', path, null, options);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    { signal, timeoutMs, onSent, headers: own }: ExchangeOptions,
  ): Promise<UpstreamResponse> {
    const { connectTimeoutMs, firstByteTimeoutMs, totalTimeoutMs } = this.address;
    const times = {
      connectTimeoutMs,
      firstByteTimeoutMs: timeoutMs ?? firstByteTimeoutMs,
      totalTimeoutMs: timeoutMs ?? totalTimeoutMs,
    };
    const exchange = new Exchange(times, signal, onSent);
    const span = originOf(signal)?.span?.child(`${method} ${path}`, 'client', {}) ?? null;
    const answer = exchange.head();
    const headers = this.headersOf(body, { ...own, ...(span && { traceparent: span.traceparent }) });
    this.connectingNow = exchange;
    try {
      this.agent.dispatch(
        { origin: this.origin, path: this.basePath + path, method, body, headers },
        exchange,
      );
    } catch (error) {
      exchange.onResponseError(null, asError(error));
    } finally {
      this.connectingNow = null;
    }
    if (span === null) {
      return answer;
    }
    try {
      const response = await answer;
      const { status } = response;
      span.end({ 'http.response.status_code': status }, status >= 400 ? String(status) : null);
      return response;
    } catch (fault) {
      span.end({}, fault instanceof Error ? fault.name : 'unknown');
      throw fault;
    }
  }

  private headersOf(body: string | null, own: ExchangeOptions['headers'] & object): Record<string, string> {
    const headers = { ...this.headers, ...(body !== null && { 'content-type': 'application/json' }) };
    for (const [name, value] of Object.entries(own)) {
      if (value === null) {
        delete headers[name as keyof typeof headers];
      } else {
        Object.assign(headers, { [name]: value });
      }
    }
    return headers;
  }
}

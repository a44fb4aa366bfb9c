import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { buildConnector, type Dispatcher, request } from 'undici';
import { originOf } from '../observability/tracing';
import { isConnectTimeout, proxiedAgent } from './proxied-agent';
import {
  AnswerTooLarge,
  ConnectionFailed,
  ConnectTimedOut,
  FirstByteTimedOut,
  TotalTimedOut,
} from './upstream-errors';

/**
 * undici's own time-out may be a second late, and it notices an abort only when connected.
 * @param signalNow the signal of the request for which undici is connecting; null for none
 */
function connectWithin(timeoutMs: number, signalNow: () => AbortSignal | null): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    const signal = signalNow();
    const giveUp = () => socket.destroy(signal?.reason as Error);
    // The connector returns the socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
  };
}

interface ExchangeTimes {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Closes the connection when a time is over or the caller gives up. */
class Exchange {
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
    // The errors are made when a time is over: each would record a stack for every call, and hardly any is thrown.
    const abort = (TimedOut: typeof FirstByteTimedOut | typeof TotalTimedOut, timeoutMs: number) =>
      this.abortion.abort(new TimedOut(timeoutMs));
    this.firstByteTimer = setTimeout(abort, firstByteTimeoutMs, FirstByteTimedOut, firstByteTimeoutMs);
    this.totalTimer = setTimeout(abort, totalTimeoutMs, TotalTimedOut, totalTimeoutMs);
    caller?.addEventListener('abort', this.giveUp, { once: true });
  }

  get signal(): AbortSignal {
    return this.abortion.signal;
  }

  /** Ends the wait for the first byte of the body. */
  begun(): void {
    this.hadBody = true;
    clearTimeout(this.firstByteTimer);
  }

  /** Stops the timers and lets go of the caller's signal. */
  end(): void {
    clearTimeout(this.firstByteTimer);
    clearTimeout(this.totalTimer);
    this.caller?.removeEventListener('abort', this.giveUp);
  }

  cut(): void {
    this.end();
    this.abortion.abort();
  }

  /** The error for the caller: its own reason, a time-out or a failed connection. */
  faultOf(error: unknown): unknown {
    this.end();
    if (this.signal.aborted) {
      return this.signal.reason;
    }
    if (error instanceof ConnectTimedOut) {
      return error;
    }
    const { code, syscall } = error as NodeJS.ErrnoException;
    const isLate = (code === 'ETIMEDOUT' && syscall === 'connect') || isConnectTimeout(error as Error);
    return isLate
      ? new ConnectTimedOut(this.times.connectTimeoutMs)
      : new ConnectionFailed(this.hadBody, error);
  }
}

/** A request that waits for a connection, or gets none, is not sent. */
function tellingWhenSent(onSent: () => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const start = handler.onRequestStart?.bind(handler);
    handler.onRequestStart = (controller, context) => {
      start?.(controller, context);
      if (!controller.aborted) {
        onSent();
      }
    };
    return dispatch(options, handler);
  };
}

/** Held for a slow reader; then the upstream has to wait. */
const HELD_BYTES_MAX = 64 * 1024;

/** An error follows all chunks that arrived before; a Node stream's iterator would drop them, and text with them. */
export async function* arrivingChunks(body: Readable): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isOver = false;
  let error: Error | null = null;
  let wake: () => void = () => undefined;
  const end = (cause?: Error | null) => {
    isOver = true;
    error ??= cause ?? null;
    wake();
  };
  body.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= HELD_BYTES_MAX) {
      body.pause();
    }
    wake();
  });
  body.once('end', end);
  body.once('error', end);
  body.once('close', end);
  try {
    for (;;) {
      const chunk = held.shift();
      if (chunk) {
        heldBytes -= chunk.length;
        if (body.isPaused() && heldBytes < HELD_BYTES_MAX) {
          body.resume();
        }
        yield chunk;
      } else if (isOver) {
        break;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    // An early stop makes the rest and its errors irrelevant.
    body.on('error', () => undefined).destroy();
  }
  if (error) {
    throw error as Error;
  }
}

/** Of a body that begins with blanks, so many bytes are looked at. */
const BLANKS_MAX = 16 * 1024;

/** An answer whose body the receiver has to read or discard. */
export class UpstreamResponse {
  private readonly arriving: AsyncGenerator<Buffer>;
  /** Looked at, but not read yet. */
  private readonly held: Buffer[] = [];

  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly body: Readable,
    private readonly exchange: Exchange,
  ) {
    this.arriving = arrivingChunks(body);
  }

  /**
   * As Latin-1 what has come of the body, without blanks and a byte order mark before it. Waits for the first of it, which stays to
   * be read; empty for a body of blanks. @throws what `chunks` throws
   */
  async beginning(): Promise<string> {
    try {
      for (;;) {
        const seen = Buffer.concat(this.held);
        const text = seen.toString('latin1').replace(/^(?:\s|\u00ef\u00bb\u00bf)+/, '');
        const next = text === '' && seen.length < BLANKS_MAX ? await this.arriving.next() : null;
        if (!next || next.done) {
          return text;
        }
        this.exchange.begun();
        this.held.push(next.value);
      }
    } catch (error) {
      throw this.exchange.faultOf(error);
    }
  }

  /** Stopping early closes the connection. @throws TransportError, or the reason of the caller's signal */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      yield* this.held.splice(0);
      for await (const chunk of this.arriving) {
        this.exchange.begun();
        yield chunk;
      }
    } catch (error) {
      throw this.exchange.faultOf(error);
    } finally {
      this.exchange.end();
      this.body.on('error', () => undefined).destroy();
    }
  }

  /** @param received for each piece. @throws AnswerTooLarge, and whatever {@link chunks} throws */
  async read(bytesMax: number, received?: (bytes: Buffer) => void): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      length += chunk.length;
      if (length > bytesMax) {
        throw new AnswerTooLarge(bytesMax);
      }
      chunks.push(chunk);
      received?.(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  discard(): void {
    this.exchange.cut();
    this.body.on('error', () => undefined).destroy();
  }
}

/** Times are in milliseconds. */
interface UpstreamAddress extends ExchangeTimes {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** As in `proxiedAgent`. */
  readonly proxyUrl?: string | null;
}

interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** Replaces the first-byte and the total time-out. */
  readonly timeoutMs?: number;
  /** Called when the request goes out on a connection. */
  readonly onSent?: () => void;
  /** Beside those of every request; null for one of these that is to be left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/**
 * The connections to one upstream. A request is sent once, because only the caller knows whether it may be repeated.
 * Failures are TransportErrors; an abort closes the connection and throws the signal's reason.
 */
export class UpstreamTransport {
  private readonly agent: Dispatcher;
  /** Set while a request is passed to the agent, which begins to connect synchronously. */
  private signalNow: AbortSignal | null = null;

  constructor(private readonly address: UpstreamAddress) {
    // Exchange enforces the time-outs, so that the error names the one that was over.
    const { connectTimeoutMs, proxyUrl } = address;
    const connect = connectWithin(connectTimeoutMs, () => this.signalNow);
    const agent = { connect, headersTimeout: 0, bodyTimeout: 0 };
    this.agent = proxiedAgent({ connectTimeoutMs, proxyUrl, agent });
  }

  /** Waits for the headers, whatever the status. @param path is appended to the base URL */
  async post(path: string, json: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('POST', path, json, options);
  }

  async get(path: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
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
    const exchange = new Exchange(times, signal);
    const span = originOf(signal)?.span?.child(`${method} ${path}`, 'client', {}) ?? null;
    const traceparent = span?.traceparent;
    try {
      const answer = await this.sent(method, path, body, {
        ...{ signal: exchange.signal, onSent },
        headers: { ...own, ...(traceparent && { traceparent }) },
      });
      const headers = answer.headers as IncomingHttpHeaders;
      const status = answer.statusCode;
      span?.end({ 'http.response.status_code': status }, status >= 400 ? String(status) : null);
      return new UpstreamResponse(status, headers, answer.body, exchange);
    } catch (error) {
      const fault = exchange.faultOf(error);
      span?.end({}, fault instanceof Error ? fault.name : 'unknown');
      throw fault;
    }
  }

  private sent(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    { signal, onSent, headers: own }: { signal: AbortSignal } & Pick<ExchangeOptions, 'onSent' | 'headers'>,
  ) {
    this.signalNow = signal;
    try {
      const all = Object.entries<string | null>({ ...this.headers(body !== null), ...own });
      const headers = Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== null));
      const dispatcher = onSent ? this.agent.compose(tellingWhenSent(onSent)) : this.agent;
      return request(this.address.baseUrl + path, { dispatcher, method, body, headers, signal });
    } finally {
      this.signalNow = null;
    }
  }

  private headers(hasBody: boolean): Record<string, string> {
    const { apiKey } = this.address;
    return {
      accept: 'application/json, text/event-stream',
      'accept-encoding': 'identity',
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    };
  }
}

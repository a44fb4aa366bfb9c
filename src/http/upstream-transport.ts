import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, type Dispatcher, request } from 'undici';
import { originOf } from '../observability/tracing';
import {
  AnswerTooLarge,
  ConnectionFailed,
  ConnectTimedOut,
  FirstByteTimedOut,
  TotalTimedOut,
} from './upstream-errors';

/**
 * Makes a connector for undici that gives up when connecting, including the TLS handshake, takes longer than a time,
 * or when the request is aborted. The time-out of undici itself can be late by up to a second, which is longer than
 * many time-outs in use, and undici notices an abort only when it has connected.
 * @param signalNow returns the signal of the request for which undici is opening a connection, or null without one
 */
function connectWithin(timeoutMs: number, signalNow: () => AbortSignal | null): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    const signal = signalNow();
    const giveUp = () => socket.destroy(signal?.reason as Error);
    // undici's connector returns the socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
  };
}

/** How long to wait for a connection, for the first byte of the answer's body, and for the end of the answer. */
interface ExchangeTimes {
  readonly connectTimeoutMs: number;
  readonly firstByteTimeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Watches over one request and its answer. It closes the connection when a time is over or the caller gives up. */
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

/**
 * Has undici call a function when it has a connection for a request and writes it there: headers and text of the body go
 * out in that same turn. A request that waits for a connection, or gets none, is not sent.
 */
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

/**
 * How many bytes are held for a reader that is slower than the upstream. When there are more, the upstream has to
 * wait.
 */
const HELD_BYTES_MAX = 64 * 1024;

/**
 * Yields the chunks of a body in their order. When the connection breaks, its error is thrown only after all chunks
 * that had arrived before. The iterator of a Node stream would drop them at once, and with them text for the caller.
 */
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
    // When the reader has stopped early, nobody needs the rest of the body or an error in it.
    body.on('error', () => undefined).destroy();
  }
  if (error) {
    throw error as Error;
  }
}

/** An answer whose body is still to come. Whoever receives it must either read the body or discard it. */
export class UpstreamResponse {
  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly body: Readable,
    private readonly exchange: Exchange,
  ) {}

  /**
   * Yields the body as it arrives. Stopping early closes the connection.
   * @throws TransportError, or the reason of the caller's signal when that aborts
   */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of arrivingChunks(this.body)) {
        this.exchange.begun();
        yield chunk;
      }
    } catch (error) {
      throw this.exchange.faultOf(error);
    } finally {
      this.exchange.end();
    }
  }

  /**
   * Reads the whole body.
   * @param received is called with each piece as it arrives
   * @throws AnswerTooLarge when it has more than `bytesMax` bytes, and whatever {@link chunks} throws
   */
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

  /** Closes the connection, unless the body has been read to its end. */
  discard(): void {
    this.exchange.cut();
    this.body.on('error', () => undefined).destroy();
  }
}

/** The address of an upstream, the API key for it, and how long to wait for it, in milliseconds. */
interface UpstreamAddress extends ExchangeTimes {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** Replaces both the first-byte and the total time-out of the address. */
  readonly timeoutMs?: number;
  /** Is called when there is a connection and the request goes out on it. */
  readonly onSent?: () => void;
}

/**
 * The connections to one upstream. A request is sent once, because only the caller knows whether it may be repeated.
 * Requests throw a TransportError when they fail. When the caller's signal aborts, they close the connection and throw
 * the reason of the signal.
 */
export class UpstreamTransport {
  private readonly agent: Agent;
  /**
   * The signal of the request that is being handed to the agent. If the agent needs a new connection for it, it opens
   * one before the hand-over returns, so that the connector can read the signal here.
   */
  private signalNow: AbortSignal | null = null;

  constructor(private readonly address: UpstreamAddress) {
    // Exchange enforces the time-outs. Those of undici are off, so that the error always names the one that was over.
    this.agent = new Agent({
      connect: connectWithin(address.connectTimeoutMs, () => this.signalNow),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * Sends a POST request and waits for the headers of the answer, whatever its status.
   * @param path is appended to the base URL
   * @param json the body, sent exactly as it is
   */
  async post(path: string, json: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('POST', path, json, options);
  }

  /** Sends a GET request and waits for the headers of the answer, whatever its status. */
  async get(path: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('GET', path, null, options);
  }

  /** Closes all connections, also those in use. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(
    method: 'GET' | 'POST',
    path: string,
    body: string | null,
    { signal, timeoutMs, onSent }: ExchangeOptions,
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
      const answer = await this.sent(method, path, body, { signal: exchange.signal, onSent, traceparent });
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
    { signal, onSent, traceparent }: { signal: AbortSignal; onSent?: () => void; traceparent?: string },
  ) {
    this.signalNow = signal;
    try {
      const headers = { ...this.headers(body !== null), ...(traceparent && { traceparent }) };
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

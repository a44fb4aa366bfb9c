import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { connectWithin } from './connect-within';
import { Exchange, type ExchangeTimes } from './exchange';
import { originOf } from '../tracing/work-origin';
import { tellingWhenSent } from './telling-when-sent';
import { UpstreamResponse } from './upstream-response';

/** The address of an upstream, the API key for it, and how long to wait for it, in milliseconds. */
export interface UpstreamAddress extends ExchangeTimes {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export interface ExchangeOptions {
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

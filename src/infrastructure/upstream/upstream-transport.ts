import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';
import { connectWithin } from './connect-within';
import { Exchange, type ExchangeTimes } from './exchange';
import { UpstreamResponse } from './upstream-response';

/** Where an upstream is, how to show who asks, and how long to wait. Times in milliseconds. */
export interface UpstreamAddress extends ExchangeTimes {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string | null;
}

export interface ExchangeOptions {
  readonly signal?: AbortSignal;
  /** In place of the address' own first-byte and total time-outs. */
  readonly timeoutMs?: number;
}

/**
 * The connections to one upstream. A request is sent once: whether it may be sent again only its sender can know.
 * Every method throws a TransportError, or the signal's reason when that aborts, which closes the connection.
 */
export class UpstreamTransport {
  private readonly agent: Agent;
  /** Of the request that is being handed to the agent, which opens a connection for it then and there if it must. */
  private signalNow: AbortSignal | null = null;

  constructor(private readonly address: UpstreamAddress) {
    // The times of an exchange watch over the answer; undici's own would only blur which of them was over.
    this.agent = new Agent({
      connect: connectWithin(address.connectTimeoutMs, () => this.signalNow),
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** @param json the body as it is to leave */
  async post(path: string, json: string, options: ExchangeOptions = {}): Promise<UpstreamResponse> {
    return this.exchange('POST', path, json, options);
  }

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
    { signal, timeoutMs }: ExchangeOptions,
  ): Promise<UpstreamResponse> {
    const { connectTimeoutMs, firstByteTimeoutMs, totalTimeoutMs } = this.address;
    const times = {
      connectTimeoutMs,
      firstByteTimeoutMs: timeoutMs ?? firstByteTimeoutMs,
      totalTimeoutMs: timeoutMs ?? totalTimeoutMs,
    };
    const exchange = new Exchange(times, signal);
    try {
      const answer = await this.sent(method, path, body, exchange.signal);
      const headers = answer.headers as IncomingHttpHeaders;
      return new UpstreamResponse(answer.statusCode, headers, answer.body, exchange);
    } catch (error) {
      throw exchange.faultOf(error);
    }
  }

  private sent(method: 'GET' | 'POST', path: string, body: string | null, signal: AbortSignal) {
    this.signalNow = signal;
    try {
      const headers = this.headers(body !== null);
      return request(this.address.baseUrl + path, { dispatcher: this.agent, method, body, headers, signal });
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

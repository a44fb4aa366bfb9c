import { OutboundFault } from '../../../infrastructure/outbound-http/outbound-fault';
import type { OutboundHttp } from '../../../infrastructure/outbound-http/outbound-http';
import { Unprocessable } from '../../errors/request-errors';

export const FETCHED_BYTES_MAX = 10 * 1024 * 1024;
const FETCH_MS_MAX = 5_000;
/** Of all addresses of a call together: while they are fetched they take room from others, and nothing is charged for it. */
const CALL_FETCHES_MS_MAX = 10_000;
const FETCH_HEADERS = { accept: '*/*', 'user-agent': 'credit-metered-ai-api' };

/** Fetches the addresses of one call, one after the other. Its time begins when it is made. */
export class CallFetches {
  private readonly endsAt = performance.now() + CALL_FETCHES_MS_MAX;

  constructor(
    private readonly outbound: OutboundHttp,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * What is at an address, at most 10 MiB within 5 seconds.
   * @param name what errors call the input
   * @throws Unprocessable where it is not to be had, or the time of the call's addresses is over; the signal's reason
   */
  async fetched(url: string, name: string, bytesMax: number): Promise<Buffer> {
    const answerBytesMax = Math.min(bytesMax, FETCHED_BYTES_MAX);
    const { status, body, isCut } = await this.answer(url, `${name}.url`, answerBytesMax);
    if (status !== 200) {
      const hint = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
      throw new Unprocessable(`${name}.url: the address answered ${status}.${hint}`);
    }
    if (isCut) {
      throw new Unprocessable(`${name}.url: the address sends more than ${answerBytesMax} bytes.`);
    }
    return body;
  }

  private async answer(url: string, name: string, answerBytesMax: number) {
    const leftMs = Math.ceil(this.endsAt - performance.now());
    if (leftMs <= 0) {
      throw timeOver(name);
    }
    const timeoutMs = Math.min(leftMs, FETCH_MS_MAX);
    const { signal } = this;
    try {
      return await this.outbound.get({ url, headers: FETCH_HEADERS, timeoutMs, answerBytesMax, signal });
    } catch (error) {
      if (!(error instanceof OutboundFault)) {
        throw error;
      }
      const isOfCall = error.reason === 'timeout' && timeoutMs < FETCH_MS_MAX;
      throw isOfCall ? timeOver(name) : new Unprocessable(`${name}: ${error.message}`);
    }
  }
}

function timeOver(name: string): Unprocessable {
  const seconds = CALL_FETCHES_MS_MAX / 1_000;
  return new Unprocessable(
    `${name}: the addresses of a call have ${seconds} seconds together, which were over.`,
  );
}

import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { arrivingChunks } from './arriving-chunks';
import type { Exchange } from './exchange';
import { AnswerTooLarge } from './transport-errors';

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

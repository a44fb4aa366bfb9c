import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Exchange } from './exchange';
import { AnswerTooLarge } from './transport-errors';

/** An answer whose body is still to come: whoever gets it either reads the body or discards it. */
export class UpstreamResponse {
  constructor(
    readonly status: number,
    readonly headers: IncomingHttpHeaders,
    private readonly body: Readable,
    private readonly exchange: Exchange,
  ) {}

  /** The body as it arrives. Leaving early closes the connection. @throws TransportError, or the signal's reason */
  async *chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of this.body as AsyncIterable<Buffer>) {
        this.exchange.begun();
        yield chunk;
      }
    } catch (error) {
      throw this.exchange.faultOf(error);
    } finally {
      this.exchange.end();
    }
  }

  /** The whole body. @throws AnswerTooLarge above `bytesMax`; else as `chunks` */
  async read(bytesMax: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of this.chunks()) {
      length += chunk.length;
      if (length > bytesMax) {
        throw new AnswerTooLarge(bytesMax);
      }
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  }

  /** Closes the connection, unless the body has been read to its end. */
  discard(): void {
    this.exchange.cut();
    this.body.on('error', () => undefined).destroy();
  }
}

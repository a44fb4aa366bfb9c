import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { AnswerHead, AnswerStream } from '../call-transport';
import { isCallerGone, onCallerGone } from './caller-gone';

/** Of an answer of server-sent events. */
export const EVENT_STREAM_HEADERS = Object.freeze({
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
});

/**
 * One answer sent piece by piece. It begins with all headers that the answer has by then. It buffers no more
 * than what one write leaves over, because `write` resolves only when the client has read. The connection of one that
 * does not read is ended (infrastructure/http/stalled-writes.ts).
 */
export class SentStream implements AnswerStream {
  private readonly raw: ServerResponse;
  private readonly stopWatching: () => void;

  /**
   * @param head the answer's status and the headers of its own
   * @param gone is called once when the client closes the connection before the end
   * @param hold counts bytes that wait for the client, until what it returns is called
   */
  constructor(
    reply: FastifyReply,
    { status, headers }: AnswerHead,
    gone: () => void,
    private readonly hold: (bytes: number) => () => void,
  ) {
    reply.hijack();
    this.raw = reply.raw;
    // A connection that is reset also closes, which is watched; but an error without a listener would end the process.
    this.raw.on('error', () => undefined);
    this.stopWatching = onCallerGone(this.raw, gone);
    this.raw.writeHead(status, {
      ...(reply.getHeaders() as Record<string, string>),
      ...headers,
    });
    this.raw.flushHeaders();
  }

  get takesBody(): boolean {
    const { statusCode, req } = this.raw;
    return req.method !== 'HEAD' && statusCode !== 304;
  }

  get isGone(): boolean {
    return isCallerGone(this.raw);
  }

  async write(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    if (this.raw.destroyed || signal.aborted || this.raw.write(bytes)) {
      return;
    }
    const release = this.hold(bytes.length);
    await new Promise<void>((resolve) => {
      const done = () => {
        release();
        this.raw.off('drain', done);
        this.raw.off('close', done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.raw.on('drain', done);
      this.raw.on('close', done);
      signal.addEventListener('abort', done);
    });
  }

  end(bytes: Uint8Array): void {
    this.stopWatching();
    if (this.isGone) {
      this.raw.destroy();
      return;
    }
    this.raw.end(bytes);
  }

  /** Breaks the connection without an end, as if the service had died. */
  destroy(): void {
    this.stopWatching();
    this.raw.destroy();
  }
}

import type { Socket } from 'node:net';
import { Client, type Dispatcher } from 'undici';
import { BROKEN, OutboundFault } from './outbound-fault';

/** How many bytes the headers of an answer may have. */
const HEAD_BYTES_MAX = 16 * 1024;

/** How many bytes an answer may have beyond its headers and its body: interim answers, and the frames of chunks. */
const FRAME_BYTES_MAX = 64 * 1024;

/** Short, so that hardly a receiver closes a connection first, just when the next call is sent on it. */
const IDLE_MS_MAX = 2000;

export interface SentRequest {
  url: URL;
  headers: Record<string, string>;
  /** What is posted; null for a request that asks for what is there (GET). */
  body: string | null;
  answerBytesMax: number;
}

export interface OutboundAnswer {
  status: number;
  /** At most `answerBytesMax` bytes, as they came: never unpacked. */
  body: Buffer;
  /** Whether the answer was longer, so that the connection was cut. */
  isCut: boolean;
}

/** One connection to a receiver, on which one call after the other is made. It is never opened anew. */
export class OutboundConnection {
  private readonly client: Client;

  /** @param onClosed is called when the connection has ended, for whatever reason */
  constructor(
    url: URL,
    private readonly socket: Socket,
    onClosed: () => void,
  ) {
    let given: Socket | null = socket;
    // The time-outs of undici are off: whoever makes a call destroys the connection when its time is over.
    this.client = new Client(url.origin, {
      connect: (_, callback) => {
        const answer =
          given === null
            ? ([new Error('the connection has ended'), null] as const)
            : ([null, given] as const);
        given = null;
        // Not at once: undici sends nothing on a connection that it gets while it still asks for one.
        queueMicrotask(() => callback(...answer));
      },
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEAD_BYTES_MAX,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
    });
    socket.once('close', onClosed);
  }

  /** Whether another call may be made on it. */
  get isUsable(): boolean {
    return !this.socket.destroyed && this.socket.writable && this.socket.readable;
  }

  /** Ends the connection; a call on it fails with the reason. */
  destroy(reason: Error): void {
    this.socket.destroy(reason);
    void this.client.destroy(reason);
  }

  /**
   * Makes a call. It is sent once, because only the caller knows whether it may be repeated.
   * @throws ClosedUnanswered when the connection ends before anything of an answer has come
   */
  async send({ url, headers, body, answerBytesMax }: SentRequest): Promise<OutboundAnswer> {
    const endWatch = this.watchBytes(answerBytesMax + HEAD_BYTES_MAX + FRAME_BYTES_MAX);
    const request: Dispatcher.DispatchOptions = {
      method: body === null ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: { ...headers, 'accept-encoding': 'identity' },
      body,
    };
    try {
      return await new Promise((resolve, reject) => {
        const answer = new AnswerReader(answerBytesMax, resolve, reject);
        this.client.dispatch(request, answer);
      });
    } finally {
      endWatch();
    }
  }

  /** Bounds what the parser of undici does not: an endless row of interim answers, or chunks with long extensions. */
  private watchBytes(bytesMax: number): () => void {
    const { socket } = this;
    const before = socket.bytesRead;
    const watch = () => {
      if (socket.bytesRead - before > bytesMax) {
        this.destroy(new AnswerTooLong());
      }
    };
    socket.prependListener('readable', watch);
    return () => socket.off('readable', watch);
  }
}

/** Takes an answer as it arrives, and cuts the connection when there is enough of it. */
class AnswerReader implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private length = 0;
  private status = 0;
  private isBegun = false;

  constructor(
    private readonly bytesMax: number,
    private readonly resolve: (answer: OutboundAnswer) => void,
    private readonly reject: (error: Error) => void,
  ) {}

  onRequestStart(): void {
    // Without this method undici takes the handler for one of its older kind.
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.isBegun = true;
    // Interim answers, of which there may be several, come this way too.
    this.status = status < 200 ? 0 : status;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.chunks.push(chunk.subarray(0, this.bytesMax - this.length));
    this.length += chunk.length;
    if (this.length > this.bytesMax) {
      controller.abort(new AnswerTooLong());
    }
  }

  onResponseEnd(): void {
    this.resolve(this.answer(false));
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (error instanceof AnswerTooLong && this.status !== 0) {
      this.resolve(this.answer(true));
    } else {
      this.reject(!this.isBegun && isClosed(error) ? new ClosedUnanswered(error) : error);
    }
  }

  private answer(isCut: boolean): OutboundAnswer {
    return { status: this.status, body: Buffer.concat(this.chunks), isCut };
  }
}

function isClosed(error: Error): boolean {
  return ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes((error as { code?: string }).code ?? '');
}

/** The connection ended before anything of an answer had come. Nobody knows whether the receiver has read the call. */
export class ClosedUnanswered extends OutboundFault {
  constructor(cause: Error) {
    super('unreachable', BROKEN, { cause });
  }
}

class AnswerTooLong extends OutboundFault {
  constructor() {
    super('unreachable', 'The answer has too many bytes before its body.');
  }
}

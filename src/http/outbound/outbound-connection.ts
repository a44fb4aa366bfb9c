import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContext } from 'node:tls';
import { Client, type Dispatcher } from 'undici';

export type OutboundFaultReason = 'refused' | 'timeout' | 'unreachable';

/**
 * The public message names no addresses, which may be internal; the cause is for the log.
 * - `refused`: an address that the service does not call
 * - `timeout`: no whole answer in time
 * - `unreachable`: no connection, no valid certificate, or no HTTP
 */
export class OutboundFault extends Error {
  constructor(
    readonly reason: OutboundFaultReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'OutboundFault';
  }
}

export class DeadlineOver extends OutboundFault {
  constructor(timeoutMs: number) {
    super('timeout', `There was no whole answer within ${timeoutMs / 1000} seconds.`);
  }
}

const CERTIFICATE_UNKNOWN = 'The certificate of the receiver was not issued by a known authority.';
const NAME_UNKNOWN = 'The name of the host was not found.';
const BROKEN = 'The connection broke before there was a whole answer.';

const MESSAGES: Record<string, string> = {
  ENOTFOUND: NAME_UNKNOWN,
  ENODATA: NAME_UNKNOWN,
  ECONNREFUSED: 'The receiver refused the connection.',
  ECONNRESET: BROKEN,
  EPIPE: BROKEN,
  UND_ERR_SOCKET: BROKEN,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: BROKEN,
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  HTTPParserError: 'The answer is not HTTP/1.1.',
  CERT_HAS_EXPIRED: 'The certificate of the receiver has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the receiver is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the receiver is for another name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: CERTIFICATE_UNKNOWN,
  SELF_SIGNED_CERT_IN_CHAIN: CERTIFICATE_UNKNOWN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: CERTIFICATE_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT: CERTIFICATE_UNKNOWN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: CERTIFICATE_UNKNOWN,
};

export function outboundFaultOf(error: unknown): OutboundFault {
  if (error instanceof OutboundFault) {
    return error;
  }
  const message = MESSAGES[(error as { code?: string }).code ?? ''] ?? MESSAGES[(error as Error).name];
  return new OutboundFault('unreachable', message ?? 'The receiver could not be reached.', { cause: error });
}

export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

const ADDRESSES_TRIED_MAX = 4;

interface AllowedHost {
  url: URL;
  addresses: readonly string[];
  authorities: SecureContext;
}

/** Tries addresses in turn. @param endsAt by performance.now() @throws the first error, or the reason */
export async function connectToAllowed(
  host: AllowedHost,
  endsAt: number,
  signal: AbortSignal,
): Promise<Socket> {
  const tried = host.addresses.slice(0, ADDRESSES_TRIED_MAX);
  let failure: unknown = null;
  for (const [index, address] of tried.entries()) {
    const isLast = index === tried.length - 1;
    const shareMs = isLast ? null : (endsAt - performance.now()) / (tried.length - index);
    try {
      return await connected(host, address, shareMs, signal);
    } catch (error) {
      signal.throwIfAborted();
      failure ??= error;
    }
  }
  throw failure;
}

async function connected(
  { url, authorities }: AllowedHost,
  address: string,
  shareMs: number | null,
  signal: AbortSignal,
): Promise<Socket> {
  const isTls = url.protocol === 'https:';
  const port = Number(url.port) || (isTls ? 443 : 80);
  const carrier = connect({ host: address, port, noDelay: true });
  const socket = isTls ? secured(carrier, bareHost(url), authorities) : carrier;
  // For the socket's life: a late error without a listener would end the process.
  socket.on('error', () => undefined);
  const giveUp = () => socket.destroy(signal.reason as Error);
  const late = () =>
    socket.destroy(new OutboundFault('unreachable', 'The receiver did not accept a connection.'));
  const timer = shareMs === null ? null : setTimeout(late, shareMs);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    await once(socket, isTls ? 'secureConnect' : 'connect');
    return socket;
  } catch (error) {
    socket.destroy();
    carrier.destroy();
    throw error;
  } finally {
    clearTimeout(timer ?? undefined);
    signal.removeEventListener('abort', giveUp);
  }
}

function secured(carrier: Socket, host: string, authorities: SecureContext): Socket {
  return connectTls({
    socket: carrier,
    // Checks the certificate against the host; an address must not be sent as a name (RFC 6066, 3).
    host,
    servername: isIP(host) > 0 ? '' : host,
    secureContext: authorities,
    ALPNProtocols: ['http/1.1'],
    // Explicit, because an environment variable of Node could switch it off.
    rejectUnauthorized: true,
  });
}

const HEAD_BYTES_MAX = 16 * 1024;

/** For interim answers and chunk frames, beyond headers and body. */
const FRAME_BYTES_MAX = 64 * 1024;

/** Short, so that receivers seldom close it just as a call is sent. */
const IDLE_MS_MAX = 2000;

interface SentRequest {
  url: URL;
  headers: Record<string, string>;
  body: string | null;
  answerBytesMax: number;
}

export interface OutboundAnswer {
  status: number;
  /** At most `answerBytesMax` bytes, never unpacked. */
  body: Buffer;
  isCut: boolean;
}

export class OutboundConnection {
  private readonly client: Client;
  private answer: AnswerReader | null = null;

  constructor(
    url: URL,
    private readonly socket: Socket,
    onClosed: () => void,
  ) {
    let unused: Socket | null = socket;
    this.client = new Client(url.origin, {
      connect: (_, callback) => {
        const answer =
          unused === null
            ? ([new Error('the connection has ended'), null] as const)
            : ([null, unused] as const);
        unused = null;
        // undici sends nothing on a connection given synchronously.
        queueMicrotask(() => callback(...answer));
      },
      // The caller enforces the time-outs by destroying the connection.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: HEAD_BYTES_MAX,
      keepAliveTimeout: IDLE_MS_MAX,
      keepAliveMaxTimeout: IDLE_MS_MAX,
    });
    socket.once('close', onClosed);
    this.passOverContinue();
  }

  get isUsable(): boolean {
    return !this.socket.destroyed && this.socket.writable && this.socket.readable;
  }

  destroy(reason: Error): void {
    this.socket.destroy(reason);
    void this.client.destroy(reason);
  }

  /** Sends once: only the caller knows whether to repeat. @throws ClosedUnanswered before any of an answer */
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
        this.answer = new AnswerReader(answerBytesMax, resolve, reject);
        this.client.dispatch(request, this.answer);
      });
    } finally {
      endWatch();
    }
  }

  /** undici ends the connection at an unasked `100 Continue`, but passes over other interim answers. */
  private passOverContinue(): void {
    const read = this.socket.read.bind(this.socket);
    this.socket.read = (size) => {
      const bytes = read(size) as Buffer | null;
      if (bytes !== null && this.answer?.isAwaited) {
        renameContinue(bytes);
      }
      return bytes;
    };
  }

  /** undici bounds neither interim answers nor chunk extensions. */
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

const INTERIM = 'HTTP/1.1 1';
const CONTINUE = 'HTTP/1.1 100';
const HEAD_END = '\r\n\r\n';

/** Turns `100 Continue` before the answer into `102 Processing`, which means as little. */
function renameContinue(bytes: Buffer): void {
  const begins = (text: string, at: number): boolean =>
    bytes.toString('latin1', at, at + text.length) === text;
  for (let at = 0, end = 0; end >= 0 && begins(INTERIM, at); at = end + HEAD_END.length) {
    if (begins(CONTINUE, at)) {
      bytes.write('2', at + CONTINUE.length - 1);
    }
    end = bytes.indexOf(HEAD_END, at);
  }
}

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

  get isAwaited(): boolean {
    return this.status === 0;
  }

  onRequestStart(): void {
    // Without this method undici takes the handler for an older kind.
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number): void {
    this.isBegun = true;
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
    const isCut = error instanceof AnswerTooLong;
    // A 204 ends with its head; whatever follows breaks only the connection.
    if (this.status === 204 || (isCut && this.status !== 0)) {
      this.resolve(this.answer(isCut));
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

/** The connection ended before an answer; the receiver may have read the call. */
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

/** Connections cost the receiver too, and more calls at once are rare. */
const PER_RECEIVER_MAX = 8;
const ALL_MAX = 256;

export class IdleConnections {
  private readonly idle: { receiver: string; connection: OutboundConnection }[] = [];
  private isClosed = false;

  /** The last used one is the least likely to close soon. */
  take(receiver: string): OutboundConnection | null {
    for (;;) {
      const last = this.idle.findLastIndex((kept) => kept.receiver === receiver);
      const [kept] = last < 0 ? [] : this.idle.splice(last, 1);
      if (!kept || kept.connection.isUsable) {
        return kept?.connection ?? null;
      }
    }
  }

  put(receiver: string, connection: OutboundConnection): void {
    const ofReceiver = this.idle.filter((kept) => kept.receiver === receiver).length;
    const hasRoom = ofReceiver < PER_RECEIVER_MAX && this.idle.length < ALL_MAX;
    if (this.isClosed || !connection.isUsable || !hasRoom) {
      connection.destroy(new Error('enough connections are idle'));
      return;
    }
    this.idle.push({ receiver, connection });
  }

  remove(connection: OutboundConnection): void {
    const index = this.idle.findIndex((kept) => kept.connection === connection);
    if (index >= 0) {
      this.idle.splice(index, 1);
    }
  }

  close(): void {
    this.isClosed = true;
    this.idle.splice(0).forEach(({ connection }) => connection.destroy(new Error('the service ends')));
  }
}

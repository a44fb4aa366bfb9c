import { createHash } from 'node:crypto';
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { type ErrorForm, openAiError } from './error-forms';
import { closeLingering } from './request-body';

/** For answers before any route, and so without the pipeline. */
export interface PlainAnswerParts {
  /** In lower case, without the request id. */
  headers: Readonly<Record<string, string>>;
  clock: Clock;
}

export interface PlainError {
  error: string;
  message: string;
  options?: { fields?: object; headers?: Readonly<Record<string, string>> };
}

/**
 * An error in the form of all others, for a request that reached no route.
 * @param form the reference's where nothing of the request could be read
 */
export function plainError(
  { headers, clock }: PlainAnswerParts,
  requestId: string,
  { status, error, message, options = {} }: PlainError & { readonly status: number },
  form: ErrorForm = 'reference',
): { headers: Record<string, string>; body: string } {
  const timestamp = clock.now().toISOString();
  const told = { error, message, request_id: requestId, timestamp, ...options.fields };
  return {
    headers: {
      ...headers,
      ...options.headers,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify(form === 'openai' ? openAiError(status, told) : told),
  };
}

interface Fault {
  status: number;
  error: string;
  message: string;
}

const MALFORMED: Fault = { status: 400, error: 'Bad Request', message: 'The request is not valid HTTP.' };

const FAULTS: Readonly<Record<string, Fault>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    error: 'Request Header Fields Too Large',
    message: 'The request line and the headers are too long.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    error: 'Payload Too Large',
    message: "The extensions of the body's chunks are too long.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    error: 'Request Timeout',
    message: 'The request did not arrive in time.',
  },
};

/** The latest answer of a connection. A WeakMap would cost every request more. */
const LATEST = Symbol('latest answer');

interface WatchedSocket extends Socket {
  [LATEST]?: ServerResponse;
}

/** Answers what Node can't parse, and ends the connection, because what follows can't be told apart. */
export class TransportFaults {
  private readonly answered = new WeakSet<Socket>();

  constructor(private readonly parts: PlainAnswerParts) {}

  /** @param server must not listen yet, so that no request is missed */
  watch(server: Server): void {
    server.prependListener('request', ({ socket }: IncomingMessage, answer: ServerResponse) => {
      (socket as WatchedSocket)[LATEST] = answer;
    });
  }

  answer(error: NodeJS.ErrnoException, socket: Socket): void {
    if (this.answered.has(socket)) {
      return;
    }
    if (!socket.writable || error.code === 'ECONNRESET' || !this.isFree(socket)) {
      socket.destroy(error);
      return;
    }
    this.answered.add(socket);
    socket.write(this.text(FAULTS[error.code ?? ''] ?? MALFORMED));
    closeLingering(socket);
  }

  /** Whether the next bytes would be read as the faulty request's answer: nothing earlier is unanswered or begun. */
  private isFree(socket: Socket): boolean {
    const latest = (socket as WatchedSocket)[LATEST];
    if (latest === undefined || latest.writableFinished) {
      return true;
    }
    // The fault lies in the body of the latest request. An answer has no socket as long as it waits for earlier ones.
    return !latest.req.complete && latest.socket !== null && !latest.headersSent;
  }

  private text({ status, error, message }: Fault): string {
    const { headers, body } = plainError(this.parts, newId(), { status, error, message });
    const lines = Object.entries({
      ...headers,
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
  }
}

/** After this time a browser revalidates its copy. */
const CACHE_CONTROL = 'private, max-age=300';
/** For an address that names the bytes by their hash, as RFC 8246 has it: other bytes have another address. */
const IMMUTABLE = 'private, max-age=31536000, immutable';
/** The query that {@link StaticAnswers.versioned} gives an address. */
const VERSION = 'v';

interface KeptAnswer {
  body: Buffer;
  /** The same bytes for who accepts the coding; absent where it does not make them fewer. */
  gzip?: Buffer;
  contentType: string;
  etag: string;
}

/**
 * The route makes each answer once, on demand; its bytes are in memory once in each coding, however many callers read it. They
 * are compressed once, with all the time that takes.
 */
export class StaticAnswers {
  private readonly kept = new Map<string, KeptAnswer>();

  /** @param paths fixed, so that callers can't fill the memory */
  constructor(private readonly paths: ReadonlySet<string>) {}

  isFor(request: FastifyRequest): boolean {
    return this.paths.has(pathOf(request));
  }

  has(request: FastifyRequest): boolean {
    return this.kept.has(pathOf(request));
  }

  /** 304 by RFC 9110, section 13.1.2. @returns false where the route has to make the answer */
  send(request: FastifyRequest, reply: FastifyReply): boolean {
    const kept = this.kept.get(pathOf(request));
    if (!kept) {
      return false;
    }
    setHeaders(request, reply, kept);
    if (isKnown(request.headers['if-none-match'], kept.etag)) {
      void reply.code(304).send();
    } else {
      void reply.send(codedBody(request, reply, kept));
    }
    return true;
  }

  /** The address with the hash of its bytes, which may be kept for ever; as it is where nothing was made yet. */
  versioned(path: string): string {
    const kept = this.kept.get(path);
    return kept ? `${path}?${VERSION}=${hashOf(kept)}` : path;
  }

  /**
   * Keeps what the route made, and drops the body for HEAD.
   * @param payload a text, bytes or a stream
   * @param edit changes what the route made before it is kept
   * @returns the payload to send
   */
  async leave(
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
    edit: (body: Buffer) => Promise<Buffer> | Buffer = (body) => body,
  ): Promise<unknown> {
    if (request.method === 'HEAD') {
      return withoutBody(reply, payload);
    }
    const sent = this.kept.get(pathOf(request));
    const isKept = sent !== undefined && (payload === sent.body || payload === sent.gzip);
    if (isKept || !this.isFor(request) || reply.statusCode !== 200) {
      return payload;
    }
    const body = await edit(await bytesOf(payload));
    const coded = await promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION });
    const kept = {
      body,
      ...(coded.length < body.length && { gzip: coded }),
      contentType: String(reply.getHeader('content-type')),
      etag: `"${createHash('sha1').update(body).digest('base64url')}"`,
    };
    this.kept.set(pathOf(request), kept);
    setHeaders(request, reply, kept);
    reply.removeHeader('accept-ranges').removeHeader('last-modified').removeHeader('content-length');
    return codedBody(request, reply, kept);
  }
}

function setHeaders(request: FastifyRequest, reply: FastifyReply, kept: KeptAnswer): void {
  const isVersion = request.url.endsWith(`?${VERSION}=${hashOf(kept)}`);
  reply.headers({
    'content-type': kept.contentType,
    'cache-control': isVersion ? IMMUTABLE : CACHE_CONTROL,
    etag: kept.etag,
    vary: 'accept-encoding',
  });
}

/** Of a coded body the tag is weak, because the bytes are not those that it names (RFC 9110, section 8.8.1). */
function codedBody(request: FastifyRequest, reply: FastifyReply, { body, gzip: coded }: KeptAnswer): Buffer {
  const accepted = /\bgzip\b(?!\s*;\s*q=0(\.0*)?(?:\s*,|\s*$))/i.test(
    request.headers['accept-encoding'] ?? '',
  );
  if (!coded || !accepted) {
    return body;
  }
  reply.headers({ 'content-encoding': 'gzip', etag: `W/${String(reply.getHeader('etag'))}` });
  return coded;
}

function hashOf({ etag }: KeptAnswer): string {
  return etag.slice(1, -1);
}

/** Without the query, and without a slash at the end but of the page. */
function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}

function withoutBody(reply: FastifyReply, payload: unknown): null {
  if (payload instanceof Readable) {
    payload.resume();
  } else if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload));
  }
  return null;
}

function bytesOf(payload: unknown): Promise<Buffer> | Buffer {
  return payload instanceof Readable ? buffer(payload) : Buffer.from(payload as string | Buffer);
}

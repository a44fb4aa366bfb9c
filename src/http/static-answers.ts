import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** After this time a browser revalidates its copy. */
const CACHE_CONTROL = 'private, max-age=300';

interface KeptAnswer {
  body: Buffer;
  contentType: string;
  etag: string;
}

/** The route makes each answer once, on demand; its bytes are in memory once, however many callers read it. */
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
    setHeaders(reply, kept);
    if (isKnown(request.headers['if-none-match'], kept.etag)) {
      void reply.code(304).send();
    } else {
      void reply.send(kept.body);
    }
    return true;
  }

  /**
   * Keeps what the route made, and drops the body for HEAD.
   * @param payload a text, bytes or a stream
   * @returns the payload to send
   */
  async leave(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
    if (request.method === 'HEAD') {
      return withoutBody(reply, payload);
    }
    if (!this.isFor(request) || reply.statusCode !== 200) {
      return payload;
    }
    const body = await bytesOf(payload);
    const etag = `"${createHash('sha1').update(body).digest('base64url')}"`;
    const kept = { body, contentType: String(reply.getHeader('content-type')), etag };
    this.kept.set(pathOf(request), kept);
    setHeaders(reply, kept);
    reply.removeHeader('accept-ranges').removeHeader('last-modified').removeHeader('content-length');
    return body;
  }
}

function setHeaders(reply: FastifyReply, { contentType, etag }: KeptAnswer): void {
  reply.headers({ 'content-type': contentType, 'cache-control': CACHE_CONTROL, etag });
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

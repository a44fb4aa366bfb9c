import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
/** The wildcard allows client libraries' headers, such as X-Stainless-*, but not Authorization. */
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-API-Key', 'Idempotency-Key', '*'];
const PREFLIGHT_KEPT_SECONDS = 86_400;

/**
 * Beside `Access-Control-Allow-Origin: *` (Fetch, section 3.2), safe because browsers send no cookie to a
 * wildcard. Fastify's plugin would compute constant headers for a tenth of a call's time.
 */
export const PREFLIGHT_HEADERS: Readonly<Record<string, string>> = {
  'access-control-allow-methods': METHODS.join(', '),
  'access-control-allow-headers': REQUEST_HEADERS.join(', '),
  'access-control-max-age': String(PREFLIGHT_KEPT_SECONDS),
  'content-length': '0',
};

/** The reference's methods and the path's own. HEAD needs no permission (Fetch, section 2.2.1). */
export function preflightMethods(ofPath: readonly string[]): string {
  const others = ofPath.filter((method) => method !== 'HEAD' && !METHODS.includes(method));
  return [...METHODS, ...others].join(', ');
}

const NO_FRAMES_OR_FORMS = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** Only the documentation is a page: other bytes get no script, frame or form. */
const NOTHING = `default-src 'none'; ${NO_FRAMES_OR_FORMS}`;

/** For customers' files: the sandbox gives a page its own origin (HTML standard, section 7.1.5). */
export const POLICY_OF_FILES = `${NOTHING}; sandbox`;

/** Swagger UI has inline styles, data pictures, and pictures from blobs. */
export const POLICY_OF_DOCUMENTATION = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:; connect-src 'self'",
  NO_FRAMES_OR_FORMS,
].join('; ');

/** No exception for a library (W3C Trusted Types, section 4). Payment codes are blobs. */
export const POLICY_OF_CONSOLE = [
  "default-src 'none'; script-src 'self'; style-src 'self'",
  "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'",
  NO_FRAMES_OR_FORMS,
  "require-trusted-types-for 'script'",
].join('; ');

/** OWASP, REST Security Cheat Sheet. Strict-Transport-Security is the proxy's, which knows its domain. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NOTHING,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Authorization makes an answer private to a cache (RFC 9111, section 3.5), X-API-Key does not.
  'cache-control': 'no-store',
};

const CACHE_CONTROL = 'private, max-age=300';

/** For addresses with the bytes' hash (RFC 8246): other bytes have another address. */
const IMMUTABLE = 'private, max-age=31536000, immutable';

const VERSION = 'v';

interface KeptAnswer {
  body: Buffer;
  gzip?: Buffer;
  contentType: string;
  etag: string;
}

/** Made and compressed once, on demand, for all readers. */
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

  send(request: FastifyRequest, reply: FastifyReply): boolean {
    const kept = this.kept.get(pathOf(request));
    if (!kept) {
      return false;
    }
    setHeaders(request, reply, kept);
    if (hasTag(request.headers['if-none-match'], kept.etag)) {
      void reply.code(304).send();
    } else {
      void reply.send(codedBody(request, reply, kept));
    }
    return true;
  }

  /** With the bytes' hash, cacheable for ever; plain until they were made. */
  versioned(path: string): string {
    const kept = this.kept.get(path);
    return kept ? `${path}?${VERSION}=${hashOf(kept)}` : path;
  }

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

/** A coded body's tag is weak, because its bytes differ (RFC 9110, section 8.8.1). */
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

function pathOf({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? '';
}

/** RFC 9110, section 13.1.2. */
export function hasTag(header: string | undefined, etag: string): boolean {
  const tags = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
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

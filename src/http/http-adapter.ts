import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { ApiError, ValidationFailed } from '../errors/api-errors';
import type { Clock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { addTo } from '../runtime/collections';
import { BodyBudget, closeIfUnread, leaveExpectations } from './request-body';
import {
  type ErrorForm,
  errorFormOf,
  type PlainAnswerParts,
  plainError,
  TransportFaults,
  VARYING,
} from './error-forms';
import { boundedServers, isUnderV1, plainPath, UnusedConnections } from './http-server';
import { leaveBodies } from './json-bodies';
import { PREFLIGHT_HEADERS, preflightMethods, SECURITY_HEADERS } from './response-headers';
import { routeUpgrades } from './sockets/upgrades';

/** Requests of one address in a turn of the event loop, which then takes a few milliseconds at most. */
const BEGUN_A_TURN_MAX = 8;

/** Node handles all that arrived before new connections, so a flooding address would hold everybody up. */
export class AddressTurns {
  private readonly begun = new Map<string, number>();
  private waiting = new Map<string, (() => void)[]>();
  private isScheduled = false;

  take(address: string, begin: () => void): void {
    const begun = this.begun.get(address) ?? 0;
    this.schedule();
    if (begun < BEGUN_A_TURN_MAX) {
      this.begun.set(address, begun + 1);
      begin();
      return;
    }
    addTo(this.waiting, address, begin);
  }

  private schedule(): void {
    if (!this.isScheduled) {
      this.isScheduled = true;
      setImmediate(() => this.turn());
    }
  }

  private turn(): void {
    this.isScheduled = false;
    this.begun.clear();
    const { waiting } = this;
    this.waiting = new Map();
    for (const [address, queue] of waiting) {
      const now = queue.splice(0, BEGUN_A_TURN_MAX);
      if (queue.length > 0) {
        this.waiting.set(address, queue);
      }
      this.begun.set(address, now.length);
      now.forEach((begin) => begin());
    }
    if (waiting.size > 0) {
      this.schedule();
    }
  }
}

/** 16 KiB have room for some 4,000 lines, each of which costs its reader time. */
const HEADER_LINES_MAX = 2_000;

/** With two Hosts a proxy may have read the other (RFC 9112, section 3.2); HTTP/1.0 needs none. */
function faultOfHead({ rawHeaders, httpVersion }: IncomingMessage): ApiError | undefined {
  if (rawHeaders.length > 2 * HEADER_LINES_MAX) {
    return new ApiError(431, 'Request Header Fields Too Large', 'The request has too many headers.');
  }
  const hosts = hostsIn(rawHeaders);
  const isComplete = hosts === 1 || (hosts === 0 && httpVersion === '1.0');
  return isComplete ? undefined : new ValidationFailed([{ field: 'request', message: 'is not well-formed' }]);
}

/** A proxy may not know chunks in HTTP/1.0 and see another end of the body (RFC 9112, 6.1). */
function isFramingDoubtful({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.0' && headers['transfer-encoding'] !== undefined;
}

function hostsIn(rawHeaders: readonly string[]): number {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    hosts += name.length === 4 && name.toLowerCase() === 'host' ? 1 : 0;
  }
  return hosts;
}

const NAMED_FIRST = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Fastify's router needs path and method together, so this one is asked for each method. */
class RouteMethods {
  private readonly methods = new Set<string>(NAMED_FIRST);
  private readonly router = findMyWay({ ignoreTrailingSlash: true, maxParamLength: Infinity });

  add(pattern: string, methods: string | readonly string[]): void {
    for (const method of [methods].flat() as HTTPMethod[]) {
      this.methods.add(method);
      if (!this.router.hasRoute(method, pattern)) {
        this.router.on(method, pattern, () => undefined);
      }
    }
  }

  of(url: string): readonly string[] {
    const path = url.split(/[?#;]/, 1)[0] ?? '';
    const others = [...this.methods].filter((method) => method !== 'OPTIONS');
    const methods = others.filter((method) => this.router.find(method as HTTPMethod, path) !== null);
    return methods.length === 0 ? [] : [...methods, 'OPTIONS'];
  }
}

const JSON_BODY_BYTES_MAX = 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;
const TIMEOUTS_LOOKED_FOR_EVERY_MS = 1_000;
/** Receipts are found by callers' own ids too, which may exceed Fastify's 100 characters. */
const PATH_PARAMETER_CHARACTERS_MAX = 512;

export interface HttpOptions {
  apiVersion: string;
  serializerOf: (schema: object) => (value: unknown) => string;
  exposedHeaders: readonly string[];
  trustedProxies: string | null;
  stalledWriteTimeoutMs: number;
  v1ErrorFormat: ErrorForm;
  clock: Clock;
}

type CountUnrouted = (request: FastifyRequest, reply: FastifyReply) => ApiError | null;

declare module 'fastify' {
  interface FastifyInstance {
    routeMethods: RouteMethods;
    /** Refuses none until the pipeline, which knows the rates, sets it. */
    countUnrouted: CountUnrouted;
    redirectUnrouted: (request: FastifyRequest) => string | null;
  }
}

export function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  const parts = plainAnswerParts(options);
  const faults = new TransportFaults(parts);
  const adapter = new FastifyAdapter({
    serverFactory: boundedServers(options.stalledWriteTimeoutMs),
    trustProxy: options.trustedProxies ?? false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Answered with 400 here: Node's own answer has no body or headers of ours.
    http: {
      requireHostHeader: false,
      // Node takes the larger of two times, and the other is a minute by default.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOKED_FOR_EVERY_MS,
    },
    exposeHeadRoutes: true,
    rewriteUrl: ({ url = '/' }) => plainPath(url),
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnroutable(request, reply, parts, options.v1ErrorFormat),
    clientErrorHandler: (error, socket) => faults.answer(error, socket),
    requestIdHeader: false,
    // A caller may reuse its id; the pipeline keeps it beside this one.
    genReqId: () => newId(),
  });
  const server = adapter.getInstance<FastifyInstance>();
  server.setSerializerCompiler(({ schema }) => options.serializerOf(schema as object));
  const unused = new UnusedConnections(server.server);
  server.addHook('preClose', (done) => {
    unused.close();
    done();
  });
  leaveExpectations(server.server);
  routeUpgrades(server.server);
  noteMethods(server);
  addHeaders(server, parts);
  leaveBodies(server, new BodyBudget());
  return adapter;
}

function noteMethods(server: FastifyInstance): void {
  const methods = new RouteMethods();
  server.decorate('routeMethods', methods);
  server.decorate('countUnrouted', () => null);
  server.decorate('redirectUnrouted', () => null);
  server.addHook('onRoute', (route) => methods.add(route.url, route.method));
}

function plainAnswerParts({ apiVersion, exposedHeaders, clock }: HttpOptions): PlainAnswerParts {
  const cors = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', '),
  };
  return { headers: { 'x-api-version': apiVersion, ...SECURITY_HEADERS, ...cors }, clock };
}

/** Answers OPTIONS before any route, because preflights carry no credentials. */
function addHeaders(server: FastifyInstance, { headers: always }: PlainAnswerParts): void {
  const turns = new AddressTurns();
  const alwaysUnderV1 = { ...always, vary: VARYING };
  server.addHook('onRequest', (request, reply, done) => {
    const constant = isUnderV1(request.url) ? alwaysUnderV1 : always;
    reply.header('x-request-id', request.id).headers(constant);
    if (isFramingDoubtful(request.raw)) {
      reply.header('connection', 'close');
    }
    turns.take(request.ip, () => begin(request, reply, done));
  });
  const begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    if (request.raw.socket.writableEnded) {
      // The client was told that this connection ends, and could not read an answer.
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    const fault = faultOfHead(request.raw);
    const isRouted = fault === undefined && !request.is404 && request.method !== 'OPTIONS';
    const refusal = isRouted ? null : server.countUnrouted(request, reply);
    if (refusal === null && fault === undefined && request.method === 'OPTIONS') {
      answerOptions(request, reply.headers(PREFLIGHT_HEADERS));
      return;
    }
    const elsewhere = refusal === null && request.is404 ? server.redirectUnrouted(request) : null;
    if (elsewhere === null || fault !== undefined) {
      done(refusal ?? fault);
    } else {
      void reply.header('vary', 'accept').redirect(elsewhere);
    }
  };
  server.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete) {
      closeIfUnread(request, reply);
    }
    done(null, payload);
  });
}

function answerOptions({ server, url }: FastifyRequest, reply: FastifyReply): void {
  const methods = server.routeMethods.of(url);
  if (methods.length > 0) {
    reply.headers({ allow: methods.join(', '), 'access-control-allow-methods': preflightMethods(methods) });
  }
  void reply.code(204).send();
}

/** Fastify runs no hooks here, nor looks behind a trusted proxy: one proxy's callers count together. */
function answerUnroutable(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PlainAnswerParts,
  v1Format: ErrorForm,
): void {
  const refusal = request.server.countUnrouted(request, reply);
  const fault = refusal ?? new ApiError(404, 'Not Found', 'The path is not well-formed.');
  const form = errorFormOf(request.url, request.headers, v1Format);
  const { headers, body } = plainError(parts, request.id, fault, form);
  if (!request.raw.complete) {
    closeIfUnread(request, reply);
  }
  void reply.status(fault.status).headers(headers).send(body);
}

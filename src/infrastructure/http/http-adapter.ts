import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../ids/ids';
import { routeUpgrades } from '../sockets/upgrades';
import type { Clock } from '../clock/clock';
import { AddressTurns } from './address-turns';
import { BodyBudget } from './body-budget';
import { corsHeaders, preflightMethods } from './cors-headers';
import { leaveExpectations } from './expected-bodies';
import { boundedServers } from './http-server';
import { leaveBodies } from './json-bodies';
import { plainError, type PlainAnswerParts, type PlainError } from './plain-answer';
import { faultOfHead, isFramingDoubtful } from './request-head';
import { RouteMethods } from './route-methods';
import { SECURITY_HEADERS } from './security-headers';
import { TransportFaults } from './transport-faults';
import { closeIfUnread, isEnding } from './unread-body';
import { UnusedConnections } from './unused-connections';

export const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** From the first byte of a request to the last of its body. */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often connections are looked over for requests that take longer. */
const TIMEOUTS_LOOKED_FOR_EVERY_MS = 1_000;
/**
 * A receipt is also found by the id that the caller gave its call, which may exceed Fastify's 100 characters.
 */
const PATH_PARAMETER_CHARACTERS_MAX = 512;

/** What Fastify needs to know before the first route is added. */
export interface HttpOptions {
  /** The version of the API, which every answer names in a header. */
  apiVersion: string;
  /** What writes an answer by the response schema of its route. */
  serializerOf: (schema: object) => (value: unknown) => string;
  /** The headers of answers that a web page of another origin may read. */
  exposedHeaders: readonly string[];
  /** The addresses or address ranges of proxies whose X-Forwarded-For is trusted; null for none. */
  trustedProxies: string | null;
  /** How long a write to a connection may make no progress before the connection is ended. */
  stalledWriteTimeoutMs: number;
  clock: Clock;
}

/** @returns what the request is refused with, null where it is not; the status is that of the answer */
type CountUnrouted = (
  request: FastifyRequest,
  reply: FastifyReply,
) => (Error & PlainError & { readonly status: number }) | null;

declare module 'fastify' {
  interface FastifyInstance {
    /** Which methods each path has. */
    routeMethods: RouteMethods;
    /** Counts a request that no route answers. Refuses none until the pipeline sets it, which knows the rates. */
    countUnrouted: CountUnrouted;
  }
}

/**
 * Sets up Fastify for what all answers have in common: a request id, the version of the API, and bodies that are left
 * to the pipeline.
 */
export function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  const parts = plainAnswerParts(options);
  const faults = new TransportFaults(parts);
  const adapter = new FastifyAdapter({
    serverFactory: boundedServers(options.stalledWriteTimeoutMs),
    trustProxy: options.trustedProxies ?? false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A request without Host gets 400 here, because Node's own answer to it has neither a body nor our headers.
    http: {
      requireHostHeader: false,
      // Node allows the whole request the larger of its two times, and the other is a minute where nobody sets it.
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_LOOKED_FOR_EVERY_MS,
    },
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnroutable(request, reply, parts, server),
    clientErrorHandler: (error, socket) => faults.answer(error, socket),
    requestIdHeader: false,
    // A caller's own id could be used for several calls; the pipeline keeps it beside this one.
    genReqId: () => newId(),
  });
  const server = adapter.getInstance<FastifyInstance>();
  server.setSerializerCompiler(({ schema }) => options.serializerOf(schema as object));
  const unused = new UnusedConnections(server.server);
  server.addHook('preClose', (done) => {
    unused.close();
    done();
  });
  faults.watch(server.server);
  leaveExpectations(server.server);
  routeUpgrades(server.server);
  noteMethods(server);
  addHeaders(server, options, parts);
  leaveBodies(server, new BodyBudget());
  return adapter;
}

function noteMethods(server: FastifyInstance): void {
  const methods = new RouteMethods();
  server.decorate('routeMethods', methods);
  server.decorate('countUnrouted', () => null);
  server.addHook('onRoute', (route) => methods.add(route.url, route.method));
}

/** Their names are in lower case, because Fastify keeps them so. */
function plainAnswerParts({ apiVersion, exposedHeaders, clock }: HttpOptions): PlainAnswerParts {
  const { always } = corsHeaders(exposedHeaders);
  return { headers: { 'x-api-version': apiVersion, ...SECURITY_HEADERS, ...always }, clock };
}

/**
 * Adds the headers that every answer of a route has. OPTIONS requests are answered here, before any route, because
 * browsers send no credentials with a preflight request.
 */
function addHeaders(
  server: FastifyInstance,
  { exposedHeaders }: HttpOptions,
  { headers: always }: PlainAnswerParts,
): void {
  const { preflight } = corsHeaders(exposedHeaders);
  const turns = new AddressTurns();
  server.addHook('onRequest', (request, reply, done) => {
    if (isEnding(request.raw)) {
      // The client was told that this connection ends, and could not read an answer.
      reply.hijack();
      reply.raw.destroy();
      return;
    }
    reply.header('x-request-id', request.id).headers(always);
    if (isFramingDoubtful(request.raw)) {
      reply.header('connection', 'close');
    }
    turns.take(request.ip, () => begin(request, reply, done));
  });
  const begin = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
    const fault = faultOfHead(request.raw);
    const isRouted = fault === undefined && !request.is404 && request.method !== 'OPTIONS';
    const refusal = isRouted ? null : server.countUnrouted(request, reply);
    if (refusal === null && fault === undefined && request.method === 'OPTIONS') {
      answerOptions(request, reply.headers(preflight));
    } else {
      done(refusal ?? fault);
    }
  };
  server.addHook('onSend', (request, reply, payload, done) => {
    closeIfUnread(request, reply);
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

/**
 * Answers a request whose path is malformed, such as `/%zz`, or has a parameter that is too long. Fastify finds no
 * route for it and runs no hooks, so neither the pipeline nor the error filter can answer it. Nor does it look for the
 * caller behind a trusted proxy: those of one proxy count together.
 */
function answerUnroutable(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: PlainAnswerParts,
  server: FastifyInstance,
): void {
  const refusal = server.countUnrouted(request, reply);
  const fault = refusal ?? { status: 404, error: 'Not Found', message: 'The path is not well-formed.' };
  const { headers, body } = plainError(parts, request.id, fault);
  closeIfUnread(request, reply);
  void reply.status(fault.status).headers(headers).send(body);
}

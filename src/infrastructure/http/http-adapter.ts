import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../ids/ids';
import { corsHeaders } from './cors-headers';
import { hasTooManyNames, NAMES_MAX } from './json-names';
import { UnusedConnections } from './unused-connections';

export const JSON_BODY_BYTES_MAX = 1024 * 1024;
/**
 * A JSON body with more characters than this is parsed in one turn of the event loop and validated in another, so that
 * other calls are served in between.
 */
export const TURN_LENGTH_MAX = 64 * 1024;
const SANE_REQUEST_ID = /^[\w.:-]{8,128}$/;
const REQUEST_TIMEOUT_MS = 30_000;
/**
 * A receipt is read by a request id, which the caller may have chosen and which may exceed Fastify's 100 characters.
 */
const PATH_PARAMETER_CHARACTERS_MAX = 512;

/** What Fastify needs to know before the first route is added. */
export interface HttpOptions {
  /** The version of the API, which every answer names in a header. */
  apiVersion: string;
  /** The schemas of the OpenAPI document, with an `$id` by which routes refer to them. */
  schema: object;
  /** The headers of answers that a web page of another origin may read. */
  exposedHeaders: readonly string[];
  /** The addresses or address ranges of proxies whose X-Forwarded-For is trusted; null for none. */
  trustedProxies: string | null;
}

/** What the parsers record about a body for the pipeline. */
interface NotedRequest extends FastifyRequest {
  /** Why the body could not be read. */
  bodyFault?: string;
  /** The length of the body's text in characters. */
  bodyLength?: number;
}

/**
 * Sets up Fastify for what all answers have in common: a request id, the version of the API, and bodies whose faults
 * are left for the pipeline to report.
 */
export function createHttpAdapter(options: HttpOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    trustProxy: options.trustedProxies ?? false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: REQUEST_TIMEOUT_MS,
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: PATH_PARAMETER_CHARACTERS_MAX },
    frameworkErrors: (_: Error, request: FastifyRequest, reply: FastifyReply) =>
      answerUnroutable(request, reply, options.apiVersion),
    requestIdHeader: false,
    genReqId: (request: IncomingMessage) => {
      const given = request.headers['x-request-id'];
      return typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : newId();
    },
  });
  const server = adapter.getInstance<FastifyInstance>();
  server.addSchema(options.schema);
  const unused = new UnusedConnections(server.server);
  server.addHook('preClose', (done) => {
    unused.close();
    done();
  });
  limitBodies(server);
  addHeaders(server, options);
  registerBodyParsers(server);
  return adapter;
}

/** A route's own limit of its body, in its config as `bodyBytesMax`; all others have that of the server. */
function limitBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const { bodyBytesMax } = (route.config ?? {}) as { bodyBytesMax?: number | null };
    if (typeof bodyBytesMax === 'number') {
      route.bodyLimit = bodyBytesMax;
    }
  });
}

/**
 * Adds the headers that every answer of a route has. Their names are in lower case, because Fastify keeps them so.
 * OPTIONS requests are answered here, before any route, because browsers send no credentials with a preflight request.
 */
function addHeaders(server: FastifyInstance, { apiVersion, exposedHeaders }: HttpOptions): void {
  const cors = corsHeaders(exposedHeaders);
  const always = { 'x-api-version': apiVersion, 'x-content-type-options': 'nosniff', ...cors.always };
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(always);
    if (request.method === 'OPTIONS') {
      void reply.code(204).headers(cors.preflight).send();
    } else {
      done();
    }
  });
}

/**
 * Answers a request whose path is malformed, such as `/%zz`, or has a parameter that is too long. Fastify finds no
 * route for it and runs no hooks, so neither the pipeline nor the error filter can answer it.
 */
function answerUnroutable(request: FastifyRequest, reply: FastifyReply, apiVersion: string): void {
  void reply
    .status(404)
    .header('X-Request-Id', request.id)
    .header('X-API-Version', apiVersion)
    .header('content-type', 'application/json; charset=utf-8')
    .send(
      JSON.stringify({
        error: 'Not Found',
        message: 'The path is not well-formed.',
        request_id: request.id,
        timestamp: new Date().toISOString(),
      }),
    );
}

/**
 * An unreadable body is recorded and not refused here, because the pipeline checks credentials and rate limits first:
 * a caller without a credential gets 401, and one over its rate limit 429, whatever the body is.
 */
function registerBodyParsers(server: FastifyInstance): void {
  const parseJson = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text === '') {
      done(null, undefined);
      return;
    }
    const noted = request as NotedRequest;
    noted.bodyLength = text.length;
    if (hasTooManyNames(text as string)) {
      noted.bodyFault = `must not have more than ${NAMES_MAX} names`;
      done(null, undefined);
      return;
    }
    void parseJson(request, text as string, (error, body) => {
      if (error) {
        noted.bodyFault = 'is not valid JSON';
      }
      const parsed: unknown = error ? undefined : body;
      if (text.length > TURN_LENGTH_MAX) {
        setImmediate(done, null, parsed);
      } else {
        done(null, parsed);
      }
    });
  });
  server.addContentTypeParser('*', (request, payload, done) => {
    (request as NotedRequest).bodyFault = 'must be application/json';
    payload.resume();
    done(null, undefined);
  });
}

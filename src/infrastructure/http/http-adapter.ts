import type { IncomingMessage } from 'node:http';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../ids/new-id';
import { corsHeaders } from './cors-headers';
import { hasTooManyNames, NAMES_MAX } from './json-names';
import { UnusedConnections } from './unused-connections';

export const JSON_BODY_BYTES_MAX = 1024 * 1024;
/** Of a longer body each thing that is done with all of it gets a turn of the event loop of its own. */
export const TURN_LENGTH_MAX = 64 * 1024;
const SANE_REQUEST_ID = /^[\w.:-]{8,128}$/;
const REQUEST_TIMEOUT_MS = 30_000;
/** A receipt is read by an id that the caller may have chosen, and Fastify's 100 characters are too few for those. */
const PATH_PARAMETER_CHARACTERS_MAX = 512;

/** What Fastify needs to know before the first route; `schema` is the document's definitions, `$id` included. */
export interface HttpOptions {
  apiVersion: string;
  schema: object;
  /** The answers' headers that a page may read. */
  exposedHeaders: readonly string[];
  /** Addresses or ranges of proxies whose X-Forwarded-For is believed; null for none. */
  trustedProxies: string | null;
}

/** What the parsers note of a body for the pipeline. */
interface NotedRequest extends FastifyRequest {
  bodyFault?: string;
  bodyLength?: number;
}

/** Fastify with the conventions of every answer: request ids, the API's version, and bodies that wait for the pipeline. */
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
 * The headers of every answer, their names in lower case, in which Fastify keeps them. An OPTIONS is answered here, with
 * or without the headers of a preflight: it comes without a credential.
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

/** A path that is not even well-formed reaches no route, and so no step and no error filter. */
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
 * An unreadable body is noted, not refused: the steps come first, so that an anonymous caller gets 401 and a caller
 * beyond his rate 429, whatever he sent.
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

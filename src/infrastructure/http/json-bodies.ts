import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { BODY_FAULTS, bodyTooLarge, compressedBody, type BodyFault } from './body-fault';
import { askForBody } from './expected-bodies';
import { jsonFault } from './json-fault';
import { hasTooManyNames } from './json-names';
import { hasBody, readText } from './read-body';

/**
 * A JSON body with more characters than this is parsed in one turn of the event loop and validated in another, so that
 * other calls are served in between.
 */
export const TURN_LENGTH_MAX = 64 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** Why the body could not be read; whoever validates the request reports it. */
    bodyFault?: BodyFault;
    /** The length of a JSON body in UTF-16 units. */
    bodyLength?: number;
    /** Whether the route's handler reads the body itself, once it knows who calls. */
    isBodyLeft: boolean;
  }
}

/**
 * Bodies of routes with `bodyBytesMax` in their config are left unread: their handler calls {@link readJsonBody} once
 * the call is admitted, so that a stranger's body costs nothing. A request that no route takes has its body unread too.
 * All others get theirs before their handler, as is Fastify's way, up to the server's limit.
 */
export function leaveBodies(server: FastifyInstance): void {
  server.decorateRequest('isBodyLeft', false);
  server.addHook('onRoute', (route) => {
    if (((route.config ?? {}) as { bodyBytesMax?: number | null }).bodyBytesMax !== undefined) {
      route.onRequest = [...[route.onRequest ?? []].flat(), leaveBody];
    }
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('application/json', (request, _, done) => {
    if (request.isBodyLeft || request.is404) {
      done(null, undefined);
      return;
    }
    const { bodyLimit } = request.routeOptions;
    readJsonBody(request, bodyLimit, (isWhole) => done(errorOfFastify(request, isWhole), request.body));
  });
  server.addContentTypeParser('*', (request, payload, done) => {
    if (!request.isBodyLeft && !request.is404) {
      request.bodyFault = BODY_FAULTS.notJsonType;
      payload.resume();
    }
    done(null, undefined);
  });
}

/** What Fastify itself would say of the body of a route that is not ours. It knows no other faults. */
function errorOfFastify({ bodyFault }: FastifyRequest, isWhole: boolean): Error | null {
  if (!isWhole) {
    return new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH();
  }
  return bodyFault?.status === 413 ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : null;
}

function leaveBody(request: FastifyRequest, _: unknown, done: () => void): void {
  request.isBodyLeft = true;
  // Fastify refuses a type that is none before it asks any handler, also for a caller who is over the rate limit.
  if (request.headers['content-type'] !== undefined && request.mediaType === undefined) {
    delete request.raw.headers['content-type'];
  }
  done();
}

/**
 * Reads and parses a request's JSON body into `request.body`. Where that can't be done, `request.bodyFault` says why;
 * a body that the request's head disqualifies is not read at all.
 * @param done is called once, maybe before this returns: with false where the client has left before the end
 */
export function readJsonBody(
  request: FastifyRequest,
  bytesMax: number,
  done: (isWhole: boolean) => void,
): void {
  if (!hasBody(request.raw)) {
    done(true);
    return;
  }
  const fault = faultOfHead(request, bytesMax);
  if (fault) {
    request.bodyFault = fault;
    done(true);
    return;
  }
  askForBody(request.raw);
  readText(request.raw, bytesMax, (noText, text) => {
    if (noText === 'too large') {
      request.bodyFault = bodyTooLarge(bytesMax);
    } else if (noText === null && text !== '') {
      parseInto(request, text);
    }
    if (text.length > TURN_LENGTH_MAX) {
      setImmediate(done, true);
    } else {
      done(noText !== 'broken off');
    }
  });
}

function faultOfHead({ headers, mediaType }: FastifyRequest, bytesMax: number): BodyFault | null {
  if (mediaType !== 'application/json') {
    return BODY_FAULTS.notJsonType;
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && !/^\s*(?:identity\s*)?$/i.test(encoding)) {
    return compressedBody(encoding);
  }
  return Number(headers['content-length']) > bytesMax ? bodyTooLarge(bytesMax) : null;
}

function parseInto(request: FastifyRequest, text: string): void {
  request.bodyLength = text.length;
  if (hasTooManyNames(text)) {
    request.bodyFault = BODY_FAULTS.tooManyNames;
    return;
  }
  void request.server.getDefaultJsonParser('error', 'error')(request, text, (error, body) => {
    if (error) {
      request.bodyFault = { status: 400, message: jsonFault(text) };
    } else {
      request.body = body;
    }
  });
}

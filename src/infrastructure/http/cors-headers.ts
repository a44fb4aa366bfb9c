const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
/**
 * The wildcard lets client libraries send headers of their own, such as OpenAI's X-Stainless-*. It does not cover
 * Authorization, so that is named as well.
 */
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-API-Key', 'Idempotency-Key', '*'];
const PREFLIGHT_KEPT_SECONDS = 86_400;

export interface CorsHeaders {
  /** For every answer. */
  always: Record<string, string>;
  /** For the answer to a preflight request. */
  preflight: Record<string, string>;
}

/**
 * The headers that let the pages of all origins call this service (Fetch standard, section 3.2). That is safe because
 * credentials are sent in headers and never as cookies, so a page can use only credentials that it was given. The
 * headers are the same for all calls; Fastify's plugin would compute them for each, which takes a tenth of the time of
 * a call.
 */
export function corsHeaders(exposedHeaders: readonly string[]): CorsHeaders {
  return {
    always: {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': exposedHeaders.join(', '),
    },
    preflight: {
      'access-control-allow-methods': METHODS.join(', '),
      'access-control-allow-headers': REQUEST_HEADERS.join(', '),
      'access-control-max-age': String(PREFLIGHT_KEPT_SECONDS),
      'content-length': '0',
    },
  };
}

/** Beside the reference's methods, those that the path has of its own. HEAD needs no leave (Fetch, section 2.2.1). */
export function preflightMethods(ofPath: readonly string[]): string {
  const others = ofPath.filter((method) => method !== 'HEAD' && !METHODS.includes(method));
  return [...METHODS, ...others].join(', ');
}

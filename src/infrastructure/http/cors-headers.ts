const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
/** Client libraries send headers of their own, such as OpenAI's X-Stainless-*. The wildcard leaves out Authorization. */
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-API-Key', 'Idempotency-Key', '*'];
const PREFLIGHT_KEPT_SECONDS = 86_400;

export interface CorsHeaders {
  always: Record<string, string>;
  preflight: Record<string, string>;
}

/**
 * The headers by which every page may call (Fetch standard, section 3.2): credentials are headers here, never cookies, so
 * that no page can use another's. They are constants; the plugin for them works them out anew at each call, in a tenth
 * of the call's time.
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

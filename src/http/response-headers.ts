const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
/**
 * The wildcard lets client libraries send headers of their own, such as OpenAI's X-Stainless-*. It does not cover
 * Authorization, so that is named as well.
 */
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-API-Key', 'Idempotency-Key', '*'];
const PREFLIGHT_KEPT_SECONDS = 86_400;

interface CorsHeaders {
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

/**
 * What an answer may do in a browser: nothing. No answer but the documentation is a page; whoever opens one as a page,
 * or makes the service answer with bytes of his own, gets no script, no frame and no form out of it.
 */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * For files that customers have uploaded: a sandbox besides, which gives a page an origin of its own (HTML standard,
 * section 7.1.5), so that it could read nothing of this one.
 */
export const POLICY_OF_FILES = `${NOTHING}; sandbox`;

/**
 * For Swagger UI: scripts and calls of this origin only. Its page has a style sheet within and styles on elements, its
 * pictures are data, and answers that are pictures are shown from blobs.
 */
export const POLICY_OF_DOCUMENTATION = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * The headers by which browsers guard an answer, the same for all (OWASP's REST Security Cheat Sheet). Single answers
 * put others in their place. Strict-Transport-Security is the proxy's, which has the certificate: only it knows whether
 * every name of its domain speaks TLS.
 *
 * Cross-Origin-Resource-Policy stops what pages of others load without CORS, as pictures and scripts. Their calls by
 * fetch are CORS calls, which it leaves alone.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NOTHING,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // A cache knows that Authorization makes an answer private (RFC 9111, section 3.5), but not that X-API-Key does.
  'cache-control': 'no-store',
};

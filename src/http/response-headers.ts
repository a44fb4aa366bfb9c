const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'];
/** The wildcard allows headers of client libraries, such as OpenAI's X-Stainless-*. It does not cover Authorization. */
const REQUEST_HEADERS = ['Content-Type', 'Authorization', 'X-API-Key', 'Idempotency-Key', '*'];
const PREFLIGHT_KEPT_SECONDS = 86_400;

interface CorsHeaders {
  always: Record<string, string>;
  preflight: Record<string, string>;
}

/**
 * Open to all origins (Fetch standard, section 3.2), which is safe because credentials are headers and never cookies.
 * Fastify's plugin would compute the constant headers for each call, a tenth of its time.
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

/** The reference's methods and the path's own. HEAD needs no permission (Fetch, section 2.2.1). */
export function preflightMethods(ofPath: readonly string[]): string {
  const others = ofPath.filter((method) => method !== 'HEAD' && !METHODS.includes(method));
  return [...METHODS, ...others].join(', ');
}

/** Only the documentation is a page: bytes that somebody makes the service answer get no script, frame or form. */
const NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/** For customers' files: the sandbox gives a page an origin of its own (HTML standard, section 7.1.5). */
export const POLICY_OF_FILES = `${NOTHING}; sandbox`;

/** Swagger UI has inline styles, pictures as data, and shows pictures of answers from blobs. */
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
 * The headers by which browsers guard an answer (OWASP, REST Security Cheat Sheet); single answers replace them.
 * Strict-Transport-Security is the proxy's: only it knows whether every name of its domain speaks TLS.
 * Cross-Origin-Resource-Policy stops loads without CORS, as of pictures and scripts, and leaves fetch alone.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NOTHING,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  // Authorization makes an answer private to a cache (RFC 9111, section 3.5), X-API-Key does not.
  'cache-control': 'no-store',
};

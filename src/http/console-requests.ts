import type { FastifyRequest } from 'fastify';

/** Over HTTPS browsers hold this name to Secure, to Path=/ and to this one host (RFC 6265bis, section 4.1.3). */
const SECURE_COOKIE = '__Host-console';
/** For localhost over plain HTTP, where not every browser keeps a cookie that is Secure. */
const LOCAL_COOKIE = 'console';
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const USER_AGENT_LENGTH_MAX = 200;

export interface ConsoleRequest {
  readonly cookie: string | null;
  /** Why it may not use a session; null where it comes from a page of this service. */
  readonly fault: string | null;
  /** Whether the page itself was loaded over HTTPS, which a proxy may end. */
  readonly isHttps: boolean;
  /** Whether this machine is the host, as PUBLIC_URL says where it is set, and otherwise as the request names it. */
  readonly isLocal: boolean;
  readonly userAgent: string;
}

/**
 * Reads them. SameSite=Strict alone would let in what other ports and subdomains of the host make a browser send, so the request has to
 * name its page too. A read without Origin and Sec-Fetch-Site comes from an old browser, and has to have the header that no page of
 * another origin can add without being refused before.
 */
export function consoleRequest(request: FastifyRequest, publicUrl: string | null): ConsoleRequest {
  const { headers, host } = request;
  // A proxy that does not pass the host on names this machine, whoever calls.
  const isLocal = LOCAL_HOST.test(publicUrl === null ? host : new URL(publicUrl).host);
  return {
    cookie:
      cookieOf(headers.cookie, SECURE_COOKIE) ?? (isLocal ? cookieOf(headers.cookie, LOCAL_COOKIE) : null),
    fault: faultOf(request, publicUrl),
    isHttps: headers.origin?.startsWith('https://') ?? false,
    isLocal,
    userAgent: (headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX),
  };
}

function faultOf({ method, headers, host }: FastifyRequest, publicUrl: string | null): string | null {
  const { origin, 'sec-fetch-site': site, 'x-console': mark } = headers;
  const isChange = method !== 'GET' && method !== 'HEAD';
  if (site !== undefined && site !== 'same-origin') {
    return 'A session is used from the pages of this service alone: the browser names another site (Sec-Fetch-Site).';
  }
  if (origin !== undefined && !isOwn(origin, host, publicUrl)) {
    return 'A session is used from the pages of this service alone: Origin has to name its host.';
  }
  if (isChange && origin === undefined) {
    return 'A change by a session has to name its page (Origin).';
  }
  if (mark !== '1' && (isChange || (origin === undefined && site === undefined))) {
    return 'A change by a session has to have the header X-Console: 1.';
  }
  return null;
}

function isOwn(origin: string, host: string, publicUrl: string | null): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) {
    return false;
  }
  const named = new URL(origin);
  return (
    named.host === hostOf(named.protocol, host) ||
    (publicUrl !== null && new URL(publicUrl).origin === named.origin)
  );
}

function hostOf(protocol: string, host: string): string | null {
  const address = `${protocol}//${host}`;
  return URL.canParse(address) ? new URL(address).host : null;
}

/** Null also where two have the name, for a sibling domain may have set one. Only a space may stand before a name. */
function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  const [found, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return found === undefined || others.length > 0 ? null : found.slice(name.length + 1);
}

/** The Set-Cookie header of a session. @param secondsLeft 0 removes it */
export function sessionCookie(
  { isHttps }: Pick<ConsoleRequest, 'isHttps'>,
  secret: string,
  secondsLeft: number,
): string {
  const [name, secure] = isHttps ? [SECURE_COOKIE, '; Secure'] : [LOCAL_COOKIE, ''];
  return `${name}=${secret}; Path=/; Max-Age=${secondsLeft}; HttpOnly; SameSite=Strict${secure}`;
}

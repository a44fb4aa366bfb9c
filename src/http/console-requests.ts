import type { FastifyRequest } from 'fastify';

/** Browsers require Secure, Path=/ and this host for the prefix (RFC 6265bis, section 4.1.3). */
const SECURE_COOKIE = '__Host-console';
/** For localhost over plain HTTP, where not every browser keeps Secure cookies. */
const LOCAL_COOKIE = 'console';
const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;
const USER_AGENT_LENGTH_MAX = 200;

export interface ConsoleRequest {
  readonly cookie: string | null;
  /** Why it may not use a session; null for a page of this service. */
  readonly fault: string | null;
  readonly isHttps: boolean;
  /** Whether PUBLIC_URL, or else the request, names this machine. */
  readonly isLocal: boolean;
  readonly userAgent: string;
}

/**
 * SameSite=Strict would admit other ports and subdomains of the host, so the request must name its page. Old
 * browsers' reads name none, and need a header that other origins' pages cannot add without a preflight.
 */
export function consoleRequest(request: FastifyRequest, publicUrl: string | null): ConsoleRequest {
  const { headers, host } = request;
  // A proxy that does not pass the host on names this machine.
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

/** Null also for two of the name: a sibling domain may have set one. Only a space may precede a name. */
function cookieOf(header: string | undefined, name: string): string | null {
  const pairs = (header ?? '').split(';').map((pair) => pair.replaceAll(/^[ \t]+|[ \t]+$/g, ''));
  const [found, ...others] = pairs.filter((pair) => pair.startsWith(`${name}=`));
  return found === undefined || others.length > 0 ? null : found.slice(name.length + 1);
}

export function sessionCookie(
  { isHttps }: Pick<ConsoleRequest, 'isHttps'>,
  secret: string,
  secondsLeft: number,
): string {
  const [name, secure] = isHttps ? [SECURE_COOKIE, '; Secure'] : [LOCAL_COOKIE, ''];
  return `${name}=${secret}; Path=/; Max-Age=${secondsLeft}; HttpOnly; SameSite=Strict${secure}`;
}

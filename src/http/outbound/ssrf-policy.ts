import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Unprocessable } from '../../errors/api-errors';
import { bareHost, OutboundFault } from './outbound-connection';

/**
 * Public by range, but Azure serves machines their secrets there.
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** Assigned for the internet (RFC 4291, 2.4); the rest is reserved or contains IPv4. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** By the registries of special addresses (RFC 6890). Returns the canonical form; null where refused. */
export function allowedAddress(text: string, { allowLoopback }: { allowLoopback: boolean }): string | null {
  const address = parsed(text);
  if (address === null) {
    return null;
  }
  const range = address.range();
  const isPublic =
    range === 'unicast' &&
    !METADATA_ADDRESSES.has(address.toString()) &&
    (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST));
  return isPublic || (allowLoopback && range === 'loopback') ? address.toString() : null;
}

/** Null for unusual forms: a number, an octal one, one with a zone. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text);
  }
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : null;
}

const URL_LENGTH_MAX = 2048;

/** With all names below them (RFC 6761, RFC 6762, ICANN on .internal). */
const INNER_DOMAINS = ['local', 'internal', 'localhost'];

/** Two labels or more, as the WHATWG parser leaves them: lower case and ASCII. */
const PUBLIC_NAME = /^(?=.{1,253}$)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})+$/;

export interface OutboundTarget {
  url: URL;
  /** `host:port`, the same for every URL of one receiver. */
  receiver: string;
}

/** Without a look-up. @param options `allowLoopback` allows http and any port @throws OutboundFault */
export function outboundTarget(text: string, { allowLoopback }: { allowLoopback: boolean }): OutboundTarget {
  const url = parsedUrl(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  const host = bareHost(url);
  const isOwnMachine = allowLoopback && isLoopback(host);
  if (url.protocol !== 'https:' && !isOwnMachine) {
    throw refused('The URL must begin with https://.');
  }
  if (!isOwnMachine && !isPublicHost(host)) {
    throw refused('The host must be a public name or a public address.');
  }
  if (!isOwnMachine && url.port !== '' && url.port !== '443' && Number(url.port) < 1024) {
    throw refused('The port must be 443 or at least 1024.');
  }
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return { url, receiver: `${url.hostname}:${port}` };
}

/** For a URL in the field of a request. @throws Unprocessable that names the field */
export function targetIn(field: string, text: string, options: { allowLoopback: boolean }): OutboundTarget {
  try {
    return outboundTarget(text, options);
  } catch (error) {
    throw error instanceof OutboundFault ? new Unprocessable(`${field}: ${error.message}`) : error;
  }
}

/**
 * For a URL that another server fetches, by http too. Schemes without a host, such as file:, are refused, and what
 * other parsers, such as curl's, take for another host: `https://public.example\@10.0.0.1`.
 */
export function namesPublicHost(text: string): boolean {
  const isPlain = /^https?:/i.test(text) && !/[\u0000-\u001f\\]/.test(text);
  const url = isPlain && URL.canParse(text) ? new URL(text) : null;
  return url !== null && isPublicHost(bareHost(url).replace(/\.$/, ''));
}

/** By definition, whatever a name server says (RFC 6761, 6.3). */
export function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

function isLoopback(host: string): boolean {
  const allowed = (allowLoopback: boolean) => allowedAddress(host, { allowLoopback });
  return isLoopbackName(host) || (allowed(false) === null && allowed(true) !== null);
}

/** Refuses what the parser would repair: line breaks, backslashes, missing slashes and empty users. */
function parsedUrl(text: string): URL {
  if (text.length > URL_LENGTH_MAX) {
    throw refused(`The URL must have at most ${URL_LENGTH_MAX} characters.`);
  }
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) {
    throw refused('The URL must begin with https:// and the name of a host.');
  }
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\]/.test(text)) {
    throw refused('The URL must not contain spaces, line breaks, other control characters or backslashes.');
  }
  if (authority.includes('@')) {
    throw refused('The URL must not contain a user name or a password.');
  }
  if (!URL.canParse(text)) {
    throw refused('The URL is not valid.');
  }
  return new URL(text);
}

function isPublicHost(host: string): boolean {
  return isIP(host) > 0
    ? allowedAddress(host, { allowLoopback: false }) !== null
    : PUBLIC_NAME.test(host) && !INNER_DOMAINS.includes(host.slice(host.lastIndexOf('.') + 1));
}

function refused(message: string): OutboundFault {
  return new OutboundFault('refused', message);
}

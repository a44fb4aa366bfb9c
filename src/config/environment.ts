import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_SESSION_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'SMTP_URL',
  'UPSTREAMS',
  'BTC_XPUB',
  'BTC_RPC_URL',
  'BTC_ESPLORA_URL',
  'ETH_XPUB',
  'ETH_RPC_URL',
  'SOL_RPC_URL',
  'PRICE_SOURCES',
] as const;

/** No secret is longer; a larger file is the wrong one. */
const SECRET_BYTES_MAX = 1_048_576;

interface SecretFiles {
  environment: NodeJS.ProcessEnv;
  /** Name the variable and the fault, and nothing of the file. */
  faults: string[];
}

/** Replaces `JWT_SECRET_FILE`, a path, by `JWT_SECRET`, the file without its last line end. */
export function readSecretFiles(environment: NodeJS.ProcessEnv): SecretFiles {
  const read: NodeJS.ProcessEnv = { ...environment };
  const faults: string[] = [];
  for (const name of SECRET_VARIABLES) {
    const path = environment[`${name}_FILE`];
    delete read[`${name}_FILE`];
    if (path === undefined || path === '') {
      continue;
    }
    if (environment[name] !== undefined && environment[name] !== '') {
      faults.push(`${name} and ${name}_FILE exclude each other`);
      continue;
    }
    try {
      read[name] = contentOf(path);
    } catch (error) {
      faults.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  return { environment: read, faults };
}

/** Repeats no value: a misspelled JWT_SECRET's is still a secret. */
export function misspelledNames(environment: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  const names = [...known, ...SECRET_VARIABLES.map((name) => `${name}_FILE`)];
  const unknown = Object.keys(environment).filter(
    (name) => !names.includes(name) && environment[name] !== '',
  );
  return unknown.flatMap((name) => {
    const meant = names.find((ours) => isNear(name.toUpperCase(), ours));
    return meant === undefined ? [] : [`${name} is not read: is ${meant} meant?`];
  });
}

/** One edit, or two in a long name, where chance is unlikely. */
function isNear(name: string, ours: string): boolean {
  const most = ours.length < 8 ? 1 : 2;
  return Math.abs(name.length - ours.length) <= most && editsBetween(name, ours) <= most;
}

function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

function contentOf(path: string): string {
  const bytes = readFileSync(path);
  if (bytes.length > SECRET_BYTES_MAX) {
    throw new Error(`${path} is larger than a secret`);
  }
  const secret = bytes.toString('utf8').replace(/\r?\n$/, '');
  if (secret === '') {
    throw new Error(`${path} is empty`);
  }
  return secret;
}

/** No fault repeats the value, which may hold keys, or a parser's message. */
export function readJsonArray(name: string, variable: string): { list: unknown[]; fault: string | null } {
  const refused = (fault: string) => ({ list: [], fault: `${name} ${fault}` });
  let text = variable.trim();
  if (!/^[[{"]/.test(text)) {
    try {
      text = readFileSync(text, 'utf8');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
      return refused(`must be JSON or the path of a JSON file; as a path it gives ${code}`);
    }
  }
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? { list, fault: null } : refused('must be an array');
  } catch {
    return refused('is not valid JSON');
  }
}

const BITS = { 4: 32, 6: 128 } as const;

interface AddressRange {
  version: 4 | 6;
  first: bigint;
  last: bigint;
}

/** Null where valid. If all addresses of a version were trusted, any caller could choose his own. */
export function trustedProxiesFault(list: string): string | null {
  const ranges = list.split(',').map((text) => rangeOf(text.trim()));
  if (ranges.some((range) => range === null)) {
    return 'TRUSTED_PROXIES must be addresses or ranges, separated by commas';
  }
  const known = ranges.filter((range) => range !== null);
  return holdsAll(known, 4) || holdsAll(known, 6)
    ? 'TRUSTED_PROXIES trusts every address, so that any caller could name an address of his choice as his own; ' +
        'name the proxies alone'
    : null;
}

/** IPv4 in IPv6 form becomes IPv4, as the service compares it. Null for other text. */
function rangeOf(text: string): AddressRange | null {
  const version = isIP(text);
  const cidr = version === 0 ? text : `${text}/${version === 4 ? 32 : 128}`;
  // ipaddr also takes spellings that Node does not, such as 10.1.
  if (isIP(cidr.slice(0, cidr.indexOf('/'))) === 0 || !ipaddr.isValidCIDR(cidr)) {
    return null;
  }
  const [address, bits] = ipaddr.parseCIDR(cidr);
  return address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
    ? addressesOf(address.toIPv4Address(), bits - 96)
    : addressesOf(address, bits);
}

function addressesOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): AddressRange {
  const version = address.kind() === 'ipv4' ? 4 : 6;
  const number = address.toByteArray().reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const size = 1n << BigInt(BITS[version] - bits);
  const first = number - (number % size);
  return { version, first, last: first + size - 1n };
}

function holdsAll(ranges: readonly AddressRange[], version: 4 | 6): boolean {
  const ofVersion = ranges.filter((range) => range.version === version);
  ofVersion.sort((a, b) => (a.first < b.first ? -1 : 1));
  let next = 0n;
  for (const { first, last } of ofVersion) {
    if (first > next) {
      return false;
    }
    next = last >= next ? last + 1n : next;
  }
  return next === 1n << BigInt(BITS[version]);
}

export function repeated(values: readonly string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [index] : [];
  });
}

export function isPlainHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#\s\\]/.test(text);
}

export function isBaseUrl(text: string): boolean {
  return isPlainHttpUrl(text) && new URL(text).username === '' && new URL(text).password === '';
}

const PROXIES = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];

/** undici reads these itself. No fault repeats a value. */
export function proxyFaults(environment: NodeJS.ProcessEnv): string[] {
  return PROXIES.filter((name) => environment[name] && !isPlainHttpUrl(environment[name])).map(
    (name) => `${name} must be the http or https URL of a proxy`,
  );
}

export function isProxyNamed(): boolean {
  return PROXIES.some((name) => Boolean(process.env[name]));
}

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The variables that are secrets, or addresses that may hold a password. */
export const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DATABASE_PASSWORD',
  'REDIS_URL',
  'JWT_SECRET',
  'ADMIN_PASSWORD',
  'METRICS_TOKEN',
  'UPSTREAMS',
  'BTC_XPUB',
  'BTC_RPC_URL',
  'BTC_ESPLORA_URL',
  'ETH_XPUB',
  'ETH_RPC_URL',
  'SOL_RPC_URL',
  'PRICE_SOURCES',
] as const;

/** No secret is longer; a larger file is another one than was meant. */
const SECRET_BYTES_MAX = 1_048_576;

interface SecretFiles {
  /** The environment with every `NAME_FILE` replaced by `NAME`. */
  environment: NodeJS.ProcessEnv;
  /** Each names a variable and what is wrong with its file, and nothing of what the file holds. */
  faults: string[];
}

/**
 * Reads the secrets that are given as files, as Docker and Kubernetes hand them over: `JWT_SECRET_FILE` is the path of
 * a file that holds what would be in `JWT_SECRET`. A line end at the end of the file is not part of the secret.
 */
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

/** @throws Error that names the file */
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

/**
 * The array that a variable holds as JSON text or as the path of a JSON file. No fault repeats the value, and so none
 * has the message of the error behind it: the value may hold keys.
 */
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

/**
 * What is wrong with the value of TRUSTED_PROXIES: null where nothing is. Ranges that together hold all IPv4 or all
 * IPv6 addresses are refused, because whoever calls could then choose the address that the service takes for his, and
 * with it whose allowance his calls use up.
 */
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

/**
 * The addresses of `10.0.0.1` or `10.0.0.0/8`; null for any other text. A range of IPv4 addresses in their IPv6 form is one of
 * IPv4 addresses: as such the service compares it.
 */
function rangeOf(text: string): AddressRange | null {
  const version = isIP(text);
  const cidr = version === 0 ? text : `${text}/${version === 4 ? 32 : 128}`;
  // The library also takes addresses in spellings that Node does not, such as 10.1.
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

/** Whether the ranges of one version, put side by side in order, leave no address out. */
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

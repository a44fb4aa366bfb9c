import { isIP } from 'node:net';

const BITS = { 4: 32, 6: 128 } as const;
/** The first of the IPv6 addresses that stand for the IPv4 ones, ::ffff:0.0.0.0, and the length of their prefix. */
const MAPPED_FIRST = 0xffff_0000_0000n;
const MAPPED_BITS = 96;

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

/** The addresses of `10.0.0.1` or `10.0.0.0/8`; null for any other text. */
function rangeOf(text: string): AddressRange | null {
  const [address = '', prefix, ...rest] = text.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '0')) {
    return null;
  }
  const bits = prefix === undefined ? BITS[version] : Number(prefix);
  if (bits > BITS[version]) {
    return null;
  }
  const number = version === 4 ? ipv4Number(address) : ipv6Number(address);
  const size = 1n << BigInt(BITS[version] - bits);
  const first = number - (number % size);
  return asIpv4({ version, first, last: first + size - 1n }, bits);
}

/** A range of IPv4 addresses in their IPv6 form is one of IPv4 addresses: as such the service compares it. */
function asIpv4(range: AddressRange, bits: number): AddressRange {
  const isMapped = range.version === 6 && bits >= MAPPED_BITS && range.first >> 32n === MAPPED_FIRST >> 32n;
  return isMapped
    ? { version: 4, first: range.first - MAPPED_FIRST, last: range.last - MAPPED_FIRST }
    : range;
}

function ipv4Number(address: string): bigint {
  return address.split('.').reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

/** The URL parser brings every spelling of an address to one; it knows no zone (`%eth0`). */
function ipv6Number(address: string): bigint {
  const [withoutZone] = address.split('%');
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = shortest.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].reduce((number, group) => number * 65_536n + BigInt(`0x${group}`), 0n);
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

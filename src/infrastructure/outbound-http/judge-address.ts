import ipaddr from 'ipaddr.js';

/**
 * Public by their range, but answered by the network of the provider: Azure gives machines their secrets there.
 * https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
 */
const METADATA_ADDRESSES = new Set(['168.63.129.16']);

/** What is assigned for use in the whole internet (RFC 4291, 2.4); the rest is reserved or has an IPv4 address in it. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Judges an address that a customer gave or that his name leads to, by the registries of special addresses (RFC 6890). An
 * address that carries another within it, as IPv4-mapped, NAT64, 6to4 and Teredo ones do, is refused without looking.
 * @returns the address in its one canonical form, which is the one to connect to, or null when it is none to be called
 */
export function judgedAddress(text: string, { allowLoopback }: { allowLoopback: boolean }): string | null {
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

/** Null for what is no address in the usual form: a number, an octal one, one with the zone of a network card. */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) {
    return ipaddr.IPv4.parse(text);
  }
  return text.includes(':') && !text.includes('%') && ipaddr.IPv6.isValid(text)
    ? ipaddr.IPv6.parse(text)
    : null;
}

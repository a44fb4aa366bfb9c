import { isIPv6 } from 'node:net';

/**
 * What calls from an address are counted under: an IPv4 address itself, in whichever form it is written, and of an IPv6
 * address its /64. An IPv6 customer holds a /64 or more: counting single addresses would give each as many allowances
 * as it likes. For the same reason a port is left out, which some proxies write behind the address: a caller has a new
 * one with each connection. Text that is no address stays as it is.
 */
export function addressBlock(written: string): string {
  const address = withoutPort(written);
  if (!isIPv6(address)) {
    return address;
  }
  const groups = groupsOf(address);
  return ipv4Of(groups) ?? `${groups.slice(0, 4).join(':')}::/64`;
}

/** Without brackets, too, which tell the port of an IPv6 address from its groups: `[2001:db8::1]:443`. */
function withoutPort(written: string): string {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(written) ?? [];
  return ipv4 ?? ipv6 ?? written;
}

/** The eight groups in hexadecimal without leading zeros. The URL parser knows every spelling, but no zone (`%eth0`). */
function groupsOf(address: string): string[] {
  const [withoutZone] = address.split('%');
  const shortest = new URL(`http://[${withoutZone}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = shortest.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail];
}

/** The IPv4 address that an IPv6 address of ::ffff:0:0/96 stands for; null for any other. */
function ipv4Of(groups: readonly string[]): string | null {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') {
    return null;
  }
  const bytes = groups.slice(6).flatMap((group) => {
    const value = parseInt(group, 16);
    return [value >> 8, value & 255];
  });
  return bytes.join('.');
}

/** What comes before the hosts, the hosts, and the rest. */
const ADDRESS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
/** What libpq lets an address ask of a server: the service writes, so it can use no other. */
const PRIMARY = new Set(['read-write', 'primary']);

/** libpq lets it name several hosts (PostgreSQL manual, libpq, "Specifying Multiple Hosts"), unlike URL and the driver. */
export function addressesOfHosts(url: string): string[] {
  const [, before = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${rest}`) : [url];
}

/**
 * Whether all clients can take it apart. In a password, # and / end it unless they are percent-encoded, and % begins what may be
 * no character.
 */
export function isReadableAddress(url: string): boolean {
  try {
    for (const address of addressesOfHosts(url)) {
      // A database that is reached by a socket may have no host after its user, as URL requires it.
      const { username, password } = new URL(address.replace('@/', '@localhost/'));
      decodeURIComponent(username + password);
    }
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with the hosts of a database's address, or with what it asks of them; null where nothing is. */
export function hostsFault(name: 'DATABASE_URL' | 'DATABASE_SESSION_URL', url: string | null): string | null {
  const addresses = url === null ? [] : addressesOfHosts(url);
  if (addresses.length > 1 && !addresses.every((address) => URL.canParse(address) && new URL(address).host)) {
    return `${name} must name its hosts as host or host:port, with commas between them`;
  }
  const [first = ''] = addresses;
  const asked = URL.canParse(first) ? new URL(first).searchParams.get('target_session_attrs') : null;
  return asked === null || PRIMARY.has(asked)
    ? null
    : `${name}: target_session_attrs must be read-write or primary, because the service writes`;
}

/** Null where nothing is wrong with a password beside an address. Redis needs no user's name. */
export function passwordFault(
  server: 'DATABASE' | 'REDIS',
  url: string | null,
  password: string | null,
  name = `${server}_URL`,
): string | null {
  if (password === null) {
    return null;
  }
  const needsUser = server === 'DATABASE';
  const [address = ''] = url === null ? [] : addressesOfHosts(url);
  if (!URL.canParse(address) || (needsUser && new URL(address).username === '')) {
    return `${server}_PASSWORD needs a ${name} that names a host${needsUser ? ' and a user' : ''}`;
  }
  return new URL(address).password === ''
    ? null
    : `${name} holds a password, so ${server}_PASSWORD must not be set`;
}

/** The address with the password in it, which may hold any characters. */
export function addressWithPassword(url: string | null, password: string | null): string | null {
  if (url === null || password === null) {
    return url;
  }
  const addresses = addressesOfHosts(url);
  const address = new URL(addresses[0] ?? url);
  // The setter leaves some characters alone that have a meaning to those who take the address apart, such as %.
  address.password = encodeURIComponent(password);
  const [, , hosts = ''] = ADDRESS.exec(url) ?? [];
  return addresses.length === 1
    ? address.href
    : address.href.replace(ADDRESS, (_, before, __, rest) => `${before}${hosts}${rest}`);
}

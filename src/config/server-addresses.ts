const ADDRESS = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s;
/** libpq's target_session_attrs: the service writes, so it can use no others. */
const PRIMARY = new Set(['read-write', 'primary']);

/** Unlike URL and the driver, libpq takes several (PostgreSQL manual, libpq, "Specifying Multiple Hosts"). */
export function addressesOfHosts(url: string): string[] {
  const [, before = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${rest}`) : [url];
}

/** Whether all clients can parse it: in a password, # and / end it and % begins an escape. */
export function isReadableAddress(url: string): boolean {
  try {
    for (const address of addressesOfHosts(url)) {
      // URL needs a host after the user, which a socket's address lacks.
      const { username, password } = new URL(address.replace('@/', '@localhost/'));
      decodeURIComponent(username + password);
    }
    return true;
  } catch {
    return false;
  }
}

export function hostsFault(name: 'DATABASE_URL' | 'DATABASE_SESSION_URL', url: string | null): string | null {
  const addresses = url === null ? [] : addressesOfHosts(url);
  if (addresses.length > 1 && !addresses.every((address) => URL.canParse(address) && new URL(address).host)) {
    return `${name} must name its hosts as host or host:port, with commas between them`;
  }
  const [first = ''] = addresses;
  const sessionAttrs = URL.canParse(first) ? new URL(first).searchParams.get('target_session_attrs') : null;
  return sessionAttrs === null || PRIMARY.has(sessionAttrs)
    ? null
    : `${name}: target_session_attrs must be read-write or primary, because the service writes`;
}

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

export function addressWithPassword(url: string | null, password: string | null): string | null {
  if (url === null || password === null) {
    return url;
  }
  const addresses = addressesOfHosts(url);
  const address = new URL(addresses[0] ?? url);
  // The setter leaves characters such as % that clients interpret.
  address.password = encodeURIComponent(password);
  const [, , hosts = ''] = ADDRESS.exec(url) ?? [];
  return addresses.length === 1
    ? address.href
    : address.href.replace(ADDRESS, (_, before, __, rest) => `${before}${hosts}${rest}`);
}

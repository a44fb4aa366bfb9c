import { addressesOfHosts, addressWithPassword, hostsFault, passwordFault } from './server-addresses';

describe('an address of several hosts', () => {
  it('is one of each, with all the rest', () =>
    expect(
      addressesOfHosts('postgres://a,b:c%40d,e@h1:5432,[::1]:5433,h3/app?target_session_attrs=read-write'),
    ).toEqual([
      'postgres://a,b:c%40d,e@h1:5432/app?target_session_attrs=read-write',
      'postgres://a,b:c%40d,e@[::1]:5433/app?target_session_attrs=read-write',
      'postgres://a,b:c%40d,e@h3/app?target_session_attrs=read-write',
    ]));

  it.each(['postgres://a,b:c,d@h1/app?options=a,b', 'postgres:///app,b', 'postgres://%2Fvar%2Frun/app'])(
    'is not %s',
    (url) => expect(addressesOfHosts(url)).toEqual([url]),
  );

  it('takes a password of any characters, and none twice', () => {
    const password = `a/b@c:d?e#f%20 g,h`;
    const url = 'postgres://service@h1:5432,h2:5433/app?target_session_attrs=primary';
    const addresses = addressesOfHosts(addressWithPassword(url, password) ?? '');
    expect(addresses.map((address) => decodeURIComponent(new URL(address).password))).toEqual([
      password,
      password,
    ]);
    expect(addresses.map((address) => new URL(address).host)).toEqual(['h1:5432', 'h2:5433']);
    expect(passwordFault('DATABASE', url, password)).toBeNull();
    expect(passwordFault('DATABASE', 'postgres://a:b@h1,h2/app', 'p')).toMatch('must not be set');
    expect(passwordFault('DATABASE', 'postgres://h1,h2/app', 'p')).toMatch('and a user');
  });

  it.each(['postgres://u@h1,,h2/app', 'postgres://u@h1:x,h2/app', 'postgres://u@h1,/app'])(
    'is refused as %s',
    (url) => expect(hostsFault('DATABASE_URL', url)).toMatch('host:port'),
  );

  it.each(['standby', 'any', 'prefer-standby'])('is refused where it asks for %s', (attribute) =>
    expect(hostsFault('DATABASE_URL', `postgres://u@h1,h2/app?target_session_attrs=${attribute}`)).toMatch(
      'read-write or primary',
    ),
  );
});

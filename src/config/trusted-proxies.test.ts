import { trustedProxiesFault } from './environment';

describe('trustedProxiesFault', () => {
  it.each([
    '127.0.0.1',
    '10.0.0.0/8, 192.168.1.1, fd00::/8',
    '0.0.0.0/1',
    '0.0.0.0/1, 128.0.0.0/2',
    '::1, ::/1',
    '::ffff:10.0.0.0/104',
    'fe80::1%eth0',
    '255.255.255.255/32, 0.0.0.0',
  ])('takes %s', (list) => {
    expect(trustedProxiesFault(list)).toBeNull();
  });

  it.each([
    'proxy.example.com',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/8/8',
    '10.0.0.1,',
    '10.0.0.0/255.0.0.0',
    'fd00::/x',
  ])('refuses %s, which is no list of addresses and ranges', (list) => {
    expect(trustedProxiesFault(list)).toContain('must be addresses or ranges');
  });

  it.each([
    '0.0.0.0/0',
    '10.1.2.3/0',
    '::/0',
    '10.0.0.0/8, ::/0',
    '0.0.0.0/1, 128.0.0.0/1',
    '64.0.0.0/2,192.0.0.0/2 , 128.0.0.0/2, 0.0.0.0/2',
    '8000::/1, ::/1',
    '::ffff:0:0/96',
    '::ffff:0.0.0.0/97, 128.0.0.0/1',
  ])('refuses %s, which trusts every address', (list) => {
    expect(trustedProxiesFault(list)).toContain('trusts every address');
  });
});

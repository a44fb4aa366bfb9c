import { addressBlock } from './http-server';

describe('addressBlock', () => {
  it.each([
    '::ffff:127.0.0.1',
    '::FFFF:127.0.0.1',
    '::ffff:7f00:1',
    '::FFFF:7F00:0001',
    '0:0:0:0:0:ffff:7f00:1',
    '0000:0000:0000:0000:0000:ffff:127.0.0.1',
  ])('knows the IPv4 address 127.0.0.1 in %s', (spelling) => {
    expect(addressBlock(spelling)).toBe('127.0.0.1');
  });

  it.each([
    ['::ffff:0:0', '0.0.0.0'],
    ['::ffff:0:1', '0.0.0.1'],
    ['::ffff:ffff:ffff', '255.255.255.255'],
  ])('turns %s into %s', (spelling, address) => {
    expect(addressBlock(spelling)).toBe(address);
  });

  it.each([
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['1::2:3:4:5', '1:0:0:0::/64'],
    ['1:2::3:4:5:6', '1:2:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::fffe:7f00:1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('counts %s with its block %s', (address, block) => {
    expect(addressBlock(address)).toBe(block);
  });

  it.each([
    ['192.0.2.1:51234', '192.0.2.1'],
    ['[2001:db8:1:2::1]:51234', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[::ffff:192.0.2.1]:51234', '192.0.2.1'],
  ])('leaves the port out of %s, which is another for each connection', (written, block) => {
    expect(addressBlock(written)).toBe(block);
  });

  it.each(['192.0.2.1', '', 'unknown'])('leaves %j as it is', (address) => {
    expect(addressBlock(address)).toBe(address);
  });
});

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestAuthority } from '../../../test/support/receiver/test-authority';
import { trustedAuthorities } from './outbound-http';

describe('trustedAuthorities', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'authorities-'))));
  afterEach(() => rm(folder, { recursive: true }));
  const fileOf = async (text: string) => {
    const file = join(folder, 'ca.pem');
    await writeFile(file, text);
    return file;
  };

  it.each([
    ['is empty', ''],
    ['has a private key only', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'],
    ['has a broken certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'],
  ])('refuses a file that %s', async (_, text) => {
    const file = await fileOf(text);
    expect(() => trustedAuthorities(file)).toThrow();
  });

  it('refuses a file that is not there', () => {
    expect(() => trustedAuthorities(join(folder, 'none.pem'))).toThrow('ENOENT');
  });

  it('takes a file of several certificates', async () => {
    const authorities = await Promise.all([TestAuthority.create(), TestAuthority.create()]);
    const file = await fileOf(authorities.map(({ pem }) => pem).join('\n'));
    expect(() => trustedAuthorities(file)).not.toThrow();
  });
});

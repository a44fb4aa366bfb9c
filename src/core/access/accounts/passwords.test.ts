import argon2 from '@node-rs/argon2';
import { Passwords } from './passwords';

/** Algorithm, version, memory and passes: what a verification costs. */
const costOf = (hash: string) => hash.split('$').slice(0, 4);

describe('a password', () => {
  const passwords = new Passwords();
  const verify = jest.spyOn(argon2, 'verify');

  it('fits the hash that was made of it, and no other does', async () => {
    const hash = await passwords.hash('a password');
    expect(await passwords.verify(hash, 'a password')).toBe(true);
    expect(await passwords.verify(hash, 'A password')).toBe(false);
  });

  it('is compared at the same cost where there is no account, and never fits', async () => {
    const hash = await passwords.hash('a password');
    verify.mockClear();
    expect(await passwords.verify(null, 'a password')).toBe(false);
    expect(verify.mock.calls.map(([nobody]) => costOf(String(nobody)))).toEqual([costOf(hash)]);
  });
});

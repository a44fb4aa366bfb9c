import { hashSecret, isKeySecret, newKeySecret, previewOf } from './credentials';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('access key secrets', () => {
  it('refuses every single typo in the random part, without a database', () => {
    const secret = newKeySecret('test');
    for (let index = 9; index < secret.length; index += 1) {
      const other = ALPHABET.charAt((ALPHABET.indexOf(secret.charAt(index)) + 1) % ALPHABET.length);
      expect(isKeySecret(secret.slice(0, index) + other + secret.slice(index + 1), 'test')).toBe(false);
    }
  });

  it('refuses the other environment, other forms and surrounding text', () => {
    const secret = newKeySecret('live');
    const others = [
      secret.replace('live', 'test'),
      secret.slice(1),
      `${secret} `,
      `${secret}\n`,
      '',
      'svc_live_',
    ];
    expect(others.filter((text) => isKeySecret(text, 'live'))).toEqual([]);
    expect(isKeySecret(secret, 'test')).toBe(false);
  });

  it('makes secrets of the documented form that no other has', () => {
    const secrets = Array.from({ length: 1000 }, () => newKeySecret('live'));
    expect(new Set(secrets).size).toBe(1000);
    expect(
      secrets.every((secret) => /^svc_live_[0-9A-Za-z]{38}$/.test(secret) && isKeySecret(secret, 'live')),
    ).toBe(true);
  });

  it('shows too little in a preview to guess the rest, and stores a hash only', () => {
    const secret = newKeySecret('test');
    expect(previewOf(secret)).toBe(`${secret.slice(0, 13)}…${secret.slice(-4)}`);
    expect(hashSecret(secret)).toHaveLength(32);
  });
});

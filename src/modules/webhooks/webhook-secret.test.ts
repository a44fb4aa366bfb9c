import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Unprocessable } from '../../errors/api-errors';
import { customerSecret, newWebhookSecret } from './webhooks.repository';

const base64Of = (bytes: number) => Buffer.alloc(bytes, 7).toString('base64');

describe('a secret that a customer gives', () => {
  it.each([
    ['too short', 'x'.repeat(15)],
    ['too long', 'x'.repeat(129)],
    ['with a letter that is no ASCII', `${'x'.repeat(20)}é`],
    ['with a line break', `${'x'.repeat(20)}\n`],
    ['that is only the prefix and too little of base64', `whsec_${base64Of(23)}`],
    ['with too much base64', `whsec_${base64Of(65)}`],
    ['whose prefix is followed by no base64', 'whsec_not-base64-at-all-but-long-enough'],
    ['whose base64 lacks its end', `whsec_${base64Of(32).slice(0, -1)}`],
    ['whose base64 is that of URLs', `whsec_${Buffer.alloc(32, 255).toString('base64url')}`],
  ])('is refused: %s', (_, secret) => {
    expect(() => customerSecret(secret)).toThrow(Unprocessable);
  });

  it.each([
    'x'.repeat(16),
    'y'.repeat(128),
    'with blanks and ~ signs!',
    `whsec_${base64Of(24)}`,
    `whsec_${base64Of(64)}`,
  ])('is taken as it is: %s', (secret) => {
    expect(customerSecret(secret)).toBe(secret);
  });
});

describe('a generated secret', () => {
  it('is one that a customer could give, that libraries take, and that nobody else has', () => {
    const secrets = Array.from({ length: 100 }, newWebhookSecret);
    expect(new Set(secrets).size).toBe(100);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(customerSecret(secret)).toBe(secret);
      expect(() => new StandardWebhook(secret)).not.toThrow();
    }
  });
});

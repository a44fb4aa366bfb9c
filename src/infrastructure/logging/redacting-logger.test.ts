import { redact } from './redacting-logger';

describe('redact', () => {
  const key = `svc_live_${'Ab3dE6gH'.repeat(4)}x9Yz01`;
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9mLXRoaXM';

  it.each([
    ['an access key', `refused ${key}`, key.slice(13)],
    ['an account token', `token ${token}`, token.slice(10)],
    ['a bearer header', 'Authorization: Bearer abcdefgh', 'abcdefgh'],
    ['a webhook secret', 'whsec_abcdefghij', 'cdefghij'],
    ['a database password', 'postgres://app:hunter2@db/app', 'hunter2'],
    ['a password in JSON', '{"email":"a","password":"hunter2"}', 'hunter2'],
  ])('takes %s out of a text', (_, text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it('looks into objects, lists and errors', () => {
    const text = JSON.stringify(redact({ list: [{ deep: key }], error: new Error(`failed with ${key}`) }));
    expect(text).not.toContain(key.slice(13));
    expect(text).toContain('failed with svc_live_');
  });

  it('leaves everything else as it is', () => {
    expect(redact({ status: 200, message: 'served', list: [null, true] })).toEqual({
      status: 200,
      message: 'served',
      list: [null, true],
    });
  });
});

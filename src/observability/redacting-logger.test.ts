import { processorMsBelow, processorMsOf } from '../../test/support/processor-time';
import { redact } from './redacting-logger';

describe('redact', () => {
  const key = `svc_live_${'Ab3dE6gH'.repeat(4)}x9Yz01`;
  const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJlLW9mLXRoaXM';

  it.each([
    ['an access key', `refused ${key}`, key.slice(13)],
    ['an account token', `token ${token}`, token.slice(10)],
    ['a token with a certificate', `eyJ${'x5c'.repeat(800)}.cGF5bG9hZA.c2lnbmF0dXJl`, 'cGF5bG9hZA'],
    ['a bearer header', 'Authorization: Bearer abcdefgh', 'abcdefgh'],
    ['a webhook secret', 'whsec_abcdefghij', 'cdefghij'],
    ['a database password', 'postgres://app:hunter2@db/app', 'hunter2'],
    ['a password without a user', 'redis://:hunter2@cache:6379/0', 'hunter2'],
    ['a password with an @', 'cannot reach postgresql://app:hun@ter2@db:5432/app?x=1', 'ter2'],
    ['a password of two words', '{"new_password":"open hunter2","a":1}', 'hunter2'],
    ['a basic header', "authorization: 'Basic aHVudGVyMg=='", 'aHVudGVyMg'],
    ['a password in JSON', '{"email":"a","password":"hunter2"}', 'hunter2'],
    ['a password with a quote in it', String.raw`{"password":"open\"hunter2"}`, 'hunter2'],
    ['a password in JSON in JSON', JSON.stringify({ sent: '{"password":"open hunter2"}' }), 'hunter2'],
    ['a password that Node shows', "{ email: 'a', password: 'open hunter2' }", 'hunter2'],
    ['a password with a slash', 'cannot reach postgres://app:open/hunter2@db/app', 'hunter2'],
    ['a password that is a parameter', 'postgres://db/app?user=a&password=hunter2', 'hunter2'],
    ['the headers that Node shows', "{ 'x-api-key': 'hunter2', cookie: 'sid=hunter2' }", 'hunter2'],
    ['a header', 'x-api-key: hunter2', 'hunter2'],
    ['the key of an upstream', '{"name":"main","api_key":"hunter2"}', 'hunter2'],
    ['the key in an address', 'GET https://models.example/v1?api-key=hunter2', 'hunter2'],
    ['the token of a socket', 'GET /api/ws/stream?token=hunter2&room=a', 'hunter2'],
    ['a header for a collector', 'OTEL_EXPORTER_OTLP_HEADERS=x-team=hunter2,x-b=1', 'hunter2'],
    ['a variable', 'JWT_SECRET=hunter2 PORT=3000', 'hunter2'],
    ['a private extended key', `xprv9s21Z${'rQH143K3'.repeat(13)}`, 'rQH143K3'],
  ])('takes %s out of a text', (_, text, secret) => {
    expect(redact(text)).not.toContain(secret);
  });

  it('says what is left of a text', () => {
    expect(redact("{ 'x-api-key': 'hunter2', method: 'GET' }")).toBe(
      "{ 'x-api-key': '[redacted]', method: 'GET' }",
    );
    expect(redact('Unexpected token } in JSON at position 3')).toBe(
      'Unexpected token } in JSON at position 3',
    );
    expect(redact('max_tokens: 12')).toBe('max_tokens: 12');
  });

  it.each(['password', String.raw`token=\\`, "x-api-key'", 'postgres://a:', '//a:', "secret: '", 'eyJ'])(
    'takes time in proportion to a text that is made of %s',
    async (text) => {
      const redacted = (length: number) => () => redact(text.repeat(length / text.length));
      redacted(100_000)();
      const limitMs = 10 * Math.max(20, await processorMsOf(redacted(100_000)));
      expect(await processorMsBelow(limitMs, redacted(400_000))).toBeLessThan(limitMs);
    },
  );

  it('looks into objects, lists and errors', () => {
    const text = JSON.stringify(redact({ list: [{ deep: key }], error: new Error(`failed with ${key}`) }));
    expect(text).not.toContain(key.slice(13));
    expect(text).toContain('failed with svc_live_');
  });

  it.each([
    ['password', 'x'],
    ['webhookSecret', 'x'],
    ['token', 12],
    ['Authorization', ['x']],
    ['x-api-key', { x: 1 }],
    ['accessKey', 'x'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'x-team=x'],
  ])('replaces the member %s, whatever it looks like', (name, member) => {
    expect(redact({ deep: [{ [name]: member }] })).toEqual({ deep: [{ [name]: '[redacted]' }] });
  });

  it('tells whether there is a secret, and counts of tokens', () => {
    const told = { secret: null, token: false, max_tokens: 12, password: undefined };
    expect(redact(told)).toEqual(told);
  });

  it('leaves the rest of an address', () => {
    expect(redact('redis://:hunter2@cache:6379/0')).toBe('redis://:[redacted]@cache:6379/0');
    expect(redact('see http://127.0.0.1:3000/docs and mail a@b.example')).toContain('127.0.0.1:3000/docs');
  });

  it('ends with an object that contains itself', () => {
    const circle: Record<string, unknown> = { name: 'one' };
    circle.self = circle;
    expect(JSON.stringify(redact(circle))).toContain('nested too deep');
  });

  it('leaves everything else as it is', () => {
    expect(redact({ status: 200, message: 'served', list: [null, true] })).toEqual({
      status: 200,
      message: 'served',
      list: [null, true],
    });
  });
});

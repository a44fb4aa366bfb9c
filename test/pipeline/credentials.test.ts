import { createHmac } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import { newKeySecret } from '../../src/accounts/credentials';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { anyMemory } from '../support/api/store-memory';
import { keyVerdict, tokenVerdict } from '../support/api/credential-verdict';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const SECRET = 'a secret for tests that nobody else has: 0123456789';
const ACCEPTED = 'accepted';

type Headers = Record<string, string>;
type HeadersOf = (world: World) => Headers;

/** On an operation for access keys. */
const ON_KEY_ROUTE: [string, HeadersOf, string][] = [
  ['a key as X-API-Key', ({ owner }) => ({ 'x-api-key': owner.key }), ACCEPTED],
  ['a key as bearer', ({ owner }) => ({ authorization: `Bearer ${owner.key}` }), ACCEPTED],
  ['a lower-case scheme', ({ owner }) => ({ authorization: `bearer ${owner.key}` }), ACCEPTED],
  ['an upper-case scheme', ({ owner }) => ({ authorization: `BEARER ${owner.key}` }), ACCEPTED],
  ['more space than needed', ({ owner }) => ({ authorization: `Bearer   ${owner.key} ` }), ACCEPTED],
  ['an empty X-API-Key beside a bearer', ({ owner }) => both('', owner.key), ACCEPTED],
  ['a key beside a nonsense bearer', ({ owner }) => both(owner.key, 'nonsense'), ACCEPTED],
  ['a key beside a token', ({ owner }) => both(owner.key, owner.token), ACCEPTED],
  ['a nonsense key beside a good bearer', ({ owner }) => both('nonsense', owner.key), 'Invalid API key'],
  ['nothing', () => ({}), 'Missing API key'],
  ['empty headers', () => ({ 'x-api-key': '', authorization: '' }), 'Missing API key'],
  ['a scheme alone', () => ({ authorization: 'Bearer ' }), 'Missing API key'],
  ['a key without a scheme', ({ owner }) => ({ authorization: owner.key }), 'Missing API key'],
  ['another scheme', ({ owner }) => ({ authorization: `Basic ${owner.key}` }), 'Missing API key'],
  ['two words as bearer', ({ owner }) => ({ authorization: `Bearer ${owner.key} x` }), 'Missing API key'],
  ['a token as bearer', ({ owner }) => ({ authorization: `Bearer ${owner.token}` }), 'Invalid API key'],
  ['a token as X-API-Key', ({ owner }) => ({ 'x-api-key': owner.token }), 'Invalid API key'],
  ['an unknown key', () => ({ 'x-api-key': newKeySecret('test') }), 'Invalid API key'],
  ['a key of the other environment', () => ({ 'x-api-key': newKeySecret('live') }), 'Invalid API key'],
  ['a key with a typing error', ({ owner }) => ({ 'x-api-key': mistyped(owner.key) }), 'Invalid API key'],
  ['a key in upper case', ({ owner }) => ({ 'x-api-key': owner.key.toUpperCase() }), 'Invalid API key'],
  ['two keys at once', ({ owner }) => ({ 'x-api-key': `${owner.key}, ${owner.key}` }), 'Invalid API key'],
];

/** On an operation for account tokens. */
const ON_TOKEN_ROUTE: [string, HeadersOf, string][] = [
  ['a token as bearer', ({ owner }) => ({ authorization: `Bearer ${owner.token}` }), ACCEPTED],
  ['a lower-case scheme', ({ owner }) => ({ authorization: `bearer ${owner.token}` }), ACCEPTED],
  ['an upper-case scheme', ({ owner }) => ({ authorization: `BEARER ${owner.token}` }), ACCEPTED],
  ['a token beside a key', ({ owner }) => both(owner.key, owner.token), ACCEPTED],
  ['nothing', () => ({}), 'Missing token'],
  ['a scheme alone', () => ({ authorization: 'Bearer' }), 'Missing token'],
  ['another scheme', ({ owner }) => ({ authorization: `Basic ${owner.token}` }), 'Missing token'],
  ['a token without a scheme', ({ owner }) => ({ authorization: owner.token }), 'Missing token'],
  ['a key as bearer', ({ owner }) => ({ authorization: `Bearer ${owner.key}` }), 'Invalid token'],
  ['a key as X-API-Key', ({ owner }) => ({ 'x-api-key': owner.key }), 'Invalid token'],
  ['a token as X-API-Key', ({ owner }) => ({ 'x-api-key': owner.token }), 'Invalid token'],
];

/** What somebody without, or even with, the secret could make out of the owner's claims. */
const FORGED: [string, (claims: object) => string, string][] = [
  [
    'signed with nothing',
    (claims) => `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`,
    'Invalid token',
  ],
  ['signed with another secret', (claims) => signed(claims, { secret: `${SECRET}!` }), 'Invalid token'],
  ['signed in another way', (claims) => signed(claims, { algorithm: 'HS512' }), 'Invalid token'],
  ['without its signature', (claims) => signed(claims).replace(/[^.]+$/, ''), 'Invalid token'],
  ['of another account', (claims) => signed({ ...claims, sub: newId() }), 'Invalid token'],
  ['of another version', (claims) => signed({ ...claims, ver: 2 }), 'Invalid token'],
  ['without a version', (claims) => signed({ ...claims, ver: undefined }), 'Invalid token'],
  ['with an id that is none', (claims) => signed({ ...claims, jti: 'session-1' }), 'Invalid token'],
  ['of an account that is none', (claims) => signed({ ...claims, sub: "' OR true; --" }), 'Invalid token'],
  ['that never ends', (claims) => signed({ ...claims, exp: undefined }), 'Token expired'],
  ['that ends in a text', (claims) => signed({ ...claims, exp: '9999999999' }), 'Token expired'],
  ['that has ended', (claims) => signed({ ...claims, exp: 1_700_000_000 }), 'Token expired'],
];

describe('credentials', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  async function verdict(operation: 'listModels' | 'getCurrentUser', headers: Headers, ip = world.ip) {
    const answer = await service.call(operation, { headers, ip });
    const challenge = answer.headers['www-authenticate'];
    expect(challenge).toBe(answer.status === 401 ? 'Bearer' : undefined);
    return answer.status === 200 ? ACCEPTED : answer.body.error;
  }

  describe('on an operation for access keys', () => {
    it.each(ON_KEY_ROUTE)('%s', async (_, headers, expected) => {
      expect(await verdict('listModels', headers(world))).toBe(expected);
    });
  });

  describe('on an operation for account tokens', () => {
    it.each(ON_TOKEN_ROUTE)('%s', async (_, headers, expected) => {
      expect(await verdict('getCurrentUser', headers(world))).toBe(expected);
    });
  });

  it('tells by the form of what is shown, and by nothing else, which kind is wanted', async () => {
    const message = async (operation: 'listModels' | 'getCurrentUser', headers: Headers) =>
      (await service.call(operation, { headers, ip: world.ip })).body.message;
    const { key, token } = world.owner;
    for (const shown of [token, `${token.slice(0, -4)}AAAA`]) {
      for (const headers of [{ authorization: `Bearer ${shown}` }, { 'x-api-key': shown }] as Headers[]) {
        expect(await message('listModels', headers)).toMatch(/^This operation takes an access key/);
      }
    }
    for (const shown of [key, newKeySecret('test'), 'svc_nonsense']) {
      for (const headers of [{ authorization: `Bearer ${shown}` }, { 'x-api-key': shown }] as Headers[]) {
        expect(await message('getCurrentUser', headers)).toMatch(/^This operation takes an account token/);
      }
    }
    expect(await message('listModels', { 'x-api-key': 'nonsense' })).toBe(
      'The access key is not valid. Create one with POST /api/keys.',
    );
    const nonsense = { authorization: 'Bearer nonsense' };
    expect(await message('getCurrentUser', nonsense)).toBe(
      'The account token is not valid. Log in again with POST /api/auth/login.',
    );
  });

  it.each(FORGED)('refuses a token %s', async (_, forge, expected) => {
    const claims = JSON.parse(
      Buffer.from(world.owner.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    expect(await tokenVerdict(world, signed(claims))).toBe(ACCEPTED);
    expect(await tokenVerdict(world, forge(claims))).toBe(expected);
  });

  it('does not believe the role that a token names', async () => {
    const claims = JSON.parse(
      Buffer.from(world.owner.token.split('.')[1] ?? '', 'base64url').toString(),
    ) as object;
    const credential = signed({ ...claims, role: 'admin' });
    expect((await service.call('listUsers', { credential, ip: world.ip })).status).toBe(403);
  });

  describe('in headers of any kind', () => {
    const ODD = [
      '\0',
      'svc_test_\0',
      '\r\nX-Role: admin',
      '💰'.repeat(20),
      'é'.repeat(40),
      "' OR 1=1; --",
      'null',
      '..',
      'x'.repeat(100_000),
      `svc_test_${'a'.repeat(100_000)}`,
      `${'.'.repeat(10_000)}`,
      'eyJhbGciOiJIUzI1NiJ9..',
      `${encoded({ alg: 'HS256' })}.${Buffer.from('not JSON').toString('base64url')}.x`,
    ];

    it.each(['listModels', 'getCurrentUser'] as const)(
      'are refused by %s, never the end of it',
      async (operation) => {
        for (const [index, odd] of ODD.entries()) {
          const places: Headers[] = [
            { 'x-api-key': odd },
            { authorization: odd },
            { authorization: `Bearer ${odd}` },
          ];
          for (const headers of places) {
            const refused = await verdict(operation, headers, `192.0.2.${index}`);
            expect(refused).toMatch(/^(?:Missing|Invalid) (?:API key|token)$/);
          }
        }
      },
    );

    it('are refused whatever somebody makes up', async () => {
      let address = 0;
      const anything = fc.oneof(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.stringMatching(/^svc_test_[0-9A-Za-z]{38}$/),
        fc.stringMatching(/^[\w-]{0,30}\.[\w-]{0,30}\.[\w-]{0,30}$/),
      );
      await fc.assert(
        fc.asyncProperty(anything, fc.boolean(), async (made, isBearer) => {
          const headers: Headers = isBearer ? { authorization: `Bearer ${made}` } : { 'x-api-key': made };
          address += 1;
          const ip = `198.18.${address >> 8}.${address & 255}`;
          expect(await verdict('listModels', headers, ip)).toMatch(/^(?:Missing|Invalid) API key$/);
          expect(await verdict('getCurrentUser', headers, ip)).toMatch(/^(?:Missing|Invalid) token$/);
        }),
        { numRuns: 150 },
      );
    });

    it('are refused on a real connection where they are no HTTP, and the service goes on', async () => {
      await service.app.listen(0, '127.0.0.1');
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const answers = [
        await exchange(port, 'X-API-Key: a\0b'),
        await exchange(port, `X-API-Key: ${'x'.repeat(20_000)}`),
        await exchange(port, `X-API-Key: ${world.owner.key}`),
      ];
      expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual([
        'HTTP/1.1 400 Bad Request',
        'HTTP/1.1 431 Request Header Fields Too Large',
        'HTTP/1.1 200 OK',
      ]);
    });
  });

  describe('of a rotated key', () => {
    it('spend from one limit, old secret and new, until the old one ends', async () => {
      await world.setLimits(world.owner, { dailyLimitNano: 200_000n });
      const { body } = await callAs('rotateKey', world, {
        params: { key_id: world.owner.keyId },
        body: { overlap_seconds: 60 },
      });
      const write = async (credential: string) =>
        (await callAs('createMemory', world, { ...anyMemory(), credential })).status;
      expect([await write(world.owner.key), await write(body.key_value)]).toEqual([201, 201]);
      expect([await write(world.owner.key), await write(body.key_value)]).toEqual([402, 402]);
      service.clock.advance(60_000);
      expect([await write(world.owner.key), await write(body.key_value)]).toEqual([401, 402]);
    });
  });

  describe('of a disabled account', () => {
    const setActive = async (isActive: boolean) => {
      const params = { user_id: world.owner.id };
      const answer = await callAs('updateUser', world, { params, body: { is_active: isActive } });
      expect(answer.status).toBe(200);
    };

    it('are refused at once, on every replica, and nothing more is charged', async () => {
      const replica = await service.startReplica();
      try {
        expect(await keyVerdict(world, world.owner.key)).toBe(ACCEPTED);
        expect(await keyVerdict(world, world.owner.key, replica)).toBe(ACCEPTED);
        const before = await world.balanceNanoUsd();
        await setActive(false);
        expect(await keyVerdict(world, world.owner.key)).toBe('Invalid API key');
        expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
        expect(await tokenVerdict(world, world.owner.token, replica)).toBe('Invalid token');
        const paid = await replica.call('createMemory', {
          ...anyMemory(),
          credential: world.owner.key,
          ip: world.ip,
        });
        expect([paid.status, paid.body.error]).toEqual([401, 'Invalid API key']);
        await until('the other replica has heard of it', async () => {
          return (await keyVerdict(world, world.owner.key, replica)) === 'Invalid API key';
        });
        expect(await world.balanceNanoUsd()).toBe(before);
      } finally {
        await replica.stop();
      }
    });

    it('leave those of other accounts alone', async () => {
      await setActive(false);
      expect(await keyVerdict(world, world.stranger.key)).toBe(ACCEPTED);
      expect(await tokenVerdict(world, world.stranger.token)).toBe(ACCEPTED);
    });

    it('serve again once it is enabled, but for the tokens of before', async () => {
      await setActive(false);
      await setActive(true);
      expect(await keyVerdict(world, world.owner.key)).toBe(ACCEPTED);
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
      const { email, password } = world.owner;
      const session = await callAs('login', world, { body: { email, password } });
      expect(await tokenVerdict(world, session.body.token)).toBe(ACCEPTED);
    });
  });
});

function both(key: string, bearer: string): Headers {
  return { 'x-api-key': key, authorization: `Bearer ${bearer}` };
}

/** The secret with one other letter in it. */
function mistyped(secret: string): string {
  return `${secret.slice(0, 20)}${secret[20] === 'a' ? 'b' : 'a'}${secret.slice(21)}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function signed(claims: object, { secret = SECRET, algorithm = 'HS256' } = {}): string {
  const content = `${encoded({ alg: algorithm, typ: 'JWT' })}.${encoded(claims)}`;
  const signature = createHmac(algorithm.replace('HS', 'sha'), secret).update(content).digest('base64url');
  return `${content}.${signature}`;
}

/** What a request with one header is answered with, byte for byte. */
async function exchange(port: number, header: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`GET /v1/models HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${header}\r\n\r\n`);
  return text(socket);
}

import { callAs } from '../../support/api/call-as';
import { BrowserSession, OWN_PAGE } from '../../support/api/browser-session';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

describeOperation(
  'startSession',
  ({ owner }) => ({ body: { email: owner.email, password: owner.password }, headers: OWN_PAGE }),
  (status) => {
    status(401, 'refuses a wrong password as login does, and sets no cookie', async (world) => {
      const body = { email: world.owner.email, password: 'wrong horse battery staple' };
      const answer = await callAs('startSession', world, { body, headers: OWN_PAGE });
      expect([answer.status, answer.body.error]).toEqual([401, 'Invalid credentials']);
      expect(answer.headers['set-cookie']).toBeUndefined();
    });
    status(403, 'refuses whatever does not come from a page of the service', async (world) => {
      const without = (name: keyof typeof OWN_PAGE) =>
        Object.fromEntries(Object.entries(OWN_PAGE).filter(([header]) => header !== name));
      const pages: Record<string, string>[] = [
        { ...OWN_PAGE, origin: 'https://evil.example' },
        { ...OWN_PAGE, origin: 'null' },
        { ...OWN_PAGE, origin: 'http://localhost:8080' },
        { ...OWN_PAGE, origin: 'http://localhost.evil.example' },
        { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' },
        { ...OWN_PAGE, 'sec-fetch-site': 'same-site' },
        { ...OWN_PAGE, 'x-console': '0' },
        without('origin'),
        without('x-console'),
        { ...OWN_PAGE, host: 'service.home:3000', origin: 'http://service.home:3000' },
      ];
      for (const headers of pages) {
        const answer = await start(world, headers);
        expect([headers, answer.status, answer.headers['set-cookie']]).toEqual([headers, 403, undefined]);
      }
    });
    status(200, 'sets a cookie that no script reads and no other site sends', async (world) => {
      const local = await start(world, OWN_PAGE);
      expect(local.body).toMatchObject({ kind: 'cookie', user: { id: world.owner.id, role: 'user' } });
      expect(local.headers['set-cookie']).toMatch(
        /^console=[\w.-]{80,}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/,
      );
      const secure = { ...OWN_PAGE, host: 'api.example', origin: 'https://api.example' };
      expect((await start(world, secure)).headers['set-cookie']).toMatch(
        /^__Host-console=[\w.-]{80,}; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure$/,
      );
    });
    status(200, 'keeps the hash of the secret alone', async (world) => {
      const { cookie } = await BrowserSession.start(world);
      const [, secret = ''] = cookie.split('=');
      const rows: object[] = await world.service.database.query('SELECT * FROM console_sessions');
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(JSON.stringify(rows)).not.toContain(secret.split('.')[0]);
      expect(rows.length).toBeGreaterThan(0);
    });
    status(200, 'ends the oldest of more than 50', async (world) => {
      const first = await BrowserSession.start(world);
      world.service.clock.advance(60_000);
      await world.service.database.query(
        `INSERT INTO console_sessions (id, account_id, secret_hash, token_version, created_at, proven_at, expires_at, user_agent)
         SELECT gen_random_uuid(), account_id, sha256(n::text::bytea), token_version, created_at + interval '1 second', proven_at,
           expires_at, '' FROM console_sessions, generate_series(1, 49) AS n WHERE id = $1`,
        [first.id],
      );
      expect(await first.verdict()).toBe(200);
      const last = await BrowserSession.start(world);
      expect(await first.verdict()).toBe('Invalid token');
      expect(await last.verdict()).toBe(200);
    });
  },
);

async function start(world: World, headers: Record<string, string>) {
  const { email, password } = world.owner;
  // Right passwords are not held back, but calls from one address are.
  world.service.clock.advance(60_000);
  return callAs('startSession', world, { body: { email, password }, headers });
}

import { Accounts } from '../../../src/core/access/accounts/accounts.repository';
import { Passwords } from '../../../src/core/access/accounts/passwords';
import { newId } from '../../../src/infrastructure/ids/ids';
import { callAs } from '../../support/api/call-as';
import { tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { ApiAnswer } from '../../support/api/service';
import type { World } from '../../support/api/world';

const FAILURES_MAX = 10;
const WINDOW_SECONDS = 15 * 60;

describeOperation(
  'login',
  ({ owner: { email, password } }) => ({ body: { email, password } }),
  (status) => {
    status(400, 'refuses a body without the two texts', async (world) => {
      const { email, password } = world.owner;
      const bodies = [
        { email },
        { password },
        { email, password: '' },
        { email, password: 'x'.repeat(129) },
        undefined,
      ];
      for (const body of [
        ...bodies,
        { email: 'ada', password },
        { email: { $ne: '' }, password },
        { email, password, role: 'admin' },
      ]) {
        expect((await callAs('login', world, { body })).status).toBe(400);
      }
    });

    status(
      401,
      'refuses a wrong password, an unknown address and a disabled account alike',
      async (world) => {
        const { email, password } = world.owner;
        const verify = jest.spyOn(world.service.app.get(Passwords), 'verify');
        const wrong = await logIn(world, email, 'not the password');
        const unknown = await logIn(world, `${newId()}@example.com`, password);
        await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: false }));
        const disabled = await logIn(world, email, password);
        expect([wrong.status, wrong.body.error]).toEqual([401, 'Invalid credentials']);
        expect([unknown, disabled].map(withoutCall)).toEqual([withoutCall(wrong), withoutCall(wrong)]);
        // Each has cost one verification, so the time tells no more than the answer. For whoever is unknown there is no hash.
        const hash = expect.stringContaining('$argon2id$');
        expect(verify.mock.calls).toEqual([
          [hash, 'not the password'],
          [null, password],
          [hash, password],
        ]);
        verify.mockRestore();
      },
    );
    status(401, 'refuses the password of another account and one of other case or length', async (world) => {
      const { email, password } = world.owner;
      for (const wrong of [password.toUpperCase(), password.slice(0, -1), `${password} `, ` ${password}`]) {
        expect((await logIn(world, email, wrong)).status).toBe(401);
      }
      expect((await logIn(world, email, password)).status).toBe(200);
    });

    status(
      429,
      'refuses even the right password after ten failures from anywhere, with the time to wait',
      async (world) => {
        const { email, password } = world.owner;
        const failures = await fail(world, email, FAILURES_MAX);
        expect(failures).toEqual(Array(FAILURES_MAX).fill(401));
        const answer = await logIn(world, email, password, nextIp());
        expect([answer.status, answer.body.error]).toEqual([429, 'Rate limit exceeded']);
        expect(answer.body.retry_after).toBe(WINDOW_SECONDS);
        expect(answer.headers['retry-after']).toBe(String(WINDOW_SECONDS));
      },
    );
    status(429, 'tells the limit and the window of the guesses, not those of the address', async (world) => {
      await fail(world, world.owner.email, FAILURES_MAX);
      const { body, headers } = await logIn(world, world.owner.email, world.owner.password, nextIp());
      expect([body.limit, body.window]).toEqual([FAILURES_MAX, `${WINDOW_SECONDS}s`]);
      const resetAt = Math.ceil(world.service.clock.now().getTime() / 1000) + WINDOW_SECONDS;
      expect(headers).toMatchObject({
        'x-ratelimit-limit': String(FAILURES_MAX),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(resetAt),
        'x-ratelimit-window': String(WINDOW_SECONDS),
      });
    });
    status(429, 'counts every spelling of an address together', async (world) => {
      const { email, password } = world.owner;
      await fail(world, email, FAILURES_MAX - 1);
      await fail(world, email.toUpperCase(), 1);
      expect((await logIn(world, email, password, nextIp())).status).toBe(429);
    });
    status(429, 'gives no further guess for any other spelling of an address', async (world) => {
      const { password } = world.owner;
      const email = `fik.${newId().slice(-8)}@example.com`;
      await callAs('register', world, { body: { email, password, username: newId().slice(-12) } });
      const spellings = ['FIK', 'fİk', 'fIK', 'ﬁk', 'ｆｉｋ', 'ＦＩＫ', 'fi\u212A', 'fık', 'fi̇k'];
      for (const spelling of spellings) {
        expect([200, 401]).toContain((await logIn(world, email.replace('fik', spelling), password)).status);
      }
      await fail(world, email, FAILURES_MAX);
      for (const spelling of ['fik', ...spellings]) {
        const guess = await logIn(world, email.replace('fik', spelling), password, nextIp());
        expect([spelling, guess.status]).not.toEqual([spelling, 200]);
      }
    });
    status(
      429,
      'limits an unknown address alike, so that the refusal does not tell who exists',
      async (world) => {
        const email = `${newId()}@example.com`;
        const known = await fail(world, world.owner.email, FAILURES_MAX + 1);
        expect(await fail(world, email, FAILURES_MAX + 1)).toEqual(known);
      },
    );
    status(429, 'judges no more than ten guesses when thirty arrive at once', async (world) => {
      const guesses = Array.from({ length: 30 }, (_, index) =>
        logIn(world, world.owner.email, `guess ${index}`, nextIp()),
      );
      const statuses = (await Promise.all(guesses)).map((answer) => answer.status);
      expect(statuses.filter((code) => code === 401)).toHaveLength(FAILURES_MAX);
      expect(statuses.filter((code) => code === 429)).toHaveLength(30 - FAILURES_MAX);
    });

    status(200, 'is possible again as soon as the failures are 15 minutes old', async (world) => {
      const { email, password } = world.owner;
      await fail(world, email, FAILURES_MAX);
      world.service.clock.advance(WINDOW_SECONDS * 1000 - 1);
      expect((await logIn(world, email, password, nextIp())).status).toBe(429);
      world.service.clock.advance(1);
      expect((await logIn(world, email, password, nextIp())).status).toBe(200);
    });
    status(200, 'is not touched by the failures of another account', async (world) => {
      await fail(world, world.stranger.email, FAILURES_MAX);
      expect((await logIn(world, world.owner.email, world.owner.password, nextIp())).status).toBe(200);
    });
    status(200, 'forgets the failures before it', async (world) => {
      const { email, password } = world.owner;
      await fail(world, email, FAILURES_MAX - 1);
      expect((await logIn(world, email, password, nextIp())).status).toBe(200);
      expect(await fail(world, email, FAILURES_MAX - 1)).toEqual(Array(FAILURES_MAX - 1).fill(401));
      expect((await logIn(world, email, password, nextIp())).status).toBe(200);
    });
    status(200, 'serves logins of one account at once, as long as none fails', async (world) => {
      const { email, password } = world.owner;
      const logins = Array.from({ length: FAILURES_MAX }, () => logIn(world, email, password, nextIp()));
      expect((await Promise.all(logins)).map((answer) => answer.status)).toEqual(
        Array(FAILURES_MAX).fill(200),
      );
    });
    status(200, 'returns a token that works for 24 hours and says whose it is', async (world) => {
      const { id, email, password } = world.owner;
      const { status: code, body } = await logIn(world, email.toUpperCase(), password);
      expect([code, body.user]).toMatchObject([200, { id, email, role: 'user' }]);
      const issuedAt = Math.floor(world.service.clock.now().getTime() / 1000);
      expect(Date.parse(body.expires_at)).toBe((issuedAt + 86_400) * 1000);
      expect(claimsOf(body.token)).toEqual({
        sub: id,
        jti: expect.any(String),
        role: 'user',
        ver: 1,
        iat: issuedAt,
        exp: issuedAt + 86_400,
      });
      world.service.clock.set(new Date((issuedAt + 86_400) * 1000 - 1).toISOString());
      expect(await tokenVerdict(world, body.token)).toBe('accepted');
      world.service.clock.advance(1);
      expect(await tokenVerdict(world, body.token)).toBe('Token expired');
    });
    status(200, 'is possible by every spelling with the same normal form', async (world) => {
      const { password } = world.owner;
      const email = `fik.${newId().slice(-8)}@example.com`;
      await callAs('register', world, { body: { email, password, username: newId().slice(-12) } });
      for (const spelling of ['FIK', 'ﬁk', 'ＦＩＫ', 'fi\u212A']) {
        const answer = await logIn(world, email.replace('fik', spelling), password);
        expect([spelling, answer.status]).toEqual([spelling, 200]);
        expect(answer.body.user.email).toBe(email);
      }
    });
    status(200, 'gives every login a token of its own', async (world) => {
      const { email, password } = world.owner;
      const [first, second] = await Promise.all([
        logIn(world, email, password),
        logIn(world, email, password),
      ]);
      expect((await callAs('logout', world, { credential: first?.body.token })).status).toBe(204);
      expect(await tokenVerdict(world, first?.body.token ?? '')).toBe('Invalid token');
      expect(await tokenVerdict(world, second?.body.token ?? '')).toBe('accepted');
    });
  },
);

let ips = 0;

/** An address that nobody else calls from, so that only the limit per account can refuse. */
function nextIp(): string {
  ips += 1;
  return `172.16.${ips >> 8}.${ips & 255}`;
}

async function logIn(world: World, email: string, password: string, ip = world.ip) {
  return callAs('login', world, { body: { email, password }, ip });
}

/** The statuses of so many logins with a wrong password, one after the other. */
async function fail(world: World, email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    statuses.push((await logIn(world, email, 'not the password', nextIp())).status);
  }
  return statuses;
}

function withoutCall({ status, body }: ApiAnswer<'login'>): unknown {
  return { status, ...body, request_id: null, timestamp: null };
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

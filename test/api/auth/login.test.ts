import { Accounts } from '../../../src/accounts/accounts';
import { LoginAddresses, LoginAttempts, Passwords } from '../../../src/accounts/password-login';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../../support/api/call-as';
import { tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation } from '../../support/api/describe-operation';
import type { ApiAnswer } from '../../support/api/service';
import type { World } from '../../support/api/world';

/** What one address may try at one account at once, and within 15 minutes; and what all strangers may within an hour. */
const AT_ONCE_MAX = 3;
const FAILURES_MAX = 10;
const STRANGERS_FAILURES_MAX = 100;
const WINDOW_SECONDS = 15 * 60;
const DAY_MS = 24 * 3_600_000;

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
        const verified = watchVerified(world);
        const wrong = await logIn(world, email, 'not the password');
        const unknown = await logIn(world, `${newId()}@example.com`, password);
        await world.service.app.get(Accounts).update(world.owner.id, () => ({ isActive: false }));
        const disabled = await logIn(world, email, password);
        expect([wrong.status, wrong.body.error]).toEqual([401, 'Invalid credentials']);
        expect([unknown, disabled].map(withoutCall)).toEqual([withoutCall(wrong), withoutCall(wrong)]);
        // Each has cost one verification, so the time tells no more than the answer. For whoever is unknown there is no hash.
        const hash = expect.stringContaining('$argon2id$');
        expect(verified()).toEqual([
          [hash, 'not the password'],
          [null, password],
          [hash, password],
        ]);
      },
    );
    status(401, 'refuses the password of another account and one of other case or length', async (world) => {
      const { email, password } = world.owner;
      for (const wrong of [password.toUpperCase(), password.slice(0, -1), `${password} `, ` ${password}`]) {
        expect((await logIn(world, email, wrong)).status).toBe(401);
        world.service.clock.advance(60_000);
      }
      expect((await logIn(world, email, password)).status).toBe(200);
    });

    status(
      429,
      'lets an address guess three times at once, then ever more slowly, and ten times in 15 minutes',
      async (world) => {
        const { email, password } = world.owner;
        expect(await fail(world, email, AT_ONCE_MAX)).toEqual([401, 401, 401]);
        for (const seconds of [1, 2, 4, 8, 16, 32, 64]) {
          const early = await logIn(world, email, password);
          expect([early.status, early.body.error]).toEqual([429, 'Rate limit exceeded']);
          expect([early.body.retry_after, early.headers['retry-after']]).toEqual([seconds, String(seconds)]);
          world.service.clock.advance(seconds * 1000);
          expect((await logIn(world, email, 'not the password')).status).toBe(401);
        }
        const left = WINDOW_SECONDS - 127;
        expect((await logIn(world, email, password)).body.retry_after).toBe(left);
        world.service.clock.advance(left * 1000 - 1);
        expect((await logIn(world, email, password)).status).toBe(429);
        world.service.clock.advance(1);
        expect((await logIn(world, email, password)).status).toBe(200);
      },
    );
    status(429, 'tells the limit and the window of the guesses, not those of the address', async (world) => {
      const { email, password } = world.owner;
      await fail(world, email, AT_ONCE_MAX);
      const { body, headers } = await logIn(world, email, password);
      expect([body.limit, body.window]).toEqual([AT_ONCE_MAX, 'second']);
      const resetAt = Math.ceil(world.service.clock.now().getTime() / 1000 + 1);
      expect(headers).toMatchObject({
        'x-ratelimit-limit': String(AT_ONCE_MAX),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(resetAt),
        'x-ratelimit-window': '1',
      });
    });
    status(429, 'counts the addresses of one IPv6 customer as one', async (world) => {
      const { email, password } = world.owner;
      const network = `2001:db8:${newId().slice(-4)}:1`;
      for (const host of ['1', '2', 'ffff:1']) {
        expect((await logIn(world, email, 'not the password', `${network}::${host}`)).status).toBe(401);
      }
      expect((await logIn(world, email, password, `${network}::4`)).status).toBe(429);
    });
    status(429, 'gives no further guess for any other spelling of an address', async (world) => {
      const { password } = world.owner;
      const email = `fik.${newId().slice(-8)}@example.com`;
      await callAs('register', world, { body: { email, password, username: newId().slice(-12) } });
      const spellings = ['FIK', 'fİk', 'fIK', 'ﬁk', 'ｆｉｋ', 'ＦＩＫ', 'fi\u212A', 'fık', 'fi̇k'];
      for (const spelling of spellings) {
        const there = await logIn(world, email.replace('fik', spelling), password, nextIp());
        expect([200, 401]).toContain(there.status);
      }
      await fail(world, email, AT_ONCE_MAX - 1);
      await fail(world, email.toUpperCase(), 1);
      for (const spelling of ['fik', ...spellings]) {
        const guess = await logIn(world, email.replace('fik', spelling), password);
        expect([spelling, guess.status]).not.toEqual([spelling, 200]);
      }
    });
    status(
      429,
      'refuses whoever is no known caller once strangers have failed a hundred times in an hour, with or without an account',
      async (world) => {
        const unknown = `${newId()}@example.com`;
        const refusals = [];
        for (const email of [world.owner.email, unknown]) {
          await failElsewhere(world, email, STRANGERS_FAILURES_MAX - 1);
          expect((await logIn(world, email, 'not the password', nextIp())).status).toBe(401);
          refusals.push(await logIn(world, email, world.owner.password, nextIp()));
        }
        const [known] = refusals;
        expect([known?.status, known?.body.retry_after]).toEqual([429, 3_600]);
        expect(refusals.map(withoutCall)).toEqual(refusals.map(() => known && withoutCall(known)));
      },
    );
    status(429, 'judges no more guesses than allowed when thirty arrive at once', async (world) => {
      const { email } = world.owner;
      await failElsewhere(world, email, STRANGERS_FAILURES_MAX - 10);
      const verified = watchVerified(world);
      const guesses = Array.from({ length: 30 }, (_, index) =>
        logIn(world, email, `guess ${index}`, nextIp()),
      );
      const statuses = (await Promise.all(guesses)).map((answer) => answer.status);
      expect(statuses.filter((code) => code === 401)).toHaveLength(10);
      expect(statuses.filter((code) => code === 429)).toHaveLength(20);
      expect(verified()).toHaveLength(10);
    });

    status(503, 'is refused at once where too many wait, which counts as no failure', async (world) => {
      const { email, password } = world.owner;
      const passwords = world.service.app.get(Passwords);
      const ends: (() => void)[] = [];
      const held = Array.from({ length: 100 }, (_, index) =>
        passwords.inTurn(`address ${index}`, () => new Promise<void>((resolve) => ends.push(resolve))),
      );
      for (let asked = 0; asked < 2 * AT_ONCE_MAX; asked += 1) {
        const answer = await logIn(world, email, password);
        expect([answer.status, answer.headers['retry-after']]).toEqual([503, '3']);
      }
      for (let ended = 0; ended < held.length; ended += 1) {
        ends[ended]?.();
        await new Promise(setImmediate);
      }
      await Promise.all(held);
      expect(await fail(world, email, AT_ONCE_MAX)).toEqual([401, 401, 401]);
    });

    status(200, 'is possible from where it was before, however often strangers fail', async (world) => {
      for (const { email, password } of [world.owner, world.admin]) {
        const [home, elsewhere] = [nextIp(), nextIp()];
        expect((await logIn(world, email, password, home)).status).toBe(200);
        await failElsewhere(world, email, STRANGERS_FAILURES_MAX);
        expect((await logIn(world, email, password, elsewhere)).status).toBe(429);
        expect((await logIn(world, email, 'not the password', home)).status).toBe(401);
        expect((await logIn(world, email, password, home)).status).toBe(200);
        expect((await logIn(world, email, password, elsewhere)).status).toBe(429);
        world.service.clock.advance(3_600_000 + 60_000);
        expect((await logIn(world, email, password, elsewhere)).status).toBe(200);
      }
    });
    status(200, 'makes its address known for 30 days, and at most 20 of them', async (world) => {
      const { id, email, password } = world.owner;
      const home = nextIp();
      expect((await logIn(world, email, password, home)).status).toBe(200);
      world.service.clock.advance(30 * DAY_MS - 1);
      await failElsewhere(world, email, STRANGERS_FAILURES_MAX);
      expect((await logIn(world, email, 'not the password', home)).status).toBe(401);
      world.service.clock.advance(1);
      expect((await logIn(world, email, password, home)).status).toBe(429);

      const addresses = world.service.app.get(LoginAddresses);
      for (let count = 0; count < 25; count += 1) {
        world.service.clock.advance(1_000);
        await addresses.remember(id, `address ${count}`);
      }
      const known = await Promise.all([4, 5, 24].map((count) => addresses.isKnown(id, `address ${count}`)));
      expect(known).toEqual([false, true, true]);
      expect(await addresses.isKnown(world.stranger.id, 'address 24')).toBe(false);
      world.service.clock.advance(30 * DAY_MS);
      await addresses.sweep();
      const left = await world.service.database.query('SELECT FROM login_addresses WHERE account_id = $1', [
        id,
      ]);
      expect(left).toEqual([]);
    });
    status(200, 'is not touched by the failures of another account', async (world) => {
      await fail(world, world.stranger.email, AT_ONCE_MAX);
      expect((await logIn(world, world.owner.email, world.owner.password)).status).toBe(200);
    });
    status(200, 'forgets the failures before it', async (world) => {
      const { email, password } = world.owner;
      for (let round = 0; round < 3; round += 1) {
        expect(await fail(world, email, AT_ONCE_MAX - 1)).toEqual([401, 401]);
        expect((await logIn(world, email, password)).status).toBe(200);
      }
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

/** The statuses of so many logins with a wrong password from the world's address, one after the other. */
async function fail(world: World, email: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < times; index += 1) {
    statuses.push((await logIn(world, email, 'not the password')).status);
  }
  return statuses;
}

/** So many wrong guesses at an account, each from another address, without what a check of a password costs. */
async function failElsewhere(world: World, account: string, times: number): Promise<void> {
  const attempts = world.service.app.get(LoginAttempts);
  for (let index = 0; index < times; index += 1) {
    const guess = { account, addressBlock: nextIp(), isKnownAddress: false };
    expect(await attempts.guess(guess, () => Promise.resolve(false))).toBe(false);
  }
}

/** Returns what was verified since: each hash, or null where there was none, with the password. */
function watchVerified(world: World): () => unknown[] {
  const passwords = world.service.app.get(Passwords);
  const inTurn = passwords.inTurn.bind(passwords);
  const verified: unknown[] = [];
  const spy = jest.spyOn(passwords, 'inTurn').mockImplementation((address, work) =>
    inTurn(address, (passwords) =>
      work({
        hash: (password) => passwords.hash(password),
        verify: (known, password) => {
          verified.push([known, password]);
          return passwords.verify(known, password);
        },
      }),
    ),
  );
  return () => {
    spy.mockRestore();
    return verified;
  };
}

function withoutCall({ status, body }: ApiAnswer<'login'>): unknown {
  return { status, ...body, request_id: null, timestamp: null };
}

function claimsOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

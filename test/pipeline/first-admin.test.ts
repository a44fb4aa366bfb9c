import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Accounts } from '../../src/accounts/accounts';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';

const MAIN = join(__dirname, '../../dist/src/main.js');
/** A process that starts after all is ended, and fails the test. */
const START_MS_MAX = 60_000;
const PASSWORD = 'the password of the operator';

/** The service is started on a database that holds accounts already, with ADMIN_EMAIL naming one of them, or none. */
describe('the first admin', () => {
  let service: TestService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    account = await createAccount(service, { creditUsd: '1' });
  });
  afterAll(async () => service.stop());

  /** Starts the service once more on the same database, hands it to `check`, and stops it. */
  async function startWith(
    email: string,
    environment: Record<string, string> = {},
    check: (started: TestService) => Promise<void> = async () => {},
  ): Promise<void> {
    const keep = { url: service.databaseUrl, drop: () => Promise.resolve() };
    const admin = { ADMIN_EMAIL: email, ADMIN_PASSWORD: PASSWORD };
    const started = await TestService.start({ ...admin, ...environment }, keep);
    try {
      await check(started);
    } finally {
      await started.stop();
    }
  }

  async function logIn(on: TestService, email: string, password: string) {
    return on.call('login', { body: { email, password } });
  }

  async function rowOf({ id }: { id: string }): Promise<Record<string, unknown>> {
    const rows: Record<string, unknown>[] = await service.database.query(
      'SELECT accounts.*, is_open FROM accounts JOIN balances ON account_id = id WHERE id = $1',
      [id],
    );
    return rows[0] ?? {};
  }

  async function disable({ id }: TestAccount): Promise<void> {
    await service.app.get(Accounts).update(id, () => ({ isActive: false }));
  }

  describe('refuses to start', () => {
    it('where an ordinary account has the address, names the switch, and changes nothing', async () => {
      const before = await rowOf(account);
      await expect(startWith(account.email.toUpperCase())).rejects.toThrow(
        /ADMIN_EMAIL .*no admin.*ADMIN_PROMOTE=true/s,
      );
      expect(await rowOf(account)).toEqual(before);
    });

    it('as a process of any role, with that text alone and status 1', async () => {
      const env = {
        PATH: process.env.PATH,
        DATABASE_URL: service.databaseUrl,
        ACCOUNT_SCHEMAS: process.env.TEST_ACCOUNT_SCHEMAS ?? '1',
        JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
        ADMIN_EMAIL: account.email,
        ADMIN_PASSWORD: PASSWORD,
        LOG_LEVEL: 'fatal',
        PORT: '0',
      };
      const ends = ['all', 'worker'].map((ROLE) =>
        promisify(execFile)(process.execPath, [MAIN], { env: { ...env, ROLE }, timeout: START_MS_MAX }),
      );
      const stderr: unknown = expect.stringMatching(
        /^The configuration is not valid:\n {2}ADMIN_EMAIL .*\n$/,
      );
      const refused = { reason: { code: 1, stderr } };
      expect(await Promise.allSettled(ends)).toMatchObject([refused, refused]);
    });

    it('where the only admin is the disabled account of that address', async () => {
      const admin = await createAccount(service, { creditUsd: '0', role: 'admin' });
      await disable(admin);
      await service.database.query("UPDATE accounts SET is_active = false WHERE role = 'admin'");
      await expect(startWith(admin.email)).rejects.toThrow('ADMIN_EMAIL');
      await createAccount(service, { creditUsd: '0', role: 'admin' });
      await startWith(admin.email);
      expect(await rowOf(admin)).toMatchObject({ role: 'admin', is_active: false, is_open: false });
    });

    it('with an address whose normal form is none', async () => {
      await expect(startWith('ada＠@example.com')).rejects.toThrow('ADMIN_EMAIL');
    });
  });

  describe('with ADMIN_PROMOTE=true', () => {
    const PROMOTE = { ADMIN_PROMOTE: 'true' };

    it('is the ordinary account with the address: with the given password, and none of its tokens', async () => {
      await startWith(account.email, PROMOTE, async (started) => {
        expect((await logIn(started, account.email, account.password)).status).toBe(401);
        const session = await logIn(started, account.email, PASSWORD);
        expect(session.body.user).toMatchObject({ id: account.id, role: 'admin' });
        const reconciliation = await started.call('getReconciliation', { credential: session.body.token });
        expect(reconciliation.status).toBe(200);
        const old = await started.call('getCurrentUser', { credential: account.token });
        expect([old.status, old.body.error]).toEqual([401, 'Invalid token']);
      });
    });

    it('is active again where it was disabled', async () => {
      await disable(account);
      await startWith(account.email, PROMOTE, async (started) => {
        expect((await logIn(started, account.email, PASSWORD)).status).toBe(200);
      });
      expect(await rowOf(account)).toMatchObject({ role: 'admin', is_active: true, is_open: true });
    });

    it('is promoted once, by replicas that start together and at every later start', async () => {
      await Promise.all([startWith(account.email, PROMOTE), startWith(account.email, PROMOTE)]);
      const promoted = await rowOf(account);
      expect(promoted.token_version).toBe(2);
      await startWith(account.email, PROMOTE);
      expect(await rowOf(account)).toEqual(promoted);
    });
  });

  it('is made where nobody has the address, once by replicas that start together', async () => {
    const email = `New.${newId()}@Example.com`;
    await Promise.all([startWith(email), startWith(email)]);
    await startWith(email, {}, async (started) => {
      const session = await logIn(started, email, PASSWORD);
      expect(session.body.user).toMatchObject({ email: email.toLowerCase(), role: 'admin' });
    });
  });

  it('keeps its own password where it is an admin already', async () => {
    const admin = await createAccount(service, { creditUsd: '0', role: 'admin' });
    const before = await rowOf(admin);
    await startWith(admin.email);
    await startWith(admin.email, { ADMIN_PROMOTE: 'true' });
    expect(await rowOf(admin)).toEqual(before);
  });
});

import { join } from 'node:path';
import { Ledger } from '../../src/ledger/ledger';
import { openLedger } from '../support/ledger/open-ledger';
import { newId } from '../../src/runtime/ids';
import { createAccount, type TestAccount } from '../support/api/world';
import { TestService } from '../support/api/service';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { until } from '../support/until';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const AHEAD_MS = { right: 0, hourAhead: HOUR_MS, hourBehind: -HOUR_MS, daysAhead: 40 * DAY_MS };
const SKEWED = join(__dirname, '../support/processes/skewed-clock.cjs');
const MEMORY_NANO_USD = 100_000n;

type Name = keyof typeof AHEAD_MS;

describe('replicas whose clocks are wrong by an hour and by forty days', () => {
  let service: TestService;
  let account: TestAccount;
  const replicas = {} as Record<Name, CompiledService>;
  const names = Object.keys(AHEAD_MS) as Name[];
  beforeAll(async () => {
    // The processes sweep by themselves; this one only looks.
    service = await TestService.start({ ROLE: 'api' });
    service.clock.set(new Date().toISOString());
    for (const name of names) {
      replicas[name] = await CompiledService.start({
        DATABASE_URL: service.databaseUrl,
        JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
        NODE_OPTIONS: `--require ${SKEWED}`,
        CLOCK_AHEAD_MS: String(AHEAD_MS[name]),
      });
    }
  }, 120_000);
  beforeEach(async () => {
    account = await createAccount(service, { creditUsd: '1' });
  });
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(names.map((name) => replicas[name].stop()));
    await service.stop();
  });

  const store = (name: Name, key: string, headers: Record<string, string> = {}) =>
    replicas[name].post('/api/hub/memory', { key, value: 'v' }, { 'x-api-key': account.key, ...headers });
  const charged = async () => {
    const { balanceNanoUsd } = await service.app.get(Ledger).balance(account.id);
    return 1_000_000_000n - balanceNanoUsd;
  };
  const tokenOf = async (name: Name): Promise<string> => {
    const { email, password } = account;
    const answer = await replicas[name].post('/api/auth/login', { email, password }, {});
    return ((await answer.json()) as { token: string }).token;
  };
  const me = async (name: Name, token: string): Promise<number> => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${replicas[name].url}/api/auth/me`, { headers })).status;
  };

  it('say so, each of its own clock, and serve all the same', async () => {
    for (const name of names) {
      const answer = await replicas[name].get('/health/ready');
      const { checks } = (await answer.json()) as { checks: { name: string; detail?: string }[] };
      const clock = checks.find((check) => check.name === 'clock');
      const seconds = Math.abs(AHEAD_MS[name]) / 1000;
      const way = AHEAD_MS[name] > 0 ? 'ahead of' : 'behind';
      expect([answer.status, clock?.detail]).toEqual([
        200,
        seconds === 0 ? undefined : expect.stringMatching(new RegExp(`${seconds} s ${way} the database`)),
      ]);
    }
  });

  it('have one day and one month for what a key may spend', async () => {
    for (const name of names) {
      expect((await store(name, name)).status).toBe(201);
    }
    expect(await charged()).toBe(BigInt(names.length) * MEMORY_NANO_USD);
    const [key]: { day: boolean; month: boolean; day_spent_nano: string }[] = await service.database.query(
      `SELECT spent_day = (now() AT TIME ZONE timezone)::date AS day, day_spent_nano - (
           SELECT sum(amount_nano) FROM leases WHERE key_id = access_keys.id) AS day_spent_nano,
         spent_month = date_trunc('month', now() AT TIME ZONE timezone)::date AS month
       FROM access_keys WHERE id = $1`,
      [account.keyId],
    );
    expect(key).toEqual({ day: true, month: true, day_spent_nano: String(await charged()) });
    const times: { is_now: boolean }[] = await service.database.query(
      `SELECT created_at BETWEEN now() - interval '1 minute' AND now() AS is_now FROM calls WHERE account_id = $1`,
      [account.id],
    );
    expect(times).toEqual(names.map(() => ({ is_now: true })));
  });

  it('take an Idempotency-Key for used, whichever of them a retry meets', async () => {
    const headers = { 'idempotency-key': newId() };
    const answers: (string | null)[] = [];
    for (const name of names) {
      const answer = await store(name, 'k', headers);
      expect(answer.status).toBe(201);
      answers.push(answer.headers.get('idempotent-replayed'));
    }
    expect(answers).toEqual([null, 'true', 'true', 'true']);
    expect(await charged()).toBe(MEMORY_NANO_USD);
  });

  it('agree on when a token has ended', async () => {
    for (const name of names) {
      const token = await tokenOf(name);
      expect(await Promise.all(names.map((other) => me(other, token)))).toEqual([200, 200, 200, 200]);
      const headers = { authorization: `Bearer ${token}` };
      expect((await replicas[name].post('/api/auth/logout', {}, headers)).status).toBe(204);
      expect(await Promise.all(names.map((other) => me(other, token)))).toEqual([401, 401, 401, 401]);
    }
  });

  it("leave each other's calls alone until the database says that their process is silent", async () => {
    const other = await openLedger(service.databaseUrl);
    const callId = newId();
    const now = new Date();
    const { verdict } = await other.ledger.reserve({
      ...{ callId, accountId: account.id, keyId: null, amountNanoUsd: 1n, now },
      ...{ leaseUntil: new Date(now.getTime() + 600_000), operation: 'createMemory', requestId: callId },
      ...{ price: 'memory', priceVersion: '1' },
    });
    expect(verdict).toBe('reserved');
    await other.ledger.show(account.id);
    const left = async () => {
      const rows: { id: string }[] = await service.database.query(
        'SELECT id FROM reservations WHERE account_id = $1',
        [account.id],
      );
      return rows.map(({ id }) => id);
    };
    // Each of them sweeps every ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    expect(await left()).toEqual([callId]);
    const { id } = other.register;
    await other.register.onApplicationShutdown();
    await service.database.query(
      `UPDATE processes SET heartbeat_at = now() - interval '41 seconds', valid_until = now() - interval '39 seconds'
       WHERE id = $1`,
      [id],
    );
    await until('the replicas sweep', async () => (await left()).length === 0);
    await other.close();
  });
});

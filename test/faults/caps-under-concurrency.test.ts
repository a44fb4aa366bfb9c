import { faultsInBooks } from '../support/ledger/books';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { createAccount, World } from '../support/api/world';

const PRICE_NANO_USD = 100_000n;
const CALLS = 200;
const AFFORDABLE = 50;

interface Caller {
  post(index: number): Promise<number>;
}

describe('a cap is a cap', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterAll(async () => service.stop());

  it('serves exactly what the balance covers of 200 calls at once, and ends at 0', async () => {
    const account = await createAccount(service, { creditUsd: '0.005' });
    const statuses = await race(oneProcess(service, account.key));
    expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
    await expectSpent(service, account.id, { balance: 0n, charges: AFFORDABLE });
  });

  it('serves exactly what the daily limit covers of 200 calls at once', async () => {
    const world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD * BigInt(AFFORDABLE) });
    const before = await world.balanceNanoUsd();
    const statuses = await race(oneProcess(service, world.owner.key));
    expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
    const balance = before - PRICE_NANO_USD * BigInt(AFFORDABLE);
    await expectSpent(service, world.owner.id, { balance, charges: AFFORDABLE });
  });

  describe('with two server processes on one database', () => {
    let processes: CompiledService[];
    beforeAll(async () => {
      const environment = {
        DATABASE_URL: service.databaseUrl,
        JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      };
      processes = await Promise.all([CompiledService.start(environment), CompiledService.start(environment)]);
    });
    afterAll(async () => {
      await Promise.all(processes.map((process) => process.stop()));
    });

    it('serves exactly what the balance covers', async () => {
      const account = await createAccount(service, { creditUsd: '0.005' });
      const statuses = await race(severalProcesses(processes, account.key));
      expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
      await expectSpent(service, account.id, { balance: 0n, charges: AFFORDABLE });
    });

    it('serves exactly what the daily limit covers', async () => {
      const world = await World.create(service);
      await world.setLimits(world.owner, { dailyLimitNano: PRICE_NANO_USD * BigInt(AFFORDABLE) });
      const before = await world.balanceNanoUsd();
      const statuses = await race(severalProcesses(processes, world.owner.key));
      expect(statuses).toEqual({ 201: AFFORDABLE, 402: CALLS - AFFORDABLE });
      const balance = before - PRICE_NANO_USD * BigInt(AFFORDABLE);
      await expectSpent(service, world.owner.id, { balance, charges: AFFORDABLE });
    });

    it('refuses a key on the other replica as soon as its revocation is answered', async () => {
      const account = await createAccount(service, { creditUsd: '1' });
      const [first, second] = processes;
      const write = (key: string) =>
        second?.post('/api/hub/memory', { key: 'k', value: 'v' }, { 'x-api-key': key });
      expect((await write(account.key))?.status).toBe(201);
      // The processes run by the real clock, for which the world's token has long expired.
      const login = await first?.post(
        '/api/auth/login',
        { email: account.email, password: account.password },
        {},
      );
      const { token } = (await login?.json()) as { token: string };
      const revoked = await first?.post(
        `/api/keys/${account.keyId}/revoke`,
        {},
        { authorization: `Bearer ${token}` },
      );
      expect(revoked?.status).toBe(200);
      expect((await write(account.key))?.status).toBe(401);
    });
  });
});

function oneProcess(service: TestService, key: string): Caller {
  return {
    post: async (index) =>
      (await service.call('createMemory', { credential: key, body: { key: `k${index}`, value: 'v' } }))
        .status,
  };
}

function severalProcesses(processes: CompiledService[], key: string): Caller {
  return {
    post: async (index) => {
      const process = processes[index % processes.length];
      const body = { key: `k${index}`, value: 'v' };
      return (await process?.post('/api/hub/memory', body, { 'x-api-key': key }))?.status ?? 0;
    },
  };
}

/** How often each status was answered to 200 calls at once. */
async function race(caller: Caller): Promise<Record<string, number>> {
  const statuses = await Promise.all(Array.from({ length: CALLS }, (_, index) => caller.post(index)));
  const counts: Record<string, number> = {};
  for (const status of statuses) {
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

async function expectSpent(
  service: TestService,
  accountId: string,
  expected: { balance: bigint; charges: number },
): Promise<void> {
  const [row]: Record<string, string>[] = await service.database.query(
    `SELECT balance_nano, reserved_nano,
       (SELECT count(*) FROM ledger_entries WHERE account_id = $1 AND type = 'charge') AS charges,
       (SELECT count(*) FROM memories WHERE account_id = $1) AS memories
     FROM balances WHERE account_id = $1`,
    [accountId],
  );
  const counts = { charges: String(expected.charges), memories: String(expected.charges) };
  expect(row).toEqual({ balance_nano: expected.balance.toString(), reserved_nano: '0', ...counts });
  expect(await faultsInBooks(service.database)).toEqual([]);
}

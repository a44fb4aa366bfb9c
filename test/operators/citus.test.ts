import { AccountDatabases } from '../../src/database/account-databases';
import { requireMigrated } from '../../src/database/migrate';
import { databaseFunctions } from '../../src/database-functions';
import { ReconciliationRepository } from '../../src/ledger/reconciliation';
import { UsageDays } from '../../src/ledger/usage-log';
import { TestService } from '../support/api/service';
import { createAccount, type TestAccount } from '../support/api/world';
import { type CitusDatabase, createCitusDatabase } from '../support/database/citus-database';
import { faultsInBooks } from '../support/ledger/books';

const SCHEMAS = 4;
const CALLERS = 6;

describe('accounts in schemas on the workers of a Citus', () => {
  let database: CitusDatabase;
  let service: TestService;
  let replicas: TestService[];

  beforeAll(async () => {
    database = await createCitusDatabase(SCHEMAS);
    service = await TestService.start({ ACCOUNT_SCHEMAS: String(SCHEMAS) }, database);
    replicas = [service, await service.startReplica(), await service.startReplica()];
  });
  afterAll(async () => {
    const [, ...others] = replicas ?? [];
    await Promise.all(others.map((replica) => replica.stop()));
    await service?.stop();
  });

  const remember = (through: TestService, { key }: TestAccount, name: string) =>
    through.call('createMemory', { credential: key, body: { key: name, value: 'kept' } });

  /** One for each schema. */
  async function accountsEverywhere(creditUsd: string): Promise<TestAccount[]> {
    const accounts = new Map<number, TestAccount>();
    while (accounts.size < SCHEMAS) {
      const account = await createAccount(service, { creditUsd });
      accounts.set(service.app.get(AccountDatabases).numberOf(account.id), account);
    }
    return [...accounts.values()];
  }

  async function expectBooks(): Promise<void> {
    expect(await faultsInBooks(service.database)).toEqual([]);
    expect((await service.app.get(ReconciliationRepository).reconcile()).mismatches).toEqual([]);
  }

  it('are on both workers, and a process finds the database migrated', async () => {
    await requireMigrated(database.url, databaseFunctions, SCHEMAS);
    const places = await database.ask<{ nodeport: number }>(
      "SELECT DISTINCT nodeport FROM citus_shards WHERE table_name::text LIKE '%.balances'",
    );
    expect(places.length).toBeGreaterThan(1);
  });

  it('charge calls, and tell balance, transactions and usage', async () => {
    for (const account of await accountsEverywhere('1')) {
      expect((await remember(service, account, 'one')).status).toBe(201);
      const { body: balance } = await service.call('getBalance', { credential: account.token });
      const { body: list } = await service.call('listTransactions', { credential: account.token });
      expect(balance.balance).toBeLessThan(1);
      expect(list.transactions.map(({ type }) => type)).toEqual(['charge', 'deposit']);
      expect(list.transactions[0]?.balance_after).toBe(balance.balance);
    }
    await service.app.get(UsageDays).rollUp();
    await expectBooks();
  });

  it('have no two with one name', async () => {
    const { email } = await createAccount(service, { creditUsd: '0' });
    const body = { email, username: 'another_name', password: 'correct horse battery staple' };
    expect((await service.call('register', { body })).status).toBe(409);
  });

  it('are never overspent, whichever of three processes is called', async () => {
    for (const account of await accountsEverywhere('0.001')) {
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, call) =>
          remember(replicas[call % 3] ?? service, account, `memory ${call}`),
        ),
      );
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([201, 402]);
      const { body } = await service.call('getBalance', { credential: account.token });
      expect(body.balance).toBeGreaterThanOrEqual(0);
    }
    await expectBooks();
  });

  it('are served while their schema is moved to the other worker and back', async () => {
    const [account] = await accountsEverywhere('100');
    if (!account) {
      throw new Error('there is no account');
    }
    const schema = service.app.get(AccountDatabases).numberOf(account.id);
    const statuses: number[] = [];
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async (_, caller) => {
      for (let calls = 0; !isOver; calls += 1) {
        const through = replicas[(caller + calls) % 3] ?? service;
        statuses.push((await remember(through, account, `memory ${caller} ${calls}`)).status);
      }
    });
    try {
      await database.move(schema);
      await database.move(schema);
    } finally {
      isOver = true;
      await Promise.all(callers);
    }
    const answered = statuses.filter((status) => status === 201).length;
    // What comes in the moment of the move may be told to come again; then nothing was done.
    expect(statuses.filter((status) => status !== 201 && status !== 503)).toEqual([]);
    const [stored] = await service.database.query<{ memories: string; charged: string }[]>(
      `SELECT (SELECT count(*) FROM memories WHERE account_id = $1) AS memories,
         (SELECT count(*) FROM calls WHERE account_id = $1 AND charged_nano > 0) AS charged`,
      [account.id],
    );
    expect(Number(stored?.charged)).toBe(answered);
    expect(Number(stored?.memories)).toBe(answered);
    await expectBooks();
    process.stdout.write(
      `two moves beside ${statuses.length} calls, of which ${statuses.length - answered} have to be made again\n`,
    );
  });
});

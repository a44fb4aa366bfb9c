import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { sumAllCalls } from '../../test/support/ledger/roll-ups';
import { AccountDatabases } from '../database/account-databases';
import { ManualClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import { ReconciliationRepository } from './reconciliation';

describe('ReconciliationRepository', () => {
  const clock = new ManualClock();
  let testDatabase: TestDatabase;
  let database: DataSource;
  let databases: AccountDatabases;
  let open: OpenLedger;
  let reconciliation: ReconciliationRepository;

  beforeEach(async () => {
    testDatabase = await createTestDatabase();
    open = await openLedger(testDatabase.url);
    ({ database } = open);
    databases = AccountDatabases.only(database);
    reconciliation = new ReconciliationRepository(databases, clock);
  });

  afterEach(async () => {
    await open.close();
    await testDatabase.drop();
  });

  it('finds nothing in a database without accounts', async () => {
    expect(await reconciliation.reconcile()).toEqual({
      accounts: 0,
      balanceNanoUsd: 0n,
      ledgerNanoUsd: 0n,
      openReservations: 0,
      mismatches: [],
      checkedAt: clock.now(),
    });
  });

  it('adds up while a call holds a part of its balance, and after it was charged', async () => {
    const accountId = await createAccount();
    await createAccount();
    await credit(accountId, 10n);
    const callId = newId();
    await reserve(accountId, callId, 4n);
    await open.ledger.show(accountId);
    expect(await reconciliation.reconcile()).toMatchObject({
      accounts: 2,
      balanceNanoUsd: 10n,
      ledgerNanoUsd: 10n,
      openReservations: 1,
      mismatches: [],
    });
    await settle(accountId, callId, 3n);
    expect(await reconciliation.reconcile()).toMatchObject({
      balanceNanoUsd: 7n,
      ledgerNanoUsd: 7n,
      openReservations: 0,
      mismatches: [],
    });
  });

  it('names an account that is off by one nano-dollar, however much it has', async () => {
    const amount = 9_007_199_254_740_993n;
    const accountId = await createAccount();
    await credit(accountId, amount);
    await credit(await createAccount(), 5n);
    await setBalance(accountId, amount + 1n);
    expect(await reconciliation.reconcile()).toMatchObject({
      accounts: 2,
      balanceNanoUsd: amount + 6n,
      ledgerNanoUsd: amount + 5n,
      mismatches: [{ accountId, balanceNanoUsd: amount + 1n, ledgerNanoUsd: amount }],
    });
  });

  it('names both of two accounts whose errors cancel each other out', async () => {
    const [one, other] = [await createAccount(), await createAccount()];
    await credit(one, 10n);
    await credit(other, 10n);
    await setBalance(one, 9n);
    await setBalance(other, 11n);
    const { balanceNanoUsd, ledgerNanoUsd, mismatches } = await reconciliation.reconcile();
    expect(balanceNanoUsd).toBe(ledgerNanoUsd);
    expect(mismatches.map(({ accountId }) => accountId)).toEqual([one, other].sort());
  });

  it('names an account that has a balance but no transactions, and one that has them but no balance', async () => {
    const [one, other] = [await createAccount(), await createAccount()];
    await setBalance(one, 3n);
    await credit(other, 4n);
    await database.query('DELETE FROM balances WHERE account_id = $1', [other]);
    const { accounts, mismatches } = await reconciliation.reconcile();
    expect(accounts).toBe(2);
    expect(mismatches).toEqual(
      expect.arrayContaining([
        { accountId: one, balanceNanoUsd: 3n, ledgerNanoUsd: 0n },
        { accountId: other, balanceNanoUsd: 0n, ledgerNanoUsd: 4n },
      ]),
    );
  });

  it('lists at most 100 mismatches and still counts all accounts', async () => {
    const accountIds = await Promise.all(Array.from({ length: 101 }, () => createAccount()));
    await database.query('UPDATE balances SET balance_nano = 1');
    const { accounts, balanceNanoUsd, mismatches } = await reconciliation.reconcile();
    expect({ accounts, balanceNanoUsd, listed: mismatches.length }).toEqual({
      accounts: accountIds.length,
      balanceNanoUsd: 101n,
      listed: 100,
    });
  });

  describe('that adds up what is new alone', () => {
    const check = () => reconciliation.reconcileNewCharges(60_000);

    it('agrees with all entries while calls are charged between one time and the next', async () => {
      const accountId = await createAccount();
      await credit(accountId, 100n);
      for (const balanceNanoUsd of [97n, 94n, 91n]) {
        const callId = newId();
        await reserve(accountId, callId, 4n);
        await settle(accountId, callId, 3n);
        expect(await check()).toMatchObject({
          balanceNanoUsd,
          ledgerNanoUsd: balanceNanoUsd,
          mismatches: [],
        });
        await sumAllCalls(databases);
        expect(await check()).toEqual(await reconciliation.reconcile());
      }
      expect(await summed(accountId)).toBe('-9');
    });

    it('names an account whose balance was changed, before and after its charges were summed', async () => {
      const accountId = await createAccount();
      await credit(accountId, 100n);
      const callId = newId();
      await reserve(accountId, callId, 4n);
      await settle(accountId, callId, 3n);
      for (const nanoUsd of [96n, 98n]) {
        await setBalance(accountId, nanoUsd);
        expect(await check()).toMatchObject({
          mismatches: [{ accountId, balanceNanoUsd: nanoUsd, ledgerNanoUsd: 97n }],
        });
        await sumAllCalls(databases);
      }
    });

    it('lets all entries decide where the sum of earlier ones is wrong, and sums them anew the next time', async () => {
      const accountId = await createAccount();
      await credit(accountId, 100n);
      const callId = newId();
      await reserve(accountId, callId, 4n);
      await settle(accountId, callId, 3n);
      await sumAllCalls(databases);
      await check();
      await database.query('UPDATE carried_charges SET summed_nano = summed_nano + 1');
      expect(await check()).toMatchObject({ balanceNanoUsd: 97n, ledgerNanoUsd: 97n, mismatches: [] });
      await check();
      expect(await summed(accountId)).toBe('-3');
    });
  });

  async function summed(accountId: string): Promise<string | undefined> {
    const [row]: { summed_nano: string }[] = await database.query(
      'SELECT summed_nano FROM carried_charges WHERE account_id = $1',
      [accountId],
    );
    return row?.summed_nano;
  }

  async function createAccount(): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', $3)`,
      [id, `${id}@example.com`, clock.now()],
    );
    await database.query('INSERT INTO balances (account_id) VALUES ($1)', [id]);
    return id;
  }

  async function credit(accountId: string, amountNanoUsd: bigint): Promise<void> {
    const order = { accountId, amountNanoUsd, description: 'A test', referenceId: null, requestId: null };
    await open.ledger.credit({ ...order, type: 'deposit', now: clock.now() });
  }

  async function setBalance(accountId: string, nanoUsd: bigint): Promise<void> {
    await database.query('UPDATE balances SET balance_nano = $2 WHERE account_id = $1', [
      accountId,
      nanoUsd.toString(),
    ]);
  }

  async function reserve(accountId: string, callId: string, amountNanoUsd: bigint): Promise<void> {
    const { verdict } = await open.ledger.reserve({
      callId,
      accountId,
      keyId: null,
      amountNanoUsd,
      now: clock.now(),
      leaseUntil: new Date(clock.now().getTime() + 60_000),
      operation: 'createMemory',
      requestId: callId,
      price: 'memory_operation',
      priceVersion: '1',
    });
    expect(verdict).toBe('reserved');
  }

  async function settle(accountId: string, callId: string, chargeNanoUsd: bigint): Promise<void> {
    const use = { status: 200, inputTokens: 0, outputTokens: 0, answer: null };
    await open.ledger.settle({
      callId,
      accountId,
      outcome: 'settled',
      chargeNanoUsd,
      now: clock.now(),
      ...use,
    });
  }
});

import type { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../../test/support/api/test-database';
import { openLedger, type OpenLedger } from '../../../test/support/ledger/open-ledger';
import { AdminActions } from '../../accounts/admin-actions';
import { IdempotencyKeyUsed, NotFound, Unprocessable } from '../../errors/api-errors';
import { AdminCredits, Transactions } from '../../ledger/transactions';
import { ManualClock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { CreditAdditions, type CreditFields } from './billing';

const HOUR_MS = 60 * 60 * 1000;

describe('CreditAdditions.addCredits', () => {
  let testDatabase: TestDatabase;
  let open: OpenLedger;
  let database: DataSource;
  let clock: ManualClock;
  let payments: CreditAdditions;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    open = await openLedger(testDatabase.url);
    ({ database } = open);
  });

  afterAll(async () => {
    await open.close();
    await testDatabase.drop();
  });

  beforeEach(() => {
    clock = new ManualClock();
    const { databases, ledger } = open;
    const transactions = new Transactions(databases);
    const credits = new AdminCredits(databases, ledger, transactions, new AdminActions(databases, clock));
    payments = new CreditAdditions(transactions, credits, clock);
  });

  it.each([0.0000000015, 1.0000000001])('refuses %d USD, finer than the ledger counts', async (amountUsd) => {
    const fields = await creditOf({ amountUsd });
    await expect(payments.addCredits(fields)).rejects.toThrow(Unprocessable);
    expect(await amounts(fields)).toEqual([]);
  });

  it('refuses an account that does not exist', async () => {
    const fields = { ...(await creditOf({})), accountId: newId() };
    await expect(payments.addCredits(fields)).rejects.toThrow(NotFound);
    await expect(payments.addCredits({ ...fields, idempotencyId: newId() })).rejects.toThrow(NotFound);
  });

  it.each([
    [0.000000001, 1n],
    [999_999.123456789, 999_999_123_456_789n],
    [1_000_000, 1_000_000_000_000_000n],
  ])('credits %d USD to the nano-dollar', async (amountUsd, amountNanoUsd) => {
    const credited = await payments.addCredits(await creditOf({ amountUsd }));
    expect(credited).toMatchObject({ type: 'deposit', amountNanoUsd, balanceAfterNanoUsd: amountNanoUsd });
  });

  it('credits twice what is asked for twice without an Idempotency-Key', async () => {
    const fields = await creditOf({});
    await payments.addCredits(fields);
    await payments.addCredits(fields);
    expect(await amounts(fields)).toEqual(['10000000000', '10000000000']);
  });

  it('credits once when retries race', async () => {
    const fields = await creditOf({ idempotencyId: newId() });
    const tries = Array.from({ length: 8 }, () => payments.addCredits({ ...fields, requestId: newId() }));
    const ids = (await Promise.all(tries)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(1);
    expect(await amounts(fields)).toEqual(['10000000000']);
  });

  it.each([{ amountUsd: 11 }, { reason: 'another' }])(
    'refuses a retry that asks for something else: %o',
    async (other) => {
      const fields = await creditOf({ idempotencyId: newId() });
      await payments.addCredits(fields);
      await expect(payments.addCredits({ ...fields, ...other })).rejects.toThrow(Unprocessable);
      expect(await amounts(fields)).toEqual(['10000000000']);
    },
  );

  it('credits again, and once, for a key that is used anew after it was forgotten', async () => {
    const fields = await creditOf({ idempotencyId: newId() });
    const entries = [];
    for (let use = 0; use < 3; use += 1) {
      entries.push((await payments.addCredits(fields)).id, (await payments.addCredits(fields)).id);
      clock.advance(24 * HOUR_MS);
    }
    const [first, firstRetry, second, secondRetry, third, thirdRetry] = entries;
    expect([firstRetry, secondRetry, thirdRetry]).toEqual([first, second, third]);
    expect(new Set(entries).size).toBe(3);
    expect(await amounts(fields)).toHaveLength(3);
  });

  it('refuses a retry that names another account', async () => {
    const idempotencyId = newId();
    const [one, other] = [await creditOf({ idempotencyId }), await creditOf({ idempotencyId })];
    await payments.addCredits(one);
    await expect(payments.addCredits(other)).rejects.toThrow(IdempotencyKeyUsed);
    expect(await amounts(one)).toHaveLength(1);
    expect(await amounts(other)).toEqual([]);
  });

  /** 10 USD for an account of its own, but for what is given. */
  async function creditOf(fields: Partial<CreditFields>): Promise<CreditFields> {
    const accountId = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at) VALUES ($1, $2, $2, '', $3)`,
      [accountId, `${accountId}@example.com`, clock.now()],
    );
    await database.query('INSERT INTO balances (account_id) VALUES ($1)', [accountId]);
    return {
      adminId: newId(),
      accountId,
      amountUsd: 10,
      reason: 'Bank transfer',
      requestId: newId(),
      idempotencyId: null,
      ...fields,
    };
  }

  async function amounts({ accountId }: CreditFields): Promise<string[]> {
    const rows: { amount_nano: string }[] = await database.query(
      'SELECT amount_nano FROM ledger_entries WHERE account_id = $1 ORDER BY position',
      [accountId],
    );
    return rows.map((row) => row.amount_nano);
  }
});

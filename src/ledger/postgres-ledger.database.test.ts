import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { faultsInBooks } from '../../test/support/ledger/books';
import { AccessKeyEntity, AccessKeys } from '../accounts/access-keys';
import { Account, Accounts } from '../accounts/accounts';
import { hashKeySecret } from '../accounts/credentials';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { dataSourceOptions } from '../database/data-source';
import { Outbox } from '../events/outbox';
import { ManualClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import type { CreditOrder, ReserveOrder, SettleOrder } from './ledger';
import { PostgresLedger } from './postgres-ledger';
import { registerOf } from '../../test/support/database/process-register';

const CREDIT = 1000n;
const RESERVED = 100n;

describe('PostgresLedger', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let ledger: PostgresLedger;
  let clock: ManualClock;
  let accountId: string;
  let keyId: string;
  let secretHash: Buffer;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    const options = { ...dataSourceOptions(testDatabase.url, 10), entities: [Account, AccessKeyEntity] };
    database = await new DataSource(options).initialize();
    ledger = new PostgresLedger(database);
  });
  beforeEach(async () => {
    clock = new ManualClock();
    accountId = await newAccount();
    ({ keyId, secretHash } = await newKey(accountId));
    await credit({});
  });
  afterEach(async () => {
    expect(await faultsInBooks(database)).toEqual([]);
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  async function newAccount(): Promise<string> {
    const name = newId();
    const person = { email: `${name}@example.com`, username: name, passwordHash: '' };
    return (
      await new Accounts(database, clock, registerOf(database)).create({
        ...person,
        role: 'user',
        tier: 'free',
      })
    ).id;
  }

  async function newKey(owner: string, expiresAt: Date | null = null) {
    const keys = new AccessKeys(database, clock, new Outbox(), registerOf(database));
    const { key, secret } = await keys.create({
      accountId: owner,
      name: 'k',
      expiresAt,
      environment: 'test',
    });
    return { keyId: key.id, secretHash: hashKeySecret(secret) };
  }

  async function credit(fields: Partial<CreditOrder>): Promise<string | null> {
    const order = {
      accountId,
      type: 'deposit' as const,
      amountNanoUsd: CREDIT,
      description: 'test',
      requestId: null,
    };
    return ledger.credit({ ...order, referenceId: null, now: clock.now(), ...fields });
  }

  async function reserve(fields: Partial<ReserveOrder> = {}) {
    const now = fields.now ?? clock.now();
    const names = { operation: 'createMemory', requestId: newId(), price: 'test', priceVersion: 'test' };
    const callId = fields.callId ?? newId();
    const order = { callId, accountId, keyId, amountNanoUsd: RESERVED, now, secretHash, ...names };
    const verdict = await ledger.reserve({
      ...order,
      leaseUntil: new Date(now.getTime() + 20_000),
      ...fields,
    });
    return { callId, ...verdict };
  }

  async function settle(callId: string, fields: Partial<SettleOrder> = {}) {
    const nothing = { inputTokens: 0, outputTokens: 0, answer: null };
    const order = { callId, accountId, outcome: 'settled' as const, chargeNanoUsd: RESERVED, status: 200 };
    return ledger.settle({ ...order, ...nothing, now: clock.now(), ...fields });
  }

  async function expectBalance(balanceNanoUsd: bigint, reservedNanoUsd = 0n): Promise<void> {
    expect(await ledger.balance(accountId)).toEqual({ balanceNanoUsd, reservedNanoUsd });
  }

  describe('reserve', () => {
    it('still serves a replica of the build before, which gives no id of the caller', async () => {
      const now = clock.now();
      const lease = new Date(now.getTime() + 20_000);
      const one = [newId(), accountId, keyId, 5, now, lease, 'o', 'r', 'p', 'v', secretHash];
      const places = (count: number) =>
        Array.from({ length: count }, (_, index) => `$${index + 1}`).join(', ');
      const [alone]: unknown[] = await database.query(
        `SELECT verdict FROM ledger_reserve(${places(11)})`,
        one,
      );
      expect(alone).toEqual({ verdict: 'reserved' });
      const times = [now.getTime(), lease.getTime()];
      const many = [newId(), accountId, keyId, 5, ...times, 'o', 'r', 'p', 'v', secretHash].map((item) => [
        item,
      ]);
      const settles = [...Array.from({ length: 10 }, () => []), false];
      const [flushed]: unknown[] = await database.query(
        `SELECT reserved_balances FROM ledger_flush(${places(22)})`,
        [...settles, ...many],
      );
      expect(flushed).toEqual({ reserved_balances: [CREDIT.toString()] });
      await expectBalance(CREDIT, 10n);
    });

    it('takes the last nano-dollar and not one more', async () => {
      expect(await reserve({ amountNanoUsd: CREDIT + 1n })).toMatchObject({
        verdict: 'insufficient_credits',
        availableNanoUsd: CREDIT,
      });
      expect((await reserve({ amountNanoUsd: CREDIT })).verdict).toBe('reserved');
      expect(await reserve({ amountNanoUsd: 1n })).toMatchObject({ availableNanoUsd: 0n });
      await expectBalance(CREDIT, CREDIT);
    });

    it('lets a call that costs nothing pass even with nothing left', async () => {
      await reserve({ amountNanoUsd: CREDIT });
      expect((await reserve({ amountNanoUsd: 0n })).verdict).toBe('reserved');
    });

    it('refuses an account that nobody has, and the key of another account', async () => {
      expect((await reserve({ accountId: newId(), keyId: null })).verdict).toBe('account_closed');
      const stranger = await newKey(await newAccount());
      expect((await reserve({ keyId: stranger.keyId, secretHash: stranger.secretHash })).verdict).toBe(
        'key_invalid',
      );
      await expectBalance(CREDIT);
    });

    it('refuses a key from the millisecond of its expiry on', async () => {
      const expiring = await newKey(accountId, new Date(clock.now().getTime() + 1000));
      clock.advance(999);
      expect((await reserve(expiring)).verdict).toBe('reserved');
      clock.advance(1);
      expect((await reserve(expiring)).verdict).toBe('key_expired');
    });

    it('refuses a secret that was rotated away, from the end of its own overlap on', async () => {
      const keys = new AccessKeys(database, clock, new Outbox(), registerOf(database));
      for (const overlapSeconds of [60, 30, 90]) {
        await keys.rotate({ accountId, id: keyId, overlapSeconds, environment: 'test' });
      }
      clock.advance(59_999);
      expect((await reserve()).verdict).toBe('reserved');
      clock.advance(1);
      expect((await reserve()).verdict).toBe('key_invalid');
    });

    it('refuses the secret of another key of the account, though its overlap runs', async () => {
      const other = await newKey(accountId);
      const rotation = { accountId, id: other.keyId, overlapSeconds: 60, environment: 'test' as const };
      await new AccessKeys(database, clock, new Outbox(), registerOf(database)).rotate(rotation);
      expect((await reserve(other)).verdict).toBe('reserved');
      expect((await reserve({ secretHash: other.secretHash })).verdict).toBe('key_invalid');
    });

    it('never reserves a negative amount, nor twice for one call', async () => {
      const { callId } = await reserve();
      await expect(reserve({ amountNanoUsd: -1n })).rejects.toThrow('reservations_amount_nano_check');
      await expect(reserve({ callId })).rejects.toThrow('duplicate key');
      await expectBalance(CREDIT, RESERVED);
    });

    it('opens no day again for a replica whose clock runs behind', async () => {
      const limits = new SpendingLimitsRepository(database, clock);
      await limits.set(accountId, keyId, { dailyLimitNano: RESERVED });
      expect((await reserve({ now: new Date('2026-02-01T00:00:00.000Z') })).verdict).toBe('reserved');
      for (const behind of ['2026-01-31T23:59:59.999Z', '2026-01-31T12:00:00.000Z']) {
        const resetsAt = new Date('2026-02-02T00:00:00.000Z');
        expect(await reserve({ now: new Date(behind) })).toMatchObject({ verdict: 'daily', resetsAt });
      }
    });
  });

  describe('settle', () => {
    it.each([
      [-5n, 0n],
      [0n, 0n],
      [40n, 40n],
      [RESERVED, RESERVED],
      [RESERVED + 1n, RESERVED + 1n],
      [2n ** 62n, CREDIT],
    ])('of %s charges %s: never less than nothing, never more than there is', async (asked, charged) => {
      const { callId } = await reserve();
      const settled = await settle(callId, { chargeNanoUsd: asked });
      expect(settled).toEqual({
        verdict: 'settled',
        chargedNanoUsd: charged,
        balanceNanoUsd: CREDIT - charged,
      });
      await expectBalance(CREDIT - charged);
    });

    it('twice has the effect of one and the same answer', async () => {
      const { callId } = await reserve();
      const first = await settle(callId, { chargeNanoUsd: 40n });
      expect(await settle(callId, { chargeNanoUsd: 40n })).toEqual(first);
      await expectBalance(CREDIT - 40n);
    });

    it.each(['released', 'expired'] as const)(
      'after it was %s charges nothing, and says so',
      async (outcome) => {
        const { callId } = await reserve();
        await settle(callId, { outcome, chargeNanoUsd: 0n, status: null });
        expect(await settle(callId)).toMatchObject({ verdict: 'gone', chargedNanoUsd: 0n });
        await expectBalance(CREDIT);
      },
    );

    it('charges once when twenty of them race with releases', async () => {
      const { callId } = await reserve();
      const outcomes = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'settled' : 'released'));
      const settlements = await Promise.all(
        outcomes.map((outcome) =>
          settle(callId, {
            outcome: outcome as 'settled',
            chargeNanoUsd: outcome === 'settled' ? RESERVED : 0n,
          }),
        ),
      );
      const winners = new Set(outcomes.filter((_, index) => settlements[index]?.verdict === 'settled'));
      expect(winners.size).toBe(1);
      await expectBalance(winners.has('settled') ? CREDIT - RESERVED : CREDIT);
    });

    it('by another account does nothing', async () => {
      const { callId } = await reserve();
      expect((await settle(callId, { accountId: await newAccount() })).verdict).toBe('gone');
      await expectBalance(CREDIT, RESERVED);
    });

    it('ends what an account had reserved before it was disabled and its key deleted', async () => {
      const { callId } = await reserve();
      await new Accounts(database, clock, registerOf(database)).update(accountId, () => ({
        isActive: false,
      }));
      await new AccessKeys(database, clock, new Outbox(), registerOf(database)).remove(accountId, keyId);
      expect((await reserve()).verdict).toBe('account_closed');
      expect(await settle(callId)).toMatchObject({ verdict: 'settled', chargedNanoUsd: RESERVED });
    });
  });

  describe('credit', () => {
    it('gives one credit for one reference when ten race, whatever they call it', async () => {
      const types = ['deposit', 'adjustment', 'bonus'] as const;
      const order = (index: number) => ({
        referenceId: 'payment-1',
        type: types[index % 3],
        amountNanoUsd: 7n,
      });
      const entries = await Promise.all(Array.from({ length: 10 }, (_, index) => credit(order(index))));
      expect(new Set(entries).size).toBe(1);
      await expectBalance(CREDIT + 7n);
    });

    it('gives another account its own for the same reference, and each time where there is none', async () => {
      await credit({ referenceId: 'payment-2' });
      const other = await newAccount();
      expect(await credit({ accountId: other, referenceId: 'payment-2', amountNanoUsd: 5n })).not.toBeNull();
      expect((await ledger.balance(other)).balanceNanoUsd).toBe(5n);
      expect(await credit({})).not.toBe(await credit({}));
      await expectBalance(4n * CREDIT);
    });

    it('knows no account that does not exist', async () => {
      expect(await credit({ accountId: newId() })).toBeNull();
    });
  });

  it.each([
    'UPDATE ledger_entries SET amount_nano = 0',
    'UPDATE ledger_entries SET description = description WHERE false',
    'DELETE FROM ledger_entries',
    'TRUNCATE ledger_entries',
  ])('refuses %s', async (statement) => {
    await expect(database.query(statement)).rejects.toThrow('never changed or deleted');
    await expectBalance(CREDIT);
  });
});

import { CREDIT, useLeaseLedger } from '../../test/support/ledger/lease-ledger';
import { AccessKeys } from '../accounts/access-keys';
import { Accounts } from '../accounts/accounts';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { Outbox } from '../events/outbox';
import { newId } from '../runtime/ids';
import type { CreditOrder, ReserveOrder, SettleOrder } from './ledger';

const RESERVED = 100n;

describe('LeaseLedger, one call after the other', () => {
  const { current, newHolder, newKey, orderOf, settlementOf } = useLeaseLedger();
  const reservedOrders = new Map<string, ReserveOrder>();

  const accounts = () => new Accounts(current.databases, current.clock, current.register);
  const keys = () => new AccessKeys(current.databases, current.clock, new Outbox(), current.register);

  async function reserve(fields: Partial<ReserveOrder> = {}) {
    const order = orderOf(current.holder, fields);
    reservedOrders.set(order.callId, order);
    return { callId: order.callId, ...(await current.ledger.reserve(order)) };
  }

  async function settle(callId: string, fields: Partial<SettleOrder> = {}) {
    const order = reservedOrders.get(callId) ?? orderOf(current.holder, { callId });
    return current.ledger.settle(settlementOf(order, fields));
  }

  async function credit(fields: Partial<CreditOrder>): Promise<string | null> {
    const { accountId } = current.holder;
    const order = { accountId, type: 'deposit' as const, amountNanoUsd: CREDIT, description: 'test' };
    const names = { requestId: null, referenceId: null, now: current.clock.now() };
    return current.ledger.credit({ ...order, ...names, ...fields });
  }

  async function expectBalance(balanceNanoUsd: bigint, reservedNanoUsd = 0n): Promise<void> {
    expect(await current.ledger.balance(current.holder.accountId)).toEqual({
      balanceNanoUsd,
      reservedNanoUsd,
    });
  }

  it('keeps the texts of a call as they are', async () => {
    const texts = ['', 'null', '"', '\\', '{a,"b"}', '(1,2)', ' a\tb\n', 'é’𝄞', "'; --"];
    for (const text of texts) {
      const { callId } = await reserve({ amountNanoUsd: 1n, clientRequestId: text, price: text });
      await settle(callId, { chargeNanoUsd: 1n, model: text });
      const rows = 'SELECT client_request_id, price, model, status FROM calls WHERE id = $1';
      expect(await current.database.query(rows, [callId])).toEqual([
        { client_request_id: text, price: text, model: text, status: 200 },
      ]);
    }
  });

  describe('reserve', () => {
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
      const { keyId, secretHash } = await newHolder();
      expect((await reserve({ keyId, secretHash })).verdict).toBe('key_invalid');
      await expectBalance(CREDIT);
    });

    it('refuses a key from the millisecond of its expiry on', async () => {
      const expiring = await newKey(current.holder.accountId, new Date(current.clock.now().getTime() + 1000));
      current.clock.advance(999);
      expect((await reserve(expiring)).verdict).toBe('reserved');
      current.clock.advance(1);
      expect((await reserve(expiring)).verdict).toBe('key_expired');
    });

    it('refuses a secret that was rotated away, from the end of its own overlap on', async () => {
      const { accountId, keyId } = current.holder;
      for (const overlapSeconds of [60, 30, 90]) {
        await keys().rotate({ accountId, id: keyId, overlapSeconds, environment: 'test' });
      }
      current.clock.advance(59_999);
      expect((await reserve()).verdict).toBe('reserved');
      current.clock.advance(1);
      expect((await reserve()).verdict).toBe('key_invalid');
    });

    it('refuses the secret of another key of the account, though its overlap runs', async () => {
      const other = await newKey(current.holder.accountId);
      const rotation = {
        accountId: other.accountId,
        id: other.keyId,
        overlapSeconds: 60,
        environment: 'test' as const,
      };
      await keys().rotate(rotation);
      expect((await reserve(other)).verdict).toBe('reserved');
      expect((await reserve({ secretHash: other.secretHash })).verdict).toBe('key_invalid');
    });

    it('never reserves a negative amount', async () => {
      await reserve();
      await expect(reserve({ amountNanoUsd: -1n })).rejects.toThrow(RangeError);
      await expectBalance(CREDIT, RESERVED);
    });

    it('opens no day again for a replica whose clock runs behind', async () => {
      const { databases, clock, register, holder } = current;
      const limits = new SpendingLimitsRepository(databases, clock, register);
      await limits.set(holder.accountId, holder.keyId, { dailyLimitNano: RESERVED });
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
      expect((await settle(callId, { accountId: (await newHolder()).accountId })).verdict).toBe('gone');
      await expectBalance(CREDIT, RESERVED);
    });

    it('ends what an account had reserved before it was disabled and its key deleted', async () => {
      const { callId } = await reserve();
      const { accountId, keyId } = current.holder;
      await accounts().update(accountId, () => ({ isActive: false }));
      await keys().remove(accountId, keyId);
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
      const other = (await newHolder()).accountId;
      expect(await credit({ accountId: other, referenceId: 'payment-2', amountNanoUsd: 5n })).not.toBeNull();
      expect((await current.ledger.balance(other)).balanceNanoUsd).toBe(CREDIT + 5n);
      expect(await credit({})).not.toBe(await credit({}));
      await expectBalance(4n * CREDIT);
    });

    it('knows no account that does not exist', async () => {
      expect(await credit({ accountId: newId() })).toBeNull();
    });
  });

  it.each([
    'UPDATE credits SET amount_nano = 0',
    'UPDATE credits SET description = description WHERE false',
    'DELETE FROM credits',
    'TRUNCATE credits',
    'UPDATE calls SET charged_nano = 0',
    'UPDATE calls SET status = status WHERE false',
    'DELETE FROM calls',
    'TRUNCATE calls',
  ])('refuses %s', async (statement) => {
    await expect(current.database.query(statement)).rejects.toThrow('never changed or deleted');
    await expectBalance(CREDIT);
  });
});

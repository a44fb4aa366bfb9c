import { Client } from 'pg';
import { CREDIT, useLeaseLedger, type Holder } from '../../test/support/ledger/lease-ledger';
import { openLedger } from '../../test/support/ledger/open-ledger';
import { until } from '../../test/support/until';
import { AccessKeys } from '../accounts/access-keys';
import type { LimitChange } from '../accounts/access-keys';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { AccountDatabases } from '../database/account-databases';
import { Outbox } from '../events/outbox';
import { newId } from '../runtime/ids';
import { Idempotency } from './idempotency';
import type { ReserveOrder, SettleOrder } from './ledger';
import { UsageLog, type UnchargedCall } from './usage-log';

const MUCH = 10n ** 15n;
const RESERVED = 100n;

describe('what a call cost beyond its reservation', () => {
  const { current, newHolder, orderOf, settlementOf, together } = useLeaseLedger();

  const limitsOf = ({ accountId, keyId }: Holder) =>
    new SpendingLimitsRepository(current.databases, current.clock, current.register).get(accountId, keyId);
  const settle = (order: ReserveOrder, chargeNanoUsd: bigint) =>
    current.ledger.settle(settlementOf(order, { chargeNanoUsd }));
  const reserved = async (by: Holder, fields: Partial<ReserveOrder> = {}) => {
    const order = orderOf(by, { amountNanoUsd: RESERVED, ...fields });
    expect(await current.ledger.reserve(order)).toMatchObject({ verdict: 'reserved' });
    return order;
  };

  const settleAtOnce = (
    orders: readonly ReserveOrder[],
    charges: readonly bigint[],
    fields: Partial<SettleOrder> = {},
  ) =>
    Promise.all(
      orders.map((order, index) =>
        current.ledger.settle(settlementOf(order, { chargeNanoUsd: charges[index], ...fields })),
      ),
    );
  const refusedOf = ({ accountId, keyId }: Holder): UnchargedCall => ({
    ...{
      id: newId(),
      accountId,
      keyId,
      requestId: newId(),
      clientRequestId: null,
      operation: 'createMemory',
    },
    ...{ outcome: 'refused', status: 402, price: 'test', priceVersion: 'test' },
    ...{ createdAt: current.clock.now(), completedAt: current.clock.now() },
  });
  const keptAnswers = ({ callId }: ReserveOrder): Promise<unknown> =>
    current.database.query('SELECT answer FROM idempotency_claims WHERE call_id = $1', [callId]);
  /** A connection that has locked the key, as a rotation does, until it ends. */
  const rotating = async ({ keyId }: Holder) => {
    const rotation = new Client(current.testDatabase.url);
    await rotation.connect();
    await rotation.query('BEGIN');
    await rotation.query('SELECT FROM access_keys WHERE id = $1 FOR NO KEY UPDATE', [keyId]);
    return rotation;
  };
  const areWaiting = async (statement: string) => {
    const rows: unknown[] = await current.database.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND strpos(query, $1) > 0 AND pid <> pg_backend_pid()`,
      [statement],
    );
    return rows.length > 0;
  };

  it.each<[string, LimitChange, bigint]>([
    ['the balance, of which another call has reserved 250', {}, CREDIT - 250n],
    ['the limit of a request', { perRequestLimitNano: 260n }, 260n],
    ['the limit of the day', { dailyLimitNano: 400n }, 150n],
    ['the limit of the month', { monthlyLimitNano: 390n }, 140n],
    ['a limit that is reached', { dailyLimitNano: 350n }, RESERVED],
  ])('is charged up to %s', async (_, limits, charged) => {
    const by = await newHolder(limits);
    await reserved(by, { amountNanoUsd: 250n });
    const order = await reserved(by);
    expect(await settle(order, MUCH)).toEqual({
      verdict: 'settled',
      chargedNanoUsd: charged,
      balanceNanoUsd: CREDIT - charged,
    });
    expect(await limitsOf(by)).toMatchObject({
      daySpentNano: 250n + charged,
      monthSpentNano: 250n + charged,
    });
    expect(await current.ledger.balance(by.accountId)).toEqual({
      balanceNanoUsd: CREDIT - charged,
      reservedNanoUsd: 250n,
    });
  });

  it('is charged up to the limit of the month, also what its process has unused of the key', async () => {
    const by = await newHolder({ monthlyLimitNano: 500n });
    const other = await openLedger(current.testDatabase.url);
    const order = orderOf(by, { amountNanoUsd: 10n });
    await other.ledger.reserve(order);
    const settled = await other.ledger.settle(settlementOf(order, { chargeNanoUsd: MUCH }));
    expect(settled).toMatchObject({ verdict: 'settled', chargedNanoUsd: 500n });
    await other.close();
  });

  it('is charged once, whoever settles how often', async () => {
    const order = await reserved(current.holder);
    const first = await settle(order, 170n);
    expect(first.chargedNanoUsd).toBe(170n);
    expect(await settle(order, 170n)).toEqual(first);
    const other = orderOf(current.holder, { amountNanoUsd: RESERVED });
    await current.ledger.reserve(other);
    const both = await settleAtOnce([other, other], [170n, 170n]);
    expect(both).toEqual([both[0], both[0]]);
    expect(both[0]).toEqual({ verdict: 'settled', chargedNanoUsd: 170n, balanceNanoUsd: CREDIT - 340n });
  });

  it('begins no new day of its key where there is no room for it', async () => {
    const by = await newHolder({ perRequestLimitNano: RESERVED });
    const order = await reserved(by);
    const day = 'SELECT spent_day FROM access_keys WHERE id = $1';
    const before: unknown[] = await current.database.query(day, [by.keyId]);
    current.clock.advance(86_400_000);
    const settled = await settle({ ...order, now: current.clock.now() }, MUCH);
    expect(settled).toMatchObject({ chargedNanoUsd: RESERVED });
    expect(await current.database.query(day, [by.keyId])).toEqual(before);
  });

  it('counts in the present day, where the call was reserved in an earlier one or before a reset', async () => {
    const by = await newHolder({ dailyLimitNano: 300n });
    const [before, after] = [await reserved(by), await reserved(by)];
    current.clock.advance(86_400_000);
    const now = current.clock.now();
    expect(await settle({ ...before, now }, MUCH)).toMatchObject({ chargedNanoUsd: RESERVED + 300n });
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 300n });
    await new SpendingLimitsRepository(current.databases, current.clock, current.register).reset(
      by.accountId,
      by.keyId,
    );
    expect(await settle({ ...after, now }, RESERVED + 30n)).toMatchObject({ chargedNanoUsd: 130n });
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 30n });
    expect(await current.ledger.reserve(orderOf(by, { amountNanoUsd: 271n, now }))).toMatchObject({
      verdict: 'daily',
    });
  });

  it.each([
    ['the account was closed', 'UPDATE balances SET is_open = false WHERE account_id = $1'],
    ['the key was revoked', 'UPDATE access_keys SET is_active = false WHERE account_id = $1'],
    ['the key has expired', "UPDATE access_keys SET expires_at = '2000-01-01T00:00Z' WHERE account_id = $1"],
  ])('is charged also where %s meanwhile, because the call was let in before', async (_, change) => {
    const order = await reserved(current.holder);
    await current.database.query(change, [order.accountId]);
    expect(await settle(order, MUCH)).toMatchObject({ verdict: 'settled', chargedNanoUsd: CREDIT });
  });

  it('is not charged where the key was deleted, whose limits are gone with it', async () => {
    const order = await reserved(current.holder);
    const { accountId, keyId } = current.holder;
    await new AccessKeys(current.databases, current.clock, new Outbox(), current.register).remove(
      accountId,
      keyId,
    );
    expect(await settle(order, MUCH)).toMatchObject({ chargedNanoUsd: RESERVED });
  });

  it('is charged without a deadlock, whoever writes rows of usage for the same accounts', async () => {
    const [first, second] = [await newHolder(), await newHolder()];
    const orders = [first, second].map((by) => orderOf(by, { amountNanoUsd: RESERVED }));
    await together(orders);
    const rotation = await rotating(first);
    const settled = settleAtOnce(orders, [170n, RESERVED]);
    await until('the excess waits for its key', () => areWaiting('ledger_'));
    let isWritten = false;
    const written = new UsageLog(AccountDatabases.only(current.database))
      .insertUncharged([refusedOf(first), refusedOf(second)])
      .then(() => (isWritten = true));
    await until(
      'the rows wait or are written',
      async () => isWritten || (await areWaiting('INSERT INTO calls')),
    );
    await rotation.end();
    expect((await settled).map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual([170n, RESERVED]);
    expect(await written).toBe(true);
  });

  it('keeps no answer for retries before it is charged', async () => {
    const by = await newHolder();
    const order = await reserved(by);
    const asked = { idempotencyKey: 'k', operationId: 'createMemory', request: {} };
    await new Idempotency(AccountDatabases.only(current.database)).claim({
      ...asked,
      ...order,
      isBounded: true,
    });
    const rotation = await rotating(by);
    const settled = settleAtOnce([order], [170n], { answer: '{}' });
    await until('the excess waits for its key', () => areWaiting('ledger_'));
    expect(await keptAnswers(order)).toEqual([{ answer: null }]);
    await rotation.end();
    expect(await settled).toMatchObject([{ chargedNanoUsd: 170n }]);
    expect(await keptAnswers(order)).toEqual([{ answer: '{}' }]);
  });

  it('is shared out among the calls of a flush, and never more than there is', async () => {
    const by = await newHolder({ dailyLimitNano: 900n });
    const orders = Array.from({ length: 6 }, () => orderOf(by, { amountNanoUsd: RESERVED }));
    await together(orders);
    const settled = await settleAtOnce(orders, [60n, 250n, 100n, 250n, 250n, 0n]);
    const charged = settled.map(({ chargedNanoUsd }) => Number(chargedNanoUsd));
    expect(charged.sort((a, b) => a - b)).toEqual([0, 60, 100, 240, 250, 250]);
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 900n });
    expect(await current.ledger.balance(by.accountId)).toEqual({ balanceNanoUsd: 100n, reservedNanoUsd: 0n });
  });
});

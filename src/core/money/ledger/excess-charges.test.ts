import {
  CREDIT,
  useGroupCommitLedger,
  type Holder,
} from '../../../../test/support/ledger/group-commit-ledger';
import { AccessKeys } from '../../access/access-keys/access-keys.repository';
import {
  SpendingLimitsRepository,
  type LimitChange,
} from '../../access/access-keys/spending-limits.repository';
import type { ReserveOrder } from './ledger';
import { PostgresLedger } from './postgres-ledger';

const MUCH = 10n ** 15n;
const RESERVED = 100n;

describe('what a call cost beyond its reservation', () => {
  const { current, newHolder, orderOf, settlementOf, together } = useGroupCommitLedger();

  const limitsOf = ({ accountId, keyId }: Holder) =>
    new SpendingLimitsRepository(current.database, current.clock).get(accountId, keyId);
  const settle = (order: ReserveOrder, chargeNanoUsd: bigint) =>
    new PostgresLedger(current.database).settle(settlementOf(order, { chargeNanoUsd }));
  const reserved = async (by: Holder, fields: Partial<ReserveOrder> = {}) => {
    const order = orderOf(by, { amountNanoUsd: RESERVED, ...fields });
    expect(await current.ledger.reserve(order)).toMatchObject({ verdict: 'reserved' });
    return order;
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

  it('is charged once, whoever settles how often', async () => {
    const order = await reserved(current.holder);
    const first = await settle(order, 170n);
    expect(first.chargedNanoUsd).toBe(170n);
    expect(await settle(order, 170n)).toEqual(first);
    expect(await current.ledger.settle(settlementOf(order, { chargeNanoUsd: 170n }))).toEqual(first);
  });

  it('counts in the present day, where the call was reserved in an earlier one or before a reset', async () => {
    const by = await newHolder({ dailyLimitNano: 300n });
    const [before, after] = [await reserved(by), await reserved(by)];
    current.clock.advance(86_400_000);
    const now = current.clock.now();
    expect(await settle({ ...before, now }, MUCH)).toMatchObject({ chargedNanoUsd: RESERVED + 300n });
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 300n });
    await new SpendingLimitsRepository(current.database, current.clock).reset(by.accountId, by.keyId);
    expect(await settle({ ...after, now }, RESERVED + 30n)).toMatchObject({ chargedNanoUsd: 130n });
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 30n });
    expect(await current.ledger.reserve(orderOf(by, { amountNanoUsd: 271n, now }))).toMatchObject({
      verdict: 'daily',
    });
  });

  it('is not charged where the key was deleted, whose limits are gone with it', async () => {
    const order = await reserved(current.holder);
    const { accountId, keyId } = current.holder;
    await new AccessKeys(current.database, current.clock).remove(accountId, keyId);
    expect(await settle(order, MUCH)).toMatchObject({ chargedNanoUsd: RESERVED });
  });

  it('is shared out one call after the other in a flush, and never more than there is', async () => {
    const by = await newHolder({ dailyLimitNano: 900n });
    const orders = Array.from({ length: 6 }, () => orderOf(by, { amountNanoUsd: RESERVED }));
    await together(orders);
    const charges = [60n, 250n, 100n, 250n, 250n, 0n];
    // Orders go alone only while fewer than two others do: the settlements wait for one and the same flush.
    const company = await newHolder();
    const busy = [1, 2].map(() => current.ledger.reserve(orderOf(company, { amountNanoUsd: 0n })));
    const settled = await Promise.all(
      orders.map((order, index) =>
        current.ledger.settle(settlementOf(order, { chargeNanoUsd: charges[index] })),
      ),
    );
    await Promise.all(busy);
    expect(settled.map(({ chargedNanoUsd }) => chargedNanoUsd)).toEqual([60n, 250n, 100n, 250n, 240n, 0n]);
    expect(await limitsOf(by)).toMatchObject({ daySpentNano: 900n });
    expect(await current.ledger.balance(by.accountId)).toEqual({ balanceNanoUsd: 100n, reservedNanoUsd: 0n });
  });
});

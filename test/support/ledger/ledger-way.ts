import { PostgresLedger } from '../../../src/ledger/postgres-ledger';
import type { ReserveOrder, ReserveVerdict, SettleOrder, Settlement } from '../../../src/ledger/ledger';
import type { useGroupCommitLedger } from './group-commit-ledger';

/** The two ways in which the ledger carries out orders; what they do must be the same. */
export const LEDGER_WAYS = ['one by one', 'in one flush'] as const;
export type LedgerWay = (typeof LEDGER_WAYS)[number];

/** Reserves and settles in one of the two ways. */
export function ledgerBy(
  way: LedgerWay,
  { current, newHolder, orderOf, settlementOf, together }: ReturnType<typeof useGroupCommitLedger>,
) {
  const isAlone = way === 'one by one';
  const single = () => new PostgresLedger(current.database);

  async function reserve(orders: readonly ReserveOrder[]): Promise<ReserveVerdict[]> {
    if (isAlone) {
      return inTurn(orders, (order) => single().reserve(order));
    }
    const results = await together([...orders]);
    return results.map((result) => {
      if (result.status === 'rejected') {
        throw result.reason;
      }
      return result.value;
    });
  }

  /** Each order with what differs from a settlement of the whole reservation. */
  async function settle(
    orders: readonly (readonly [ReserveOrder, Partial<SettleOrder>])[],
  ): Promise<Settlement[]> {
    const settlements = orders.map(([order, fields]) => settlementOf(order, fields));
    if (isAlone) {
      return inTurn(settlements, (order) => single().settle(order));
    }
    // Orders go alone only while fewer than two others do: the settlements wait for one and the same flush.
    const company = await newHolder();
    const busy = [1, 2].map(() => current.ledger.reserve(orderOf(company, { amountNanoUsd: 0n })));
    const settled = await Promise.all(settlements.map((order) => current.ledger.settle(order)));
    await Promise.all(busy);
    return settled;
  }

  /** Reserves some amounts and charges each as a whole. */
  async function charge(orders: readonly ReserveOrder[]): Promise<void> {
    const verdicts = await reserve(orders);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(orders.map(() => 'reserved'));
    await settle(orders.map((order) => [order, {}]));
  }

  return { reserve, settle, charge };
}

async function inTurn<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
}

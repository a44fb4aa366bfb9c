import type { ReserveVerdict, Settlement } from '../ledger';
import { verdictOf, type ReserveRow } from '../reserve-row';
import type { Batch } from './waiting-order';

/**
 * The row that ledger_flush returns: arrays and JSON as Postgres writes them; null for a part that had nothing to do.
 */
export interface FlushRow {
  items: string | null;
  charged: string | null;
  balances_after: string | null;
  reserved_balances: string | null;
  decided: string | null;
}

export interface FlushAnswer {
  /** In the order of the batch; null for a call that this flush did not end. */
  settlements: (Settlement | null)[];
  /** In the order of the batch. */
  verdicts: ReserveVerdict[];
  /** How many of the reservations were decided one by one. */
  decidedExactly: number;
}

/**
 * @throws Error when the row does not answer every reservation: the function and this code have different versions then
 */
export function flushAnswerOf(row: FlushRow, batch: Batch): FlushAnswer {
  const decided = JSON.parse(row.decided ?? '[]') as DecidedReserve[];
  return {
    settlements: settlementsOf(row, batch.settles.length),
    verdicts: verdictsOf(elements(row.reserved_balances), decided, batch.reserves.length),
    decidedExactly: decided.length,
  };
}

interface DecidedReserve extends Omit<ReserveRow, 'resets_at'> {
  /** The reservation's place in the batch, from 1. */
  item: number;
  resets_at_ms: number | null;
}

function settlementsOf(row: FlushRow, count: number): (Settlement | null)[] {
  const settlements = Array.from({ length: count }, (): Settlement | null => null);
  const items = elements(row.items);
  const charged = elements(row.charged);
  const balances = elements(row.balances_after);
  items.forEach((item, index) => {
    settlements[Number(item) - 1] = {
      verdict: 'settled',
      chargedNanoUsd: BigInt(charged[index] ?? ''),
      balanceNanoUsd: BigInt(balances[index] ?? ''),
    };
  });
  return settlements;
}

function verdictsOf(balances: string[], decided: DecidedReserve[], count: number): ReserveVerdict[] {
  if (balances.length !== count) {
    throw new Error(`a flush of ${count} reservations answered ${balances.length}`);
  }
  const verdicts = balances.map((balance): ReserveVerdict | null =>
    balance === 'NULL' ? null : { verdict: 'reserved', balanceNanoUsd: BigInt(balance) },
  );
  for (const { item, resets_at_ms: resetsAtMs, ...row } of decided) {
    verdicts[item - 1] = verdictOf({ ...row, resets_at: resetsAtMs === null ? null : new Date(resetsAtMs) });
  }
  return verdicts.map((verdict) => {
    if (!verdict) {
      throw new Error('a flush left a reservation without a verdict');
    }
    return verdict;
  });
}

/** The elements of a Postgres array of numbers, such as `{1,NULL,3}`. */
function elements(literal: string | null): string[] {
  return literal === null || literal === '{}' ? [] : literal.slice(1, -1).split(',');
}

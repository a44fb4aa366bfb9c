import type { ReserveVerdict } from './ledger';

/** The row that ledger_reserve returns. Amounts are nano-USD as decimal texts. */
export interface ReserveRow {
  verdict: ReserveVerdict['verdict'];
  balance_nano: string;
  available_nano: string;
  limit_nano: string;
  room_nano: string;
  spent_nano: string;
  resets_at: Date | null;
}

/** The row as a verdict, which has only the members that belong to its kind. */
export function verdictOf(row: ReserveRow): ReserveVerdict {
  switch (row.verdict) {
    case 'reserved':
      return { verdict: row.verdict, balanceNanoUsd: BigInt(row.balance_nano) };
    case 'insufficient_credits':
      return {
        verdict: row.verdict,
        availableNanoUsd: BigInt(row.available_nano),
        roomNanoUsd: BigInt(row.room_nano),
      };
    case 'per_request':
    case 'daily':
    case 'monthly':
      return {
        verdict: row.verdict,
        limitNanoUsd: BigInt(row.limit_nano),
        spentNanoUsd: BigInt(row.spent_nano),
        resetsAt: row.resets_at,
        roomNanoUsd: BigInt(row.room_nano),
      };
    default:
      return { verdict: row.verdict };
  }
}

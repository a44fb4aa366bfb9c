import type { TestService } from '../api/service';
import type { TestAccount } from '../api/world';

/** An entry as the ledger holds it, nano-USD. */
export interface LedgerEntry {
  id: string;
  type: string;
  amountNanoUsd: bigint;
  balanceAfterNanoUsd: bigint;
  description: string;
  requestId: string | null;
}

/** An account's entries in the order in which they were posted, past every layer that could misread them. */
export async function ledgerEntries(service: TestService, account: TestAccount): Promise<LedgerEntry[]> {
  const rows: Record<string, string>[] = await service.database.query(
    `SELECT id, type, amount_nano::text, balance_after_nano::text, description, request_id
     FROM ledger_entries WHERE account_id = $1 ORDER BY position`,
    [account.id],
  );
  return rows.map((row) => ({
    id: row.id ?? '',
    type: row.type ?? '',
    amountNanoUsd: BigInt(row.amount_nano ?? 0),
    balanceAfterNanoUsd: BigInt(row.balance_after_nano ?? 0),
    description: row.description ?? '',
    requestId: row.request_id ?? null,
  }));
}

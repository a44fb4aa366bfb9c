import { nanoToUsd } from '../pricing/usd';
import type { Transaction } from './transactions.repository';

/** An entry of the ledger as its account and operators see it. */
export function transactionRecord(transaction: Transaction) {
  return {
    id: transaction.id,
    type: transaction.type,
    amount: nanoToUsd(transaction.amountNanoUsd),
    balance_after: nanoToUsd(transaction.balanceAfterNanoUsd),
    description: transaction.description,
    reference_id: transaction.referenceId,
    request_id: transaction.requestId,
    key_id: transaction.keyId,
    status: 'posted' as const,
    created_at: transaction.createdAt.toISOString(),
  };
}

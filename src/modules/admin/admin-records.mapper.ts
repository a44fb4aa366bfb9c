import type { AdminAction as AdminActionView, AdminCall } from '../../../generated/types';
import type { AdminAction } from '../../core/access/admin-actions/admin-actions.repository';
import { transactionRecord } from '../../core/money/ledger/transaction-record';
import { receiptRecord } from '../../core/money/usage/receipt-record';
import type { CallStory } from './admin-records.service';
import { toUserReference } from './admin.mapper';

export function toAdminCall({ account, key, receipt, transactions }: CallStory): AdminCall {
  return {
    user: toUserReference(account),
    key: key && { id: key.id, name: key.name, key_value_preview: key.preview, is_active: key.isActive },
    receipt: receiptRecord(receipt),
    transactions: transactions.map(transactionRecord),
  };
}

export function toAdminAction(action: AdminAction): AdminActionView {
  return {
    id: action.id,
    admin_id: action.adminId,
    operation: action.operation,
    user_id: action.accountId,
    subject_id: action.subjectId,
    reason: action.reason,
    before: action.before as AdminActionView['before'],
    after: action.after as AdminActionView['after'],
    request_id: action.requestId,
    created_at: action.createdAt.toISOString(),
  };
}

import { UpgradeRequests } from '../../../src/modules/support/support';
import type { TestAccount, World } from './world';

/** Stores a pending request of an account, the owner's where none is named, in place of one that it may have. */
export async function storeUpgradeRequest(
  { service, owner }: World,
  fields: { tier?: 'basic' | 'pro' | 'enterprise'; account?: TestAccount } = {},
): Promise<string> {
  const { tier = 'pro', account = owner } = fields;
  await service.database.query(
    `UPDATE upgrade_requests SET status = 'rejected' WHERE account_id = $1 AND status = 'pending'`,
    [account.id],
  );
  const { id } = await service.app.get(UpgradeRequests).create({
    accountId: account.id,
    requestedTier: tier,
    reason: 'We launch next month.',
    estimatedRequestsPerDay: 50_000,
  });
  return id;
}

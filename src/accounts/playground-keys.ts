import type { EntityManager } from 'typeorm';

/**
 * Removes an account's keys of the playground with all their secrets. To be called with the account's row locked. The ledger locks
 * keys in this order too.
 * @param endedBy those alone that have ended by then; null for all of them, of which all processes have to be told
 */
export async function removePlaygroundKeys(
  manager: EntityManager,
  accountId: string,
  endedBy: Date | null,
): Promise<void> {
  await manager.query(REMOVE, [accountId, endedBy]);
}

const REMOVE = `
  WITH removed AS MATERIALIZED (
    SELECT id FROM access_keys
    WHERE account_id = $1 AND is_playground AND ($2::timestamptz IS NULL OR NOT is_active OR expires_at <= $2)
    ORDER BY id FOR UPDATE
  ), secrets AS (
    DELETE FROM replaced_secrets WHERE key_id IN (SELECT id FROM removed)
  )
  DELETE FROM access_keys WHERE account_id = $1 AND id IN (SELECT id FROM removed)`;

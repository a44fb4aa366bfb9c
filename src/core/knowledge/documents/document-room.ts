import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors/request-errors';
import { refuseFullStorage } from '../../money/storage/storage';
import { DOCUMENTS_MAX, STORED_BYTES_MAX } from './document-bounds';

/** Locks an account's documents against others that add to them, until the transaction ends. */
export async function lockRoom(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(LOCK_ACCOUNT, [accountId]);
}

/**
 * What there is room for is certain only behind {@link lockRoom}; before it, this spares work that would be for nothing.
 * @throws Conflict where the account has 10,000 documents and another is to be added, or would have more than 2 GiB of files
 *   and of what was read from them; StorageFull where it would store more of all kinds of things than it may
 */
export async function refuseFull(
  manager: EntityManager,
  accountId: string,
  added: { readonly documents: 0 | 1; readonly bytes: number },
): Promise<void> {
  const [stored]: { documents: string; bytes: string }[] = await manager.query(TOTALS, [accountId]);
  if (added.documents > 0 && Number(stored?.documents) >= DOCUMENTS_MAX) {
    throw new Conflict(`An account has at most ${DOCUMENTS_MAX} documents; delete one first.`);
  }
  if (Number(stored?.bytes) + added.bytes > STORED_BYTES_MAX) {
    throw new Conflict(
      'The documents of an account have at most 2 GiB, with what was read from them; delete one first.',
    );
  }
  await refuseFullStorage(manager, accountId, added.bytes);
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

const TOTALS = `
  SELECT count(*) AS documents, coalesce(sum(size_bytes::bigint + read_bytes), 0) AS bytes
  FROM documents WHERE account_id = $1`;

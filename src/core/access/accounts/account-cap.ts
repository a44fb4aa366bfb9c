import type { EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';
import { Conflict } from '../../errors/request-errors';

export interface AccountCap {
  accountId: string;
  countMax: number;
  /** What is counted, as the refusal names it: `access keys`. */
  things: string;
}

/**
 * Refuses to give an account one more row of a kind than it may have. To be called in the transaction that inserts the
 * row: the account is locked until its end, because two creations at once would each count without the other's.
 * @throws Conflict when the account has as many as it may
 */
export async function holdCap<Row extends { accountId: string }>(
  manager: EntityManager,
  rows: EntityTarget<Row>,
  { accountId, countMax, things }: AccountCap,
): Promise<void> {
  await manager.query('SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
  if ((await manager.countBy(rows, { accountId } as FindOptionsWhere<Row>)) >= countMax) {
    throw new Conflict(`An account has at most ${countMax} ${things}; delete one first.`);
  }
}

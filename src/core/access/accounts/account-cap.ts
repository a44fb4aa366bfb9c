import type { EntityManager, EntityTarget, FindOptionsWhere } from 'typeorm';
import { Conflict } from '../../errors/request-errors';

export interface AccountCap {
  accountId: string;
  countMax: number;
  /** What is counted, in the plural, for the text of the refusal: `access keys`. */
  things: string;
}

/**
 * Makes sure that an account may have one more row of a kind. Must be called in the transaction that inserts the row:
 * the account stays locked until that transaction ends, because two simultaneous creations would not count each
 * other's row.
 * @throws Conflict when the account has `countMax` rows already
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

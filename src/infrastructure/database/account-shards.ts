import { partitionOfUuid } from './partition-hash';

/**
 * In which shard an account is: the partition of its id where the tables are partitioned by the hash of account_id into
 * `count` parts (docs/scaling.md). What one statement or one commit carries of several accounts is kept within a shard.
 * With one shard, as the tables are made, everything is together.
 */
export class AccountShards {
  /** @param count how many shards there are, 1 or more */
  constructor(readonly count: number) {}

  /** The number of the account's shard, from 0. */
  of(accountId: string): number {
    return this.count === 1 ? 0 : partitionOfUuid(accountId, this.count);
  }

  /** The items of each shard that has any, in their order. */
  split<Item extends { accountId: string }>(items: readonly Item[]): Item[][] {
    if (this.count === 1) {
      return items.length > 0 ? [[...items]] : [];
    }
    const shards = new Map<number, Item[]>();
    for (const item of items) {
      const shard = this.of(item.accountId);
      const together = shards.get(shard);
      if (together) {
        together.push(item);
      } else {
        shards.set(shard, [item]);
      }
    }
    return [...shards.values()];
  }
}

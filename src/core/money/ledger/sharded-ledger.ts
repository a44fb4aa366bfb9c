import type { OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountShards } from '../../../infrastructure/database/account-shards';
import type { GroupCommitLedger } from './group-commit-ledger';
import {
  Ledger,
  type Balance,
  type CreditOrder,
  type ReserveOrder,
  type ReserveVerdict,
  type SettleOrder,
  type Settlement,
} from './ledger';

/**
 * The ledger where the tables are partitioned by the hash of the account: one group commit for each shard, so that no
 * flush carries the orders of two shards (docs/scaling.md). Every order goes to the ledger of its account's shard, and is
 * decided there exactly as without shards.
 */
export class ShardedLedger extends Ledger implements OnApplicationShutdown {
  /**
   * @param ledgers one for each shard, in their order
   * @throws Error unless there are as many ledgers as shards
   */
  constructor(
    private readonly shards: AccountShards,
    private readonly ledgers: readonly GroupCommitLedger[],
  ) {
    super();
    if (ledgers.length !== shards.count) {
      throw new Error(`${shards.count} shards need as many ledgers, not ${ledgers.length}`);
    }
  }

  override reserve(order: ReserveOrder): Promise<ReserveVerdict> {
    return this.of(order.accountId).reserve(order);
  }

  override settle(order: SettleOrder): Promise<Settlement> {
    return this.of(order.accountId).settle(order);
  }

  override credit(order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).credit(order);
  }

  override creditWithin(manager: Pick<EntityManager, 'query'>, order: CreditOrder): Promise<string | null> {
    return this.of(order.accountId).creditWithin(manager, order);
  }

  /** Each ledger finds what is over wherever it may look, and this one sends it to the ledger of its shard. */
  override async sweep(now: Date): Promise<number> {
    let ended = 0;
    for (const ledger of this.ledgers) {
      ended += await ledger.sweepBy(this, now);
    }
    return ended;
  }

  override balance(accountId: string): Promise<Balance> {
    return this.of(accountId).balance(accountId);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.ledgers.map((ledger) => ledger.onApplicationShutdown()));
  }

  private of(accountId: string): GroupCommitLedger {
    const ledger = this.ledgers[this.shards.of(accountId)];
    if (!ledger) {
      throw new Error(`no ledger for the shard of account ${accountId}`);
    }
    return ledger;
  }
}

import type { OnApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AccountShards } from '../database/account-shards';
import type { LeaseLedger } from './lease-ledger';
import {
  type Balance,
  type CreditOrder,
  Ledger,
  type ReserveOrder,
  type ReserveVerdict,
  type Settlement,
  type SettleOrder,
} from './ledger';

/** One ledger for each shard, so that no flush carries the orders of two shards (docs/scaling.md). */
export class ShardedLedger extends Ledger implements OnApplicationShutdown {
  constructor(
    private readonly shards: AccountShards,
    private readonly ledgers: readonly LeaseLedger[],
  ) {
    super();
    if (ledgers.length !== shards.count) {
      throw new Error(`${shards.count} shards need as many ledgers, not ${ledgers.length}`);
    }
  }

  override reserve(order: ReserveOrder): ReserveVerdict | Promise<ReserveVerdict> {
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

  override async sweep(now: Date): Promise<number> {
    let ended = 0;
    for (const ledger of this.ledgers) {
      ended += await ledger.sweep(now);
    }
    return ended;
  }

  override endSilent(accountId: string): Promise<void> {
    return this.of(accountId).endSilent(accountId);
  }

  override async show(accountId: string | null): Promise<void> {
    const shown = accountId === null ? this.ledgers : [this.of(accountId)];
    await Promise.all(shown.map((ledger) => ledger.show(accountId)));
  }

  override balance(accountId: string): Promise<Balance> {
    return this.of(accountId).balance(accountId);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.ledgers.map((ledger) => ledger.onApplicationShutdown()));
  }

  private of(accountId: string): LeaseLedger {
    const ledger = this.ledgers[this.shards.of(accountId)];
    if (!ledger) {
      throw new Error(`no ledger for the shard of account ${accountId}`);
    }
    return ledger;
  }
}

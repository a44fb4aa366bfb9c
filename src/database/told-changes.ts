import { LRUCache } from 'lru-cache';

/** Of so many accounts it is known when they were changed last. */
const ACCOUNTS_MAX = 10_000;

/** Which changes of accounts this process was told of, so that what was read while one came is read again. */
export class ToldChanges {
  /** How many there were, and which was the last of all accounts and of each. */
  private count = 0;
  private lastOfAll = 0;
  private readonly lastOf = new LRUCache<string, number>({
    max: ACCOUNTS_MAX,
    dispose: (change, _, reason) => {
      if (reason === 'evict') {
        this.lastOfAll = Math.max(this.lastOfAll, change);
      }
    },
  });

  add(accountId: string | null): void {
    this.count += 1;
    if (accountId === null) {
      this.lastOfAll = this.count;
    } else {
      this.lastOf.set(accountId, this.count);
    }
  }

  /** Reads what a change may replace, and again where its account was changed meanwhile: a change counts from its answer on. */
  async current<Row extends { accountId: string }>(read: () => Promise<Row[]>): Promise<Row | null> {
    for (;;) {
      const began = this.count;
      const [row] = await read();
      if (!row || Math.max(this.lastOfAll, this.lastOf.get(row.accountId) ?? 0) <= began) {
        return row ?? null;
      }
    }
  }
}

import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { Conflict } from '../../errors/request-errors';
import { TextThreads } from '../../text/threads/text-threads';
import { textSearchConfiguration } from '../retrieval/text-search-configuration';
import { SearchItemRecord, type SearchItemFields } from './search-item.entity';
import { COUNT_OF_IDS, LOCK, RECOUNT, REMOVE, UPSERT } from './search-items.statements';

export const ITEMS_PER_ACCOUNT_MAX = 100_000;
const STEMMED = textSearchConfiguration('en');

/** The items in Postgres, with the words by which they are found and mistyped queries are corrected. */
@Injectable()
export class SearchItemsRepository {
  constructor(
    private readonly database: DataSource,
    private readonly threads: TextThreads,
  ) {}

  /**
   * Stores all items or none, and returns for each whether it is new. An item replaces the one with the same id; of
   * several with one id the last is stored. Writers of one account wait for each other at the row of its total, so
   * that the words of all its items are counted without a deadlock.
   * @throws Conflict when the account would have more than 100,000 items, and what TextThreads.run throws
   */
  async upsert(
    accountId: string,
    items: readonly SearchItemFields[],
    { now, signal }: { now: Date; signal?: AbortSignal },
  ): Promise<{ id: string; created: boolean }[]> {
    const distinct = [...new Map(items.map((item) => [item.id, item])).values()];
    const values = await this.valuesOf(distinct, signal);
    const created = await this.database.transaction(async (manager) => {
      const ids = distinct.map(({ id }) => id);
      const total = await this.lockedTotal(manager, accountId);
      const [present]: { count: number }[] = await manager.query(COUNT_OF_IDS, [accountId, ids]);
      const added = ids.length - Number(present?.count);
      if (added > 0 && total + added > ITEMS_PER_ACCOUNT_MAX) {
        throw new Conflict(
          `An account has at most ${ITEMS_PER_ACCOUNT_MAX} search items; delete some first.`,
        );
      }
      const rows: { id: string; created: boolean }[] = await manager.query(UPSERT, [
        accountId,
        now,
        ...values,
      ]);
      await manager.query(RECOUNT, [accountId, added]);
      return new Map(rows.map((row) => [row.id, row.created]));
    });
    return items.map(({ id }) => ({ id, created: created.get(id) === true }));
  }

  /** The account's item of this id; null where there is none. */
  async find(accountId: string, id: string): Promise<SearchItemRecord | null> {
    return this.database.getRepository(SearchItemRecord).findOneBy({ accountId, id });
  }

  /** Deletes an item; false where there is none. */
  async remove(accountId: string, id: string): Promise<boolean> {
    return this.database.transaction(async (manager) => {
      await this.lockedTotal(manager, accountId);
      const removed: unknown[] = await manager.query(REMOVE, [accountId, id]);
      await manager.query(RECOUNT, [accountId, -removed.length]);
      return removed.length > 0;
    });
  }

  /** How many items the account has; its other writers wait until the transaction ends. */
  private async lockedTotal(manager: EntityManager, accountId: string): Promise<number> {
    const [row]: { items: number }[] = await manager.query(LOCK, [accountId]);
    return Number(row?.items);
  }

  private async valuesOf(items: readonly SearchItemFields[], signal?: AbortSignal): Promise<unknown[]> {
    const titles = items.map(({ title }) => title ?? '');
    const contents = items.map(({ content }) => content);
    const texts = [...titles, ...contents];
    const indexed = await this.threads.run('indexTexts', { titles, contents }, texts, signal);
    const configurations = indexed.languages.map(textSearchConfiguration);
    return [
      items.map(({ id }) => id),
      items.map(({ title }) => title),
      contents,
      items.map(({ url }) => url),
      items.map(({ metadata }) => JSON.stringify(metadata)),
      configurations.map((configuration) => configuration === STEMMED),
      configurations,
      indexed.titleWords,
      indexed.contentWords,
      indexed.knownWords,
      indexed.distinctWords,
      indexed.shapes,
    ];
  }
}

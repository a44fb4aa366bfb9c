import { Injectable } from '@nestjs/common';
import { NotFound, Unprocessable } from '../../core/errors/request-errors';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { ItemSearch, type ItemResults } from '../../core/knowledge/search-items/item-search';
import type { ItemPage } from '../../core/knowledge/search-items/found-items.repository';
import type {
  SearchItemFields,
  SearchItemRecord,
} from '../../core/knowledge/search-items/search-item.entity';
import { SearchItemsRepository } from '../../core/knowledge/search-items/search-items.repository';
import { Clock } from '../../infrastructure/clock/clock';

/** What an id looks like. A path may name any text, also such that Postgres takes for none. */
const ITEM_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The search items of an account. */
@Injectable()
export class SearchService {
  constructor(
    private readonly items: SearchItemsRepository,
    private readonly itemSearch: ItemSearch,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores all items or none, and returns for each whether it is new.
   * @throws ValidationFailed for too much metadata, Unprocessable for an item without a word, Conflict where the account would have too many items
   */
  async index(
    accountId: string,
    items: SearchItemFields[],
    signal: AbortSignal,
  ): Promise<{ id: string; created: boolean }[]> {
    items.forEach(({ metadata }, index) => limitMetadata(metadata, `items[${index}].metadata`));
    items.forEach(({ title, content }, index) => {
      if (!/[\p{L}\p{N}]/u.test(`${title ?? ''}${content}`)) {
        throw new Unprocessable(`items[${index}] has no letter and no digit, so that nothing could find it.`);
      }
    });
    return this.items.upsert(accountId, items, { now: this.clock.now(), signal });
  }

  /** @throws ValidationFailed for too large a filter */
  async search(
    accountId: string,
    query: string,
    page: ItemPage & { signal: AbortSignal },
  ): Promise<ItemResults> {
    limitMetadata(page.metadata ?? {}, 'filter');
    return this.itemSearch.search(accountId, query, page);
  }

  /** @throws NotFound where the account has no item of that id */
  async get(accountId: string, id: string): Promise<SearchItemRecord> {
    const item = ITEM_ID.test(id) ? await this.items.find(accountId, id) : null;
    if (!item) {
      throw new NotFound('search item');
    }
    return item;
  }

  /** @throws NotFound where the account has no item of that id */
  async remove(accountId: string, id: string): Promise<void> {
    if (!ITEM_ID.test(id) || !(await this.items.remove(accountId, id))) {
      throw new NotFound('search item');
    }
  }
}

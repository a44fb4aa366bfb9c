import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  type DeleteSearchItemCall,
  type GetSearchItemCall,
  type IndexSearchItemsCall,
  searchApi,
  type SearchApi,
  type SearchCall,
} from '../../../generated/contract';
import type {
  IndexedSearchItems,
  IndexSearchItemsRequest,
  SearchItem,
  SearchItemInput,
  SearchRequest,
  SearchResults,
} from '../../../generated/types';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { limitMetadata } from '../../retrieval/limit-metadata';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { TokenCounter } from '../../text/token-counter';
import { FoundItemsRepository, type ItemPage, type ItemResults, ItemSearch } from './item-search';
import { type SearchItemFields, SearchItemRecord, SearchItemsRepository } from './search-items.repository';

/** An item without an id gets one. */
function toItemFields(input: SearchItemInput): SearchItemFields {
  return {
    id: input.id ?? newId(),
    title: input.title ?? null,
    content: input.content,
    url: input.url ?? null,
    metadata: input.metadata ?? {},
  };
}

function toSearchItem(record: SearchItemRecord): SearchItem {
  return {
    id: record.id,
    title: record.title,
    content: record.content,
    url: record.url,
    metadata: record.metadata,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
  };
}

function toSearchResults(
  { results, total, isTruncated, correctedQuery }: ItemResults,
  { limit, offset }: Pick<SearchRequest, 'limit' | 'offset'>,
): SearchResults {
  return {
    results: results.map(({ snippet, ...item }) => ({
      ...item,
      snippet: snippet.text,
      highlights: snippet.highlights,
    })),
    total,
    limit: isTruncated ? results.length : limit,
    offset,
    truncated: isTruncated,
    corrected_query: correctedQuery,
  };
}

/** How many tokens the titles and contents have, which is both what is reserved and what is charged. */
class CountedItems {
  constructor(readonly tokens: number) {}
}

/** Counts the tokens of items before anything is reserved. */
@Injectable()
class IndexingEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly counter: TokenCounter,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexSearchItems', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { items } = body as IndexSearchItemsRequest;
    const texts = items.flatMap(({ title, content }) => [title ?? '', content]);
    const inputTokens = await this.counter.countAll(texts, signal);
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedItems(inputTokens) };
  }
}

/** What an id looks like. A path may name any text, also such that Postgres takes for none. */
const ITEM_ID = /^[A-Za-z0-9_][A-Za-z0-9_.:@~-]{0,127}$/;

/** The search items of an account. */
@Injectable()
class SearchService {
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

@Serves(searchApi)
class SearchController implements SearchApi {
  constructor(private readonly items: SearchService) {}

  async indexSearchItems(call: IndexSearchItemsCall): Promise<IndexedSearchItems> {
    const { account, body, meter, signal } = call;
    const { tokens } = planOf(call, CountedItems);
    const items = await this.items.index(account.id, body.items.map(toItemFields), signal);
    meter.report({ inputTokens: tokens, outputTokens: 0 });
    return { items, count: items.length, tokens };
  }

  async search(call: SearchCall): Promise<SearchResults> {
    const { account, body, signal } = call;
    const { query, limit, offset, sort, order, filter } = body;
    const page = { limit, offset, sort, order, metadata: filter ?? null, signal };
    const results = await this.items.search(account.id, query, page);
    call.setEngine({ provider: 'embedded', method: 'bm25', quality: 'basic' });
    return toSearchResults(results, body);
  }

  async getSearchItem({ account, params }: GetSearchItemCall): Promise<SearchItem> {
    return toSearchItem(await this.items.get(account.id, params.item_id));
  }

  async deleteSearchItem({ account, params }: DeleteSearchItemCall): Promise<void> {
    await this.items.remove(account.id, params.item_id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([SearchItemRecord])],
  controllers: [SearchController],
  providers: [FoundItemsRepository, IndexingEstimates, ItemSearch, SearchItemsRepository, SearchService],
})
export class SearchModule {}

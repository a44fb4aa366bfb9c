import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Call, searchApi, type SearchApi } from '../../../generated/contract';
import type {
  IndexedSearchItems,
  IndexSearchItemsRequest,
  SearchItem,
  SearchItemInput,
  SearchRequest,
  SearchResults,
} from '../../../generated/types';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import { Serves } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { limitMetadata } from '../../retrieval/limit-metadata';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { TokenCounter } from '../../text/token-counter';
import { FoundItemsRepository, type ItemResults, ItemSearch } from './item-search';
import { type SearchItemFields, SearchItemEntity, SearchItemsRepository } from './search-items.repository';

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

function toSearchItem(item: SearchItemEntity): SearchItem {
  return {
    id: item.id,
    title: item.title,
    content: item.content,
    url: item.url,
    metadata: item.metadata,
    created_at: item.createdAt.toISOString(),
    updated_at: item.updatedAt.toISOString(),
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

@Serves(searchApi)
class SearchController implements SearchApi {
  constructor(
    private readonly items: SearchItemsRepository,
    private readonly itemSearch: ItemSearch,
    private readonly clock: Clock,
  ) {}

  async indexSearchItems(call: Call<'indexSearchItems'>): Promise<IndexedSearchItems> {
    const { account, body, meter, signal } = call;
    const { tokens } = planOf(call, CountedItems);
    const fields = body.items.map(toItemFields);
    refuseUnindexable(fields);
    const items = await this.items.upsert(account.id, fields, { now: this.clock.now(), signal });
    meter.report({ inputTokens: tokens, outputTokens: 0 });
    return { items, count: items.length, tokens };
  }

  async search(call: Call<'search'>): Promise<SearchResults> {
    const { account, body, signal } = call;
    const { query, limit, offset, sort, order, filter } = body;
    limitMetadata(filter ?? {}, 'filter');
    const page = { limit, offset, sort, order, metadata: filter ?? null, signal };
    const results = await this.itemSearch.search(account.id, query, page);
    call.setEngine({ provider: 'embedded', method: 'bm25', quality: 'basic' });
    return toSearchResults(results, body);
  }

  async getSearchItem({ account, params }: Call<'getSearchItem'>): Promise<SearchItem> {
    return toSearchItem(await this.items.get(account.id, params.item_id));
  }

  async deleteSearchItem({ account, params }: Call<'deleteSearchItem'>): Promise<void> {
    await this.items.remove(account.id, params.item_id);
  }
}

/** @throws ValidationFailed for too much metadata, Unprocessable for an item without a word */
function refuseUnindexable(items: readonly SearchItemFields[]): void {
  items.forEach(({ metadata }, index) => limitMetadata(metadata, `items[${index}].metadata`));
  items.forEach(({ title, content }, index) => {
    if (!/[\p{L}\p{N}]/u.test(`${title ?? ''}${content}`)) {
      throw new Unprocessable(`items[${index}] has no letter and no digit, so that nothing could find it.`);
    }
  });
}

@Module({
  imports: [TypeOrmModule.forFeature([SearchItemEntity])],
  controllers: [SearchController],
  providers: [FoundItemsRepository, IndexingEstimates, ItemSearch, SearchItemsRepository],
})
export class SearchModule {}

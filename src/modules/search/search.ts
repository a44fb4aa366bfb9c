import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { type Call, searchApi, type SearchApi } from '../../../generated/contract';
import type {
  IndexedSearchItems,
  IndexSearchItemsRequest,
  SearchItem,
  SearchItemInput,
  SearchResults,
} from '../../../generated/types';
import {
  CountedInput,
  type Estimate,
  type EstimatedCall,
  Estimates,
  planOf,
  Serves,
} from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { limitMetadata, inSnakeCase } from '../../runtime/json';
import { Clock } from '../../runtime/clock';
import { correctedQuery, readSearchQuery, type SearchQuery } from '../../text/search-query';
import { TextThreads } from '../../text/text-threads';
import { textJobs } from '../../text/text.jobs';
import { TokenCounter } from '../../text/token-counter';
import {
  type FoundItem,
  FoundItemsRepository,
  type ItemPage,
  SearchItemEntity,
  type SearchItemFields,
  SearchItemsRepository,
} from './search-items.repository';

/** In UTF-16 units of all the page's contents together, read for snippets. */
const SNIPPET_SOURCES_LENGTH_MAX = 2_000_000;
const CONTENT_LENGTH_MAX = 100_000;

type Found = Omit<SearchResults, 'corrected_query'>;

@Injectable()
export class ItemSearch {
  constructor(
    private readonly foundItems: FoundItemsRepository,
    private readonly threads: TextThreads,
  ) {}

  /** Where nothing is found, unknown words are corrected by the account's own. */
  async search(
    accountId: string,
    query: string,
    { signal, ...page }: ItemPage & { signal: AbortSignal },
  ): Promise<SearchResults> {
    const asked = readSearchQuery(query);
    const found = await this.find(accountId, asked, page, signal);
    if (found.total > 0) {
      return { ...found, corrected_query: null };
    }
    signal.throwIfAborted();
    const unknown = asked.places.map(({ folded }) => folded);
    const corrections = await this.foundItems.corrections(accountId, unknown);
    if (corrections.size === 0) {
      return { ...found, corrected_query: null };
    }
    const corrected = correctedQuery(query, corrections);
    const better = await this.find(accountId, readSearchQuery(corrected), page, signal);
    return { ...better, corrected_query: better.total > 0 ? corrected : null };
  }

  private async find(
    accountId: string,
    asked: SearchQuery,
    page: ItemPage,
    signal: AbortSignal,
  ): Promise<Found> {
    const { limit, offset } = page;
    const lexemes = await this.foundItems.lexemes(accountId, asked.wanted);
    if (lexemes === null) {
      return { results: [], total: 0, limit, offset, truncated: false };
    }
    const contentLength = Math.min(CONTENT_LENGTH_MAX, Math.floor(SNIPPET_SOURCES_LENGTH_MAX / limit));
    const found = await this.foundItems.page(accountId, asked, { ...page, contentLength });
    const results = await this.withSnippets(found.items, lexemes, signal);
    const { total, isTruncated: truncated } = found;
    return { results, total, limit: truncated ? results.length : limit, offset, truncated };
  }

  private async withSnippets(
    items: readonly FoundItem[],
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<SearchResults['results']> {
    const texts = items.map(({ contentStart }) => contentStart);
    const areStemmed = items.map(({ isStemmed }) => isStemmed);
    const job = { texts, areStemmed, wanted };
    const snippets = await this.threads.run(textJobs.textSnippets, job, texts, signal);
    return items.map(({ contentStart: _, isStemmed: __, ...item }, index) => ({
      ...item,
      snippet: snippets[index]?.text ?? '',
      highlights: snippets[index]?.highlights ?? [],
    }));
  }
}

function toItemFields(id: string, { title = null, url = null, ...input }: SearchItemInput): SearchItemFields {
  return { id, title, content: input.content, url, metadata: input.metadata ?? {} };
}

@Serves(searchApi)
class SearchController implements SearchApi, OnModuleInit {
  constructor(
    private readonly items: SearchItemsRepository,
    private readonly itemSearch: ItemSearch,
    private readonly estimates: Estimates,
    private readonly counter: TokenCounter,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.estimates.register('indexSearchItems', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const { items } = body as IndexSearchItemsRequest;
    const texts = items.flatMap(({ title, content }) => [title ?? '', content]);
    return CountedInput.estimate(await this.counter.countAll(texts, signal));
  }

  async indexSearchItems(call: Call<'indexSearchItems'>): Promise<IndexedSearchItems> {
    const { account, body, meter, idempotencyId, signal } = call;
    const { tokens } = planOf(call, CountedInput);
    const now = this.clock.now();
    const ids = await this.items.idsOf(account.id, body.items, { idempotencyId, now });
    const fields = body.items.map((item, place) => toItemFields(String(ids[place]), item));
    refuseUnindexable(fields);
    const items = await this.items.upsert(account.id, fields, { now, signal });
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
    return results;
  }

  async getSearchItem({ account, params }: Call<'getSearchItem'>): Promise<SearchItem> {
    const item = await this.items.get(account.id, params.item_id);
    return inSnakeCase(item, 'id', 'title', 'content', 'url', 'metadata', 'createdAt', 'updatedAt');
  }

  async deleteSearchItem({ account, params }: Call<'deleteSearchItem'>): Promise<void> {
    await this.items.remove(account.id, params.item_id);
  }
}

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
  providers: [FoundItemsRepository, ItemSearch, SearchItemsRepository],
})
export class SearchModule {}

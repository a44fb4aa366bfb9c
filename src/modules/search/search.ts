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
import { limitMetadata } from '../../runtime/json';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/snake-case';
import { correctedQuery, readSearchQuery, type SearchQuery } from '../../text/search-query';
import type { TextSnippet } from '../../text/text-snippet';
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

/** How much of the contents is looked at for the snippets of a page, in UTF-16 units of all its results together. */
const LOOKED_AT_MAX = 2_000_000;
const CONTENT_LENGTH_MAX = 100_000;

type ItemResult = Omit<FoundItem, 'contentStart' | 'isStemmed'> & { snippet: TextSnippet };

interface ItemResults {
  results: ItemResult[];
  total: number;
  isTruncated: boolean;
  /** What was searched instead of the query; null where it was searched as it is. */
  correctedQuery: string | null;
}

type Found = Pick<ItemResults, 'results' | 'total' | 'isTruncated'>;

const NOTHING: Found = { results: [], total: 0, isTruncated: false };

@Injectable()
export class ItemSearch {
  constructor(
    private readonly foundItems: FoundItemsRepository,
    private readonly threads: TextThreads,
  ) {}

  /** Where nothing fits the query, its unknown words are corrected by the account's own. */
  async search(
    accountId: string,
    query: string,
    { signal, ...page }: ItemPage & { signal: AbortSignal },
  ): Promise<ItemResults> {
    const asked = readSearchQuery(query);
    const found = await this.find(accountId, asked, page, signal);
    if (found.total > 0) {
      return { ...found, correctedQuery: null };
    }
    signal.throwIfAborted();
    const unknown = asked.places.map(({ folded }) => folded);
    const corrections = await this.foundItems.corrections(accountId, unknown);
    if (corrections.size === 0) {
      return { ...NOTHING, correctedQuery: null };
    }
    const corrected = correctedQuery(query, corrections);
    const better = await this.find(accountId, readSearchQuery(corrected), page, signal);
    return { ...better, correctedQuery: better.total > 0 ? corrected : null };
  }

  private async find(
    accountId: string,
    { wanted, phrases, excluded }: SearchQuery,
    page: ItemPage,
    signal: AbortSignal,
  ): Promise<Found> {
    const lexemes = await this.foundItems.lexemes(wanted);
    if (lexemes === null) {
      return NOTHING;
    }
    const contentLength = Math.min(CONTENT_LENGTH_MAX, Math.floor(LOOKED_AT_MAX / page.limit));
    const asked = { wanted, phrases, excluded };
    const { items, ...found } = await this.foundItems.page(accountId, asked, { ...page, contentLength });
    return { ...found, results: await this.withSnippets(items, lexemes, signal) };
  }

  private async withSnippets(
    items: readonly FoundItem[],
    wanted: readonly string[],
    signal: AbortSignal,
  ): Promise<ItemResult[]> {
    const texts = items.map(({ contentStart }) => contentStart);
    const areStemmed = items.map(({ isStemmed }) => isStemmed);
    const snippets = await this.threads.run(
      textJobs.textSnippets,
      { texts, areStemmed, wanted },
      texts,
      signal,
    );
    return items.map(({ contentStart: _, isStemmed: __, ...item }, index) => ({
      ...item,
      snippet: {
        text: snippets.texts[index] ?? '',
        highlights: pairs(snippets.highlights[index] ?? new Uint16Array()),
      },
    }));
  }
}

function pairs(places: Uint16Array): TextSnippet['highlights'] {
  return Array.from({ length: places.length / 2 }, (_, index) => ({
    start: places[index * 2] ?? 0,
    end: places[index * 2 + 1] ?? 0,
  }));
}

function toItemFields(input: SearchItemInput): SearchItemFields {
  return {
    id: input.id ?? newId(),
    title: input.title ?? null,
    content: input.content,
    url: input.url ?? null,
    metadata: input.metadata ?? {},
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
    const inputTokens = await this.counter.countAll(texts, signal);
    return { inputTokens, outputTokensMax: 0, choices: 1, model: null, plan: new CountedItems(inputTokens) };
  }

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

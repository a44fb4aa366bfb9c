import { Injectable } from '@nestjs/common';
import { correctedQuery, readSearchQuery, type SearchQuery } from '../../text/search-query';
import type { TextSnippet } from '../../text/text-snippet';
import { TextThreads } from '../../text/threads/text-threads';
import { FoundItemsRepository, type FoundItem, type ItemPage } from './found-items.repository';

/** How much of the contents is looked at for the snippets of a page, in UTF-16 units of all its results together. */
const LOOKED_AT_MAX = 2_000_000;
const CONTENT_LENGTH_MAX = 100_000;

/** A result of a search: the item with the part of its content that fits best. */
export type ItemResult = Omit<FoundItem, 'contentStart' | 'isStemmed'> & { snippet: TextSnippet };

/** A page of results. */
export interface ItemResults {
  results: ItemResult[];
  /** How many items were found in all. */
  total: number;
  /** Whether results are left out because the page would be too large. */
  isTruncated: boolean;
  /** What was searched instead of the query; null where it was searched as it is. */
  correctedQuery: string | null;
}

type Found = Pick<ItemResults, 'results' | 'total' | 'isTruncated'>;

const NOTHING: Found = { results: [], total: 0, isTruncated: false };

/** The search for items by words, phrases and what they must not have. */
@Injectable()
export class ItemSearch {
  constructor(
    private readonly foundItems: FoundItemsRepository,
    private readonly threads: TextThreads,
  ) {}

  /**
   * A page of the account's items that fit the query (`readSearchQuery` says how it is read). Where none does, its
   * unknown words are corrected by the account's own, and what that finds is the result.
   * @throws what TextThreads.run throws
   */
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
    const snippets = await this.threads.run('textSnippets', { texts, areStemmed, wanted }, texts, signal);
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

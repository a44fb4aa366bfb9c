import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { boundedPage, type BoundedPage, pageOf } from '../../database/bounded-statements';
import { anyWordOf, eachOf, rankedByWords, unplanned } from '../../retrieval/full-text-search';
import { isCorrectable, wordShape } from '../../text/known-words';
import { correctedQuery, QUERY_WORDS_MAX, readSearchQuery, type SearchQuery } from '../../text/search-query';
import { SNIPPET_LENGTH_MAX, type TextSnippet } from '../../text/text-snippet';
import { TextThreads } from '../../text/text-threads';
import type { SearchItemEntity } from './search-items.repository';
import { textJobs } from '../../text/text.jobs';

/** How many of the items that match are ranked, and can be paged through. */
const CANDIDATES_MAX = 1_000;
/** So many items that match are counted. */
const COUNTED_MAX = 10_000;
/** How often a word in the title counts as one in the content. */
const TITLE_WEIGHT = 3;
/** How many words of one query are corrected at most: each looks through the account's words. */
const CORRECTED_WORDS_MAX = 16;

/** Which items are wanted and in what order; null means no condition. */
export interface ItemPage {
  limit: number;
  offset: number;
  /** The item's metadata has to contain all of this. */
  metadata: Record<string, unknown> | null;
  sort: 'score' | 'created_at' | 'updated_at' | 'title';
  order: 'asc' | 'desc';
}

/** An item that was found, with as much of its content as was asked for. */
type FoundItem = Pick<SearchItemEntity, 'id' | 'title' | 'url' | 'metadata'> & {
  contentStart: string;
  isStemmed: boolean;
  score: number;
};

/** What finds items in Postgres. */
@Injectable()
export class FoundItemsRepository {
  constructor(private readonly database: DataSource) {}

  /** The lexemes by which the words are found; null where they are nothing but stop words. */
  async lexemes(words: string): Promise<string[] | null> {
    const [row]: { lexemes: string[] | null }[] = await this.database.query(LEXEMES, [
      words,
      QUERY_WORDS_MAX,
    ]);
    return row?.lexemes ?? null;
  }

  /**
   * One page of the items with any of the wanted words, with all of the phrases and without what is excluded, and how
   * many there are in all, where 10,000 stands for at least as many. Of more than 1,000 the best by a quick ranking of
   * some thousands with the rarest words, or the first of all by the wanted order, make the pages.
   * @param contentLength how many characters of each content are wanted
   */
  async page(
    accountId: string,
    asked: Pick<SearchQuery, 'wanted' | 'phrases' | 'excluded'>,
    page: ItemPage & { contentLength: number },
  ): Promise<BoundedPage<FoundItem> & { total: number }> {
    const matching = [
      accountId,
      page.metadata === null ? null : JSON.stringify(page.metadata),
      asked.wanted,
      asked.phrases,
      asked.excluded,
    ];
    const [count]: { total: string }[] = await this.database.query(countOf(page.metadata !== null), matching);
    const total = Number(count?.total);
    if (total <= page.offset) {
      return { items: [], isTruncated: false, total };
    }
    const rows: (FoundItem & { listed: number })[] = await this.database.query(rankedPage(page), [
      ...matching,
      page.limit,
      page.offset,
      page.contentLength,
    ]);
    return { ...pageOf<FoundItem>(rows), total };
  }

  /**
   * The closest of the account's own words for each of the words that none of its items has and for which there is one
   * that is close enough: a third of all trigrams in common, which is pg_trgm's threshold. Only the first 16 words of
   * three letters and more are looked at.
   */
  async corrections(accountId: string, words: readonly string[]): Promise<Map<string, string>> {
    const first = [...new Set(words)].filter(isCorrectable).slice(0, CORRECTED_WORDS_MAX);
    const rows: { mistyped: string; word: string }[] = await this.database.query(CORRECTIONS, [
      accountId,
      first,
      first.map(wordShape),
    ]);
    return new Map(rows.map(({ mistyped, word }) => [mistyped, word]));
  }
}

const LEXEMES = 'SELECT first_words($1, $2) AS lexemes';

const CHOSEN = 'account_id = $1 AND ($2::jsonb IS NULL OR metadata @> $2)';
const NARROWED = (query: string) =>
  `narrowed_query(${query}, phrases_query($4::text[], '&'), phrases_query($5::text[], '|'))`;

const MATCHING = anyWordOf('$3', NARROWED);

function countOf(isFiltered: boolean): string {
  const query = isFiltered ? MATCHING : unplanned(MATCHING);
  return `SELECT count(*) AS total FROM (
    SELECT FROM search_items WHERE ${CHOSEN} AND search @@ ${query} LIMIT ${COUNTED_MAX}) AS counted`;
}

/** How many items are chosen, matching or not. */
const TOTAL = `CASE WHEN $2::jsonb IS NULL THEN (SELECT items FROM search_totals WHERE account_id = $1)
  ELSE (SELECT count(*) FROM (SELECT FROM search_items WHERE ${CHOSEN} LIMIT ${COUNTED_MAX}) AS counted) END`;

function rankedPage({ sort, order: direction }: ItemPage): string {
  const way = direction === 'asc' ? 'ASC' : 'DESC';
  const order =
    { score: `score ${way}, id`, title: `title IS NULL, title COLLATE "C" ${way}, id` }[
      sort as 'score' | 'title'
    ] ?? `${sort} ${way}, id`;
  const ranked = rankedByWords({
    table: 'search_items',
    chosen: CHOSEN,
    filtered: `$2::jsonb IS NOT NULL OR $4::text[] <> '{}' OR $5::text[] <> '{}'`,
    sampled: 'is_sampled',
    total: TOTAL,
    words: '$3',
    narrowed: NARROWED,
    candidatesMax: CANDIDATES_MAX,
    headingWeight: TITLE_WEIGHT,
    ...(sort === 'score' ? {} : { candidatesOrder: order }),
  });
  const best = `SELECT by_key.*, score FROM ${eachOf('scores', 'search_items')}
    ORDER BY ${order} LIMIT $6 OFFSET $7`;
  return `WITH ${ranked}, best AS (${best})
    ${boundedPage({ ...SIZE, rows: 'SELECT * FROM best', order, columns: COLUMNS })}`;
}

const COLUMNS = `id, title, left(content, $8) AS "contentStart", url, metadata, is_stemmed AS "isStemmed", score`;

/**
 * The id, the score and the names of the members take less than 400 bytes, a snippet at most six bytes and half a highlight of 30 bytes
 * for each of its characters.
 */
const SIZE = {
  storedBytes: `coalesce(octet_length(title), 0)`,
  jsonBytes: `coalesce(octet_length(to_json(title)::text), 0) + coalesce(octet_length(to_json(url)::text), 0)
    + octet_length(metadata::text) + ${400 + SNIPPET_LENGTH_MAX * (6 + 15)}`,
};

const CORRECTIONS = `
  SELECT mistyped, closest.word FROM unnest($2::text[], $3::text[]) AS asked (mistyped, shape)
  CROSS JOIN LATERAL (
    SELECT word FROM search_words WHERE account_id = $1 AND search_words.shape % asked.shape
    ORDER BY similarity(search_words.shape, asked.shape) DESC, items DESC, word LIMIT 1
  ) AS closest
  WHERE first_words(mistyped, 1) IS NOT NULL AND NOT EXISTS (
    SELECT FROM search_items WHERE account_id = $1 AND search @@ any_word(first_words(mistyped, 1)))`;

/** How much of the contents is looked at for the snippets of a page, in UTF-16 units of all its results together. */
const LOOKED_AT_MAX = 2_000_000;
const CONTENT_LENGTH_MAX = 100_000;

/** A result of a search: the item with the part of its content that fits best. */
type ItemResult = Omit<FoundItem, 'contentStart' | 'isStemmed'> & { snippet: TextSnippet };

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

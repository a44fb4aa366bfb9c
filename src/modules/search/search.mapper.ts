import type { SearchItem, SearchItemInput, SearchRequest, SearchResults } from '../../../generated/types';
import type { ItemResults } from '../../core/knowledge/search-items/item-search';
import type {
  SearchItemFields,
  SearchItemRecord,
} from '../../core/knowledge/search-items/search-item.entity';
import { newId } from '../../infrastructure/ids/ids';

/** An item without an id gets one. */
export function toItemFields(input: SearchItemInput): SearchItemFields {
  return {
    id: input.id ?? newId(),
    title: input.title ?? null,
    content: input.content,
    url: input.url ?? null,
    metadata: input.metadata ?? {},
  };
}

export function toSearchItem(record: SearchItemRecord): SearchItem {
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

export function toSearchResults(
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

import {
  searchApi,
  type DeleteSearchItemCall,
  type GetSearchItemCall,
  type IndexSearchItemsCall,
  type SearchApi,
  type SearchCall,
} from '../../../generated/contract';
import type { IndexedSearchItems, SearchItem, SearchResults } from '../../../generated/types';
import { planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves.decorator';
import { CountedItems } from './indexing-estimates';
import { toItemFields, toSearchItem, toSearchResults } from './search.mapper';
import { SearchService } from './search.service';

@Serves(searchApi)
export class SearchController implements SearchApi {
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

import type { SearchItemInput, SearchRequest, SearchResults } from '../../../generated/types';
import { SearchItemsRepository } from '../../../src/modules/search/search-items.repository';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';

/** Indexes items by the API, the owner's unless another account is named. */
export async function storeSearchItems(
  world: World,
  items: SearchItemInput[],
  account: TestAccount = world.owner,
): Promise<void> {
  expect((await callAs('indexSearchItems', world, { body: { items } }, account)).status).toBe(201);
}

/** The id of an item of the owner's that no call has stored, so that no rate counts it. */
export async function searchItemOf(world: World): Promise<string> {
  const item = { id: 'tea-42', title: 'Green tea', content: 'A mild green tea.', url: null, metadata: {} };
  await world.service.app
    .get(SearchItemsRepository)
    .upsert(world.owner.id, [item], { now: world.service.clock.now() });
  return item.id;
}

/** What a search of the owner's finds, unless another account is named. */
export async function searchItems(
  world: World,
  body: Partial<SearchRequest>,
  account: TestAccount = world.owner,
): Promise<SearchResults> {
  const answer = await callAs('search', world, { body }, account);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** The ids of the owner's items, past every layer that could hide some. */
export async function storedItemIds(world: World): Promise<string[]> {
  const rows: { id: string }[] = await world.service.database.query(
    'SELECT id FROM search_items WHERE account_id = $1 ORDER BY id',
    [world.owner.id],
  );
  return rows.map(({ id }) => id);
}

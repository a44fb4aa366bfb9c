import type { CreateMemoryRequest, Memory } from '../../../generated/types';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';

/** Stores a memory by the API, the owner's unless another account is named. */
export async function storeMemory(
  world: World,
  body: Partial<CreateMemoryRequest> = {},
  account: TestAccount = world.owner,
): Promise<Memory> {
  const answer = await callAs('createMemory', world, { body: { key: 'k', value: 'v', ...body } }, account);
  expect(answer.status).toBe(201);
  return answer.body.data;
}

/** What the owner has stored, whether or not it has expired, past every layer that could hide some of it. */
export async function storedKeys(world: World): Promise<string[]> {
  const rows: { key: string }[] = await world.service.database.query(
    'SELECT key FROM memories WHERE account_id = $1 ORDER BY namespace, key',
    [world.owner.id],
  );
  return rows.map(({ key }) => key);
}

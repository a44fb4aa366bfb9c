import type { CreateMemoryRequest, Memory } from '../../../generated/types';
import { newId } from '../../../src/runtime/ids';
import { callAs } from './call-as';
import type { TestAccount, World } from './world';

/** Stores a memory by the API, the owner's unless another account is named. */
export async function storeMemory(
  world: World,
  body: Partial<CreateMemoryRequest> = {},
  account: TestAccount = world.owner,
): Promise<Memory> {
  const answer = await callAs('createMemory', world, { body: { key: 'k', value: 'v', ...body } }, account);
  expect([200, 201]).toContain(answer.status);
  return answer.body.data;
}

/** A request for a memory that nobody has stored yet. */
export const anyMemory = () => ({ body: { key: newId(), value: 'v' } });

/** What the owner has stored, whether or not it has expired, past every layer that could hide some of it. */
export async function storedKeys(world: World): Promise<string[]> {
  const rows: { key: string }[] = await world.service.database.query(
    'SELECT key FROM memories WHERE account_id = $1 ORDER BY namespace, key',
    [world.owner.id],
  );
  return rows.map(({ key }) => key);
}

import { callAs } from './call-as';
import type { World } from './world';

/** What admins did to the world's owner, the first done first. */
export async function actionsOn(world: World, query: object = {}) {
  const { body } = await callAs('listAdminActions', world, {
    query: { user_id: world.owner.id, order: 'asc', limit: 100, ...query },
  });
  return body.actions;
}

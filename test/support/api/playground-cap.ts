import { callAs } from './call-as';
import type { World } from './world';

/** Expects that a change of the limits of a key of the playground is refused, and leaves it its cap and what it has spent. */
export async function expectCapKept(
  world: World,
  operationId: 'setKeyLimits' | 'deleteKeyLimits' | 'resetKeyLimits',
  body?: object,
): Promise<void> {
  const { body: key } = await callAs('createPlaygroundKey', world, { body: { cap_usd: 0.00015 } });
  const params = { key_id: key.id };
  const store = () =>
    world.service.call('createMemory', {
      credential: key.key_value,
      ip: world.ip,
      body: { key: 'k', value: 'v' },
    });
  expect((await store()).status).toBe(201);
  const answer = await callAs(operationId, world, { params, body });
  expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
  expect((await callAs('getKeyLimits', world, { params })).body).toMatchObject({
    monthly_limit: 0.00015,
    monthly_spent: 0.0001,
  });
  expect((await store()).status).toBe(402);
}

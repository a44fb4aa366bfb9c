import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { TestAccount, World } from '../../support/api/world';

describeOperation(
  'listAllRequests',
  () => ({}),
  (status) => {
    status(400, 'refuses a cursor that no page gave', async (world) => {
      expect((await callAs('listAllRequests', world, { query: { cursor: 'x' } })).status).toBe(400);
    });
    status(422, 'refuses more than a month of all accounts together', async (world) => {
      const query = { start_date: '2026-01-01', end_date: '2026-03-01' };
      expect((await callAs('listAllRequests', world, { query })).status).toBe(422);
      const ofOne = { ...query, user_id: world.owner.id };
      expect((await callAs('listAllRequests', world, { query: ofOne })).status).toBe(200);
    });
    status(
      200,
      'leads through the calls of the last day of all accounts, the newest first',
      async (world) => {
        await remember(world, world.owner);
        await remember(world, world.stranger);
        const first = (await callAs('listAllRequests', world, { query: { limit: 1 } })).body;
        expect(first.requests).toMatchObject([
          {
            user_id: world.stranger.id,
            receipt: { operation: 'createMemory', key_id: world.stranger.keyId },
          },
        ]);
        const query = { limit: 1, cursor: first.next_cursor };
        const second = (await callAs('listAllRequests', world, { query })).body;
        expect(second.requests.map(({ user_id }) => user_id)).toEqual([world.owner.id]);
        expect(second.next_cursor).toBeNull();
        const ofOne = (await callAs('listAllRequests', world, { query: { user_id: world.owner.id } })).body;
        expect(ofOne.requests).toEqual(second.requests);
      },
    );
  },
);

async function remember({ service, ip }: World, { key }: TestAccount): Promise<void> {
  const body = { key: 'k', value: 'v' };
  expect((await service.call('createMemory', { credential: key, ip, body })).status).toBe(201);
}

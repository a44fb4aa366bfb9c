import { UnchargedCalls } from '../../../src/pipeline/uncharged-calls';
import { usdToNano } from '../../../src/ledger/money';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'getCosts',
  () => ({}),
  (status) => {
    status(200, 'adds up over operations, keys and prices, the costliest first', async (world) => {
      const { service, owner } = world;
      const second = await createKey(world, 'second');
      const chat = { operation: 'createChatCompletion', price: 'chat_completion' };
      await recordCall(service, owner, { charge: '0.1' });
      await recordCall(service, owner, { ...chat, charge: '0.2', keyId: second.id, inputTokens: 9 });
      await recordCall(service, owner, {
        operation: 'analyzeContract',
        price: 'legal_analysis',
        charge: '1',
        keyId: null,
      });
      await recordCall(service, owner, { charge: '0.000000001', keyId: second.id });
      const body = await costs(world);
      expect(body).toEqual({
        cost: 1.300000001,
        total: 1.300000001,
        by_operation: [
          { operation: 'analyzeContract', requests: 1, tokens: 0, cost: 1 },
          { operation: 'createChatCompletion', requests: 1, tokens: 9, cost: 0.2 },
          { operation: 'createMemory', requests: 2, tokens: 0, cost: 0.100000001 },
        ],
        by_key: [
          { key_id: null, name: null, requests: 1, cost: 1 },
          { key_id: second.id, name: 'second', requests: 2, cost: 0.200000001 },
          { key_id: owner.keyId, name: 'test', requests: 1, cost: 0.1 },
        ],
        by_price: [
          { price: 'legal_analysis', requests: 1, cost: 1 },
          { price: 'chat_completion', requests: 1, cost: 0.2 },
          { price: 'memory_operation', requests: 2, cost: 0.100000001 },
        ],
      });
      for (const groups of [body.by_operation, body.by_key, body.by_price]) {
        expect(groups.reduce((sum, { cost }) => sum + usdToNano(cost), 0n)).toBe(usdToNano(body.total));
      }
    });
    keys(status);
    status(200, 'has free calls under their operation and key, but under no price', async (world) => {
      await callAs('listModels', world, {});
      await world.service.app.get(UnchargedCalls).write();
      expect(await costs(world)).toMatchObject({
        cost: 0,
        total: 0,
        by_operation: [{ operation: 'listModels', requests: 1, cost: 0 }],
        by_key: [{ key_id: world.owner.keyId, requests: 1, cost: 0 }],
        by_price: [],
      });
    });
    status(200, 'sums only what began in the period', async (world) => {
      const { service, owner } = world;
      const begin = service.clock.now().toISOString();
      await recordCall(service, owner, { charge: '1' });
      service.clock.advance(1000);
      const end = service.clock.now().toISOString();
      await recordCall(service, owner, { charge: '2' });
      expect((await costs(world, { start_date: begin, end_date: end })).total).toBe(1);
      expect((await costs(world, { start_date: end })).total).toBe(2);
      expect((await costs(world, { end_date: '2020-01-01' })).by_key).toEqual([]);
    });
    status(200, 'has nothing of another account', async (world) => {
      await recordCall(world.service, world.owner, { charge: '1' });
      world.service.clock.advance(1);
      const { body } = await callAs('getCosts', world, {}, world.stranger);
      expect(body).toEqual({ cost: 0, total: 0, by_operation: [], by_key: [], by_price: [] });
    });
  },
);

function keys(status: DescribeStatus): void {
  status(200, 'keeps what a deleted key has cost, without its name', async (world) => {
    const { id } = await createKey(world, 'short-lived');
    await recordCall(world.service, world.owner, { charge: '3', keyId: id });
    expect((await costs(world)).by_key).toEqual([{ key_id: id, name: 'short-lived', requests: 1, cost: 3 }]);
    expect((await callAs('deleteKey', world, { params: { key_id: id } })).status).toBe(204);
    const after = await costs(world);
    expect(after.by_key).toEqual([{ key_id: id, name: null, requests: 1, cost: 3 }]);
    expect(after.total).toBe(3);
  });
  status(200, 'keeps the name of a revoked key', async (world) => {
    await recordCall(world.service, world.owner, { charge: '3' });
    await callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
    expect((await costs(world)).by_key).toMatchObject([{ name: 'test', cost: 3 }]);
  });
}

async function costs(world: World, query: Record<string, unknown> = {}) {
  world.service.clock.advance(1);
  return (await callAs('getCosts', world, { query })).body;
}

async function createKey(world: World, name: string): Promise<{ id: string }> {
  const { status, body } = await callAs('createKey', world, { body: { name } });
  expect(status).toBe(201);
  return body;
}

import { UnchargedCalls } from '../../../src/pipeline/uncharged-calls';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';
import type { World } from '../../support/api/world';

describeOperation(
  'getKeyUsage',
  (world) => ({ params: { key_id: world.owner.keyId } }),
  (status) => {
    status(404, 'refuses a deleted key', async (world) => {
      const request = { params: { key_id: world.owner.keyId } };
      await callAs('deleteKey', world, request);
      const answer = await callAs('getKeyUsage', world, request);
      expect([answer.status, answer.body.error]).toEqual([404, 'Not Found']);
    });
    status(200, 'is all zeros for a key that was never used', async (world) => {
      expect(await usageOf(world)).toEqual({
        key_id: world.owner.keyId,
        name: 'test',
        requests: 0,
        tokens: 0,
        cost: 0,
        last_used_at: null,
        by_operation: [],
        daily: [],
      });
    });
    status(200, 'counts the calls of this key and of no other, nor of the token', async (world) => {
      const { service, owner } = world;
      const { body: other } = await callAs('createKey', world, { body: { name: 'other' } });
      const usedAt = service.clock.now().toISOString();
      const chat = { operation: 'createChatCompletion', price: 'chat_completion' };
      await recordCall(service, owner, { charge: '0.000000001' });
      await recordCall(service, owner, { ...chat, charge: '0.00266', inputTokens: 24, outputTokens: 42 });
      await recordCall(service, owner, { charge: '1', keyId: other.id });
      await recordCall(service, owner, { charge: '2', keyId: null });
      service.clock.advance(1);
      const date = `${usedAt.slice(0, 10)}T00:00:00.000Z`;
      expect(await usageOf(world)).toEqual({
        key_id: owner.keyId,
        name: 'test',
        requests: 2,
        tokens: 66,
        cost: 0.002660001,
        last_used_at: usedAt,
        by_operation: [
          { operation: 'createChatCompletion', requests: 1, tokens: 66, cost: 0.00266 },
          { operation: 'createMemory', requests: 1, tokens: 0, cost: 0.000000001 },
        ],
        daily: [{ date, requests: 2, tokens: 66, cost: 0.002660001 }],
      });
    });
    status(200, 'counts free and refused calls, and takes them for uses of the key', async (world) => {
      const usedAt = world.service.clock.now().toISOString();
      await callAs('getPricing', world, {});
      await callAs('createMemory', world, { body: {} });
      await world.service.app.get(UnchargedCalls).write();
      world.service.clock.advance(1);
      expect(await usageOf(world)).toMatchObject({ requests: 2, cost: 0, last_used_at: usedAt });
    });
    status(200, 'stays with a key that is rotated or revoked', async (world) => {
      const request = { params: { key_id: world.owner.keyId } };
      await recordCall(world.service, world.owner, { charge: '1' });
      world.service.clock.advance(1);
      await callAs('rotateKey', world, { ...request, body: {} });
      await callAs('revokeKey', world, request);
      expect(await usageOf(world)).toMatchObject({ requests: 1, cost: 1 });
    });
    status(200, 'sums only what began in the period', async (world) => {
      await recordCall(world.service, world.owner, { charge: '1' });
      world.service.clock.advance(1000);
      const middle = world.service.clock.now().toISOString();
      await recordCall(world.service, world.owner, { charge: '2' });
      world.service.clock.advance(1);
      expect((await usageOf(world, { end_date: middle })).cost).toBe(1);
      expect((await usageOf(world, { start_date: middle })).cost).toBe(2);
    });
  },
);

async function usageOf(world: World, query: Record<string, unknown> = {}) {
  const answer = await callAs('getKeyUsage', world, { params: { key_id: world.owner.keyId }, query });
  expect(answer.status).toBe(200);
  return answer.body;
}

import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';

describeOperation(
  'getRequestReceipt',
  async (world) => ({ params: { request_id: await recordCall(world.service, world.owner) } }),
  (status) => {
    status(404, 'refuses the id of an account operation, which is no metered call', async (world) => {
      const balance = await callAs('getBalance', world, {});
      const params = { request_id: balance.headers['x-request-id'] ?? '' };
      expect((await callAs('getRequestReceipt', world, { params })).status).toBe(404);
    });
    status(200, 'tells what a call was, used and cost, to the nano-dollar', async (world) => {
      const { service, owner } = world;
      const startedAt = service.clock.now();
      const requestId = await recordCall(service, owner, {
        charge: '0.000000001',
        operation: 'createChatCompletion',
        price: 'chat_completion',
        inputTokens: 24,
        outputTokens: 42,
        tookMs: 38,
      });
      const { body } = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
      expect(body).toEqual({
        request_id: requestId,
        operation: 'createChatCompletion',
        key_id: owner.keyId,
        status: 200,
        outcome: 'settled',
        price: 'chat_completion',
        price_version: 'test',
        input_tokens: 24,
        output_tokens: 42,
        reserved: 1e-9,
        charged: 1e-9,
        released: 0,
        latency_ms: 38,
        transaction_id: expect.any(String),
        created_at: startedAt.toISOString(),
        completed_at: service.clock.now().toISOString(),
      });
      const transaction = await callAs('getTransaction', world, {
        params: { id: body.transaction_id ?? '' },
      });
      expect(transaction.body).toMatchObject({ amount: -1e-9, request_id: requestId });
    });
    status(200, 'outlives the key that the call was made with', async (world) => {
      const params = { request_id: await recordCall(world.service, world.owner) };
      const before = await callAs('getRequestReceipt', world, { params });
      await callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
      expect((await callAs('getRequestReceipt', world, { params })).text).toBe(before.text);
    });
    status(200, 'gives each of two accounts its own call though both chose the same id', async (world) => {
      const call = {
        body: { key: 'k', value: 'v' },
        headers: { 'x-request-id': `shared-${world.owner.keyId}` },
      };
      await callAs('createMemory', world, call);
      await callAs('createMemory', world, call, world.stranger);
      const params = { request_id: call.headers['x-request-id'] };
      const own = await callAs('getRequestReceipt', world, { params });
      const other = await callAs('getRequestReceipt', world, { params }, world.stranger);
      expect([own.body.key_id, other.body.key_id]).toEqual([world.owner.keyId, world.stranger.keyId]);
    });
    status(200, 'gives the newest of the calls that shared an id', async (world) => {
      const request = {
        body: { key: 'k', value: 'v' },
        headers: { 'x-request-id': `again-${world.owner.keyId}` },
      };
      await callAs('createMemory', world, request);
      world.service.clock.advance(1);
      const newest = world.service.clock.now().toISOString();
      await callAs('createMemory', world, request);
      const params = { request_id: request.headers['x-request-id'] };
      const { body } = await callAs('getRequestReceipt', world, { params });
      expect(body.created_at).toBe(newest);
    });
    status(200, 'finds a call by the longest id that is kept', async (world) => {
      const requestId = 'i'.repeat(128);
      await callAs('createMemory', world, {
        body: { key: 'k', value: 'v' },
        headers: { 'x-request-id': requestId },
      });
      const answer = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
      expect([answer.status, answer.body.request_id]).toEqual([200, requestId]);
    });
  },
);

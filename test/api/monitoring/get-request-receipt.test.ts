import { UnchargedCalls } from '../../../src/pipeline/uncharged-calls';
import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { recordCall } from '../../support/api/recorded-call';
import { SERVICE_AGREEMENT } from '../../support/legal/contract-fixtures';

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
        client_request_id: null,
        operation: 'createChatCompletion',
        key_id: owner.keyId,
        status: 200,
        outcome: 'settled',
        model: null,
        price: 'chat_completion',
        price_version: 'test',
        input_tokens: 24,
        cached_tokens: 0,
        cache_write_tokens: 0,
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
    status(200, 'tells of a priced call with an account token too', async (world) => {
      const call = await callAs('analyzeLegal', world, {
        body: { content: SERVICE_AGREEMENT },
      });
      const params = { request_id: call.headers['x-request-id'] ?? '' };
      const { body } = await callAs('getRequestReceipt', world, { params });
      expect(body).toMatchObject({ operation: 'analyzeLegal', key_id: null, status: 200 });
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
    status(
      200,
      'gives calls with one X-Request-Id a receipt each, and each charge its own',
      async (world) => {
        const request = {
          body: { key: 'k', value: 'v' },
          headers: { 'x-request-id': `twice-${world.owner.keyId}` },
        };
        const answers = [
          await callAs('createMemory', world, request),
          await callAs('createMemory', world, request),
        ];
        const ids = answers.map(({ headers }) => headers['x-request-id'] ?? '');
        expect(new Set(ids).size).toBe(2);
        for (const requestId of ids) {
          const params = { request_id: requestId };
          const { body } = await callAs('getRequestReceipt', world, { params });
          expect(body).toMatchObject({
            request_id: requestId,
            client_request_id: request.headers['x-request-id'],
            charged: 0.0001,
          });
          const transaction = await callAs('getTransaction', world, {
            params: { id: body.transaction_id ?? '' },
          });
          expect(transaction.body.request_id).toBe(requestId);
        }
      },
    );
    status(200, 'finds a call by its own id before one to which the caller gave that id', async (world) => {
      const body = { key: 'k', value: 'v' };
      const first = await callAs('createMemory', world, { body });
      const params = { request_id: first.headers['x-request-id'] ?? '' };
      world.service.clock.advance(1);
      const headers = { 'x-request-id': params.request_id };
      expect((await callAs('createMemory', world, { body, headers })).status).toBe(200);
      const receipt = await callAs('getRequestReceipt', world, { params });
      expect(receipt.body).toMatchObject({ request_id: params.request_id, client_request_id: null });
    });
    status(200, 'finds a refused call by the id that the caller gave it', async (world) => {
      const headers = { 'x-request-id': `refused-${world.owner.keyId}` };
      await callAs('createMemory', world, { body: { key: 'k' }, headers });
      await world.service.app.get(UnchargedCalls).write();
      const params = { request_id: headers['x-request-id'] };
      const { body } = await callAs('getRequestReceipt', world, { params });
      expect(body).toMatchObject({ client_request_id: params.request_id, status: 400, charged: 0 });
    });
    status(200, 'finds a call by the longest id that is kept', async (world) => {
      const requestId = 'i'.repeat(128);
      await callAs('createMemory', world, {
        body: { key: 'k', value: 'v' },
        headers: { 'x-request-id': requestId },
      });
      const answer = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
      expect([answer.status, answer.body.client_request_id]).toEqual([200, requestId]);
    });
  },
);

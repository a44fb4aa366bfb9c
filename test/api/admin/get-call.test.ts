import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import { holdNextMemory } from '../../support/api/held-call';
import { recordCall } from '../../support/api/recorded-call';
import type { TestAccount } from '../../support/api/world';

describeOperation(
  'getCall',
  async (world) => ({ params: { request_id: await recordCall(world.service, world.owner) } }),
  (status) => {
    status(404, 'refuses an id with a NUL in it', async (world) => {
      expect((await callAs('getCall', world, { params: { request_id: 'a\0b' } })).status).toBe(404);
    });
    status(404, 'finds a call of the account that was named, and of no other', async (world) => {
      const request_id = await recordCall(world.service, world.owner);
      const ofStranger = { params: { request_id }, query: { user_id: world.stranger.id } };
      expect((await callAs('getCall', world, ofStranger)).status).toBe(404);
      const ofOwner = { params: { request_id }, query: { user_id: world.owner.id } };
      expect((await callAs('getCall', world, ofOwner)).body.user.id).toBe(world.owner.id);
    });
    status(
      409,
      'tells no call of an id that callers of two accounts gave, until one is named',
      async (world) => {
        const request_id = `shared-${world.owner.keyId}`;
        const callOf = async (account: TestAccount) => {
          const headers = { 'x-request-id': request_id };
          const body = { key: 'k', value: 'v' };
          const call = await callAs('createMemory', world, { body, headers }, account);
          world.service.clock.advance(1);
          return call.headers['x-request-id'];
        };
        const [, ownersNewest] = [await callOf(world.owner), await callOf(world.owner)];
        const alone = await callAs('getCall', world, { params: { request_id } });
        expect(alone.body.receipt.request_id).toBe(ownersNewest);
        const strangers = await callOf(world.stranger);
        const refused = await callAs('getCall', world, { params: { request_id } });
        expect([refused.status, refused.body.message]).toEqual([
          409,
          'Calls of several accounts were given this id by their callers; name the account by user_id.',
        ]);
        for (const [{ id: user_id }, requestId] of [
          [world.owner, ownersNewest],
          [world.stranger, strangers],
        ] as const) {
          const named = await callAs('getCall', world, { params: { request_id }, query: { user_id } });
          expect(named.body).toMatchObject({ user: { id: user_id }, receipt: { request_id: requestId } });
          // The id of the answer is one call's alone, and needs no account.
          const own = await callAs('getCall', world, { params: { request_id: String(requestId) } });
          expect(own.body).toEqual(named.body);
        }
      },
    );
    status(409, 'counts a call in flight among those of an id', async (world) => {
      const held = holdNextMemory(world.service);
      const headers = { 'x-request-id': `both-${world.owner.keyId}` };
      const request = { body: { key: 'k', value: 'v' }, headers };
      const inFlight = callAs('createMemory', world, request, world.stranger);
      await held.entered;
      await callAs('createMemory', world, request);
      const params = { request_id: headers['x-request-id'] };
      expect((await callAs('getCall', world, { params })).status).toBe(409);
      const query = { user_id: world.stranger.id };
      const { body } = await callAs('getCall', world, { params, query });
      expect(body).toMatchObject({ user: { id: world.stranger.id }, receipt: { outcome: 'in_flight' } });
      held.letGo();
      await inFlight;
    });
    status(200, 'tells who made a call with which key, what it cost and what that did', async (world) => {
      const { service, owner } = world;
      const request_id = await recordCall(service, owner, { charge: '0.000000001', tookMs: 38 });
      const { body } = await callAs('getCall', world, { params: { request_id } });
      const receipt = await callAs('getRequestReceipt', world, { params: { request_id } });
      const id = receipt.body.transaction_id ?? '';
      const transaction = await callAs('getTransaction', world, { params: { id } });
      expect(body).toEqual({
        user: { id: owner.id, email: owner.email, username: expect.any(String), tier: 'enterprise' },
        key: {
          id: owner.keyId,
          name: 'test',
          key_value_preview: expect.stringMatching(/^svc_test_.{4}…/),
          is_active: true,
        },
        receipt: receipt.body,
        transactions: [transaction.body],
      });
      expect(body.transactions[0]).toMatchObject({ amount: -1e-9, balance_after: 9.999999999, request_id });
    });
    status(200, 'tells that the key of a call has expired since', async (world) => {
      const request_id = await recordCall(world.service, world.owner);
      const { owner, service } = world;
      await service.database.query('UPDATE access_keys SET expires_at = $2 WHERE id = $1', [
        owner.keyId,
        service.clock.now(),
      ]);
      const { body } = await callAs('getCall', world, { params: { request_id } });
      expect(body.key).toMatchObject({ id: owner.keyId, is_active: false });
    });
    status(200, 'tells of a call that failed that it moved no money', async (world) => {
      const request_id = await recordCall(world.service, world.owner, { status: 500 });
      const { body } = await callAs('getCall', world, { params: { request_id } });
      expect(body).toMatchObject({ receipt: { outcome: 'released', charged: 0 }, transactions: [] });
    });
    status(200, 'tells of a call in flight what it holds', async (world) => {
      const held = holdNextMemory(world.service);
      const headers = { 'x-request-id': `in-flight-${world.owner.keyId}` };
      const call = callAs('createMemory', world, { body: { key: 'k', value: 'v' }, headers });
      await held.entered;
      const params = { request_id: headers['x-request-id'] };
      const { body } = await callAs('getCall', world, { params });
      expect(body.receipt).toMatchObject({ outcome: 'in_flight', reserved: 0.0001, charged: 0 });
      held.letGo();
      expect((await call).status).toBe(201);
    });
    status(200, 'outlives the key, and finds a call by the id that its caller gave it', async (world) => {
      const given = `checkout-${world.owner.keyId}`;
      const call = await callAs('createMemory', world, {
        body: { key: 'k', value: 'v' },
        headers: { 'x-request-id': given },
      });
      await callAs('deleteKey', world, { params: { key_id: world.owner.keyId } });
      const { body } = await callAs('getCall', world, { params: { request_id: given } });
      expect(body).toMatchObject({
        user: { id: world.owner.id },
        key: null,
        receipt: { request_id: call.headers['x-request-id'], key_id: world.owner.keyId },
      });
    });
  },
);

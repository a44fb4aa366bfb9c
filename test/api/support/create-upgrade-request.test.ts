import { callAs } from '../../support/api/call-as';
import { describeOperation } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const REQUEST = {
  requested_tier: 'pro',
  reason: 'We launch next month.',
  estimated_requests_per_day: 50_000,
};

describeOperation(
  'createUpgradeRequest',
  async (world, variant) => {
    await answerPending(world);
    return { body: { ...REQUEST, reason: `We launch ${variant}.` } };
  },
  (status) => {
    status(409, 'refuses another while one is pending, and keeps the first', async (world) => {
      await callAs('createUpgradeRequest', world, { body: REQUEST });
      const other = { ...REQUEST, requested_tier: 'basic' };
      const answer = await callAs('createUpgradeRequest', world, { body: other });
      expect([answer.status, answer.body.error]).toEqual([409, 'Conflict']);
      expect(await stored(world)).toMatchObject([{ requested_tier: 'pro' }]);
    });
    status(409, 'accepts one of ten that arrive at once', async (world) => {
      const requests = Array.from({ length: 10 }, () =>
        callAs('createUpgradeRequest', world, { body: REQUEST }),
      );
      const statuses = (await Promise.all(requests)).map((answer) => answer.status);
      expect(statuses.sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
      expect(await stored(world)).toHaveLength(1);
    });
    status(422, 'refuses the tier that the account has, and stores nothing', async (world) => {
      const body = { ...REQUEST, requested_tier: 'enterprise' };
      const answer = await callAs('createUpgradeRequest', world, { body });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
      expect(await stored(world)).toEqual([]);
    });
    status(201, 'takes a tier as the reference writes it, and null for no estimate', async (world) => {
      const body = { ...REQUEST, requested_tier: 'Basic', estimated_requests_per_day: null };
      const answer = await callAs('createUpgradeRequest', world, { body });
      expect(answer.body).toMatchObject({ requested_tier: 'basic', estimated_requests_per_day: null });
    });
    status(201, 'stores the request for the operator to answer, and changes no tier', async (world) => {
      const answer = await callAs('createUpgradeRequest', world, { body: REQUEST });
      expect(answer.body).toEqual({
        ...REQUEST,
        id: expect.any(String),
        status: 'pending',
        created_at: world.service.clock.now().toISOString(),
      });
      expect(await stored(world)).toEqual([{ id: answer.body.id, ...REQUEST, status: 'pending' }]);
      expect((await callAs('getAccountLimits', world, {})).body.tier).toBe('enterprise');
    });
    status(201, 'needs no estimate', async (world) => {
      const { requested_tier, reason } = REQUEST;
      const { body } = await callAs('createUpgradeRequest', world, { body: { requested_tier, reason } });
      expect(body.estimated_requests_per_day).toBeNull();
    });
    status(201, 'accepts the next one after the first was answered', async (world) => {
      await callAs('createUpgradeRequest', world, { body: REQUEST });
      await answerPending(world);
      expect((await callAs('createUpgradeRequest', world, { body: REQUEST })).status).toBe(201);
    });
    status(201, 'finds its request again when the first try died before it answered', async (world) => {
      const headers = { 'idempotency-key': 'upgrade' };
      const create = async (body: object) => {
        await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
          world.owner.id,
        ]);
        return callAs('createUpgradeRequest', world, { body, headers });
      };
      const first = await create(REQUEST);
      const retry = await create(REQUEST);
      expect([retry.status, retry.body]).toEqual([201, first.body]);
      expect((await create({ ...REQUEST, reason: 'Another.' })).status).toBe(422);
      await answerPending(world);
      await world.service.database.query(
        "UPDATE upgrade_requests SET created_at = created_at - interval '1 day'",
      );
      expect((await create(REQUEST)).status).toBe(201);
      expect(await stored(world)).toHaveLength(2);
    });
    status(201, "does not wait for another account's request", async (world) => {
      await callAs('createUpgradeRequest', world, { body: REQUEST });
      const answer = await callAs('createUpgradeRequest', world, { body: REQUEST }, world.stranger);
      expect(answer.status).toBe(201);
    });
  },
);

/** What the operator does with a request. */
async function answerPending({ service, owner }: World): Promise<void> {
  await service.database.query("UPDATE upgrade_requests SET status = 'rejected' WHERE account_id = $1", [
    owner.id,
  ]);
}

async function stored({ service, owner }: World): Promise<unknown[]> {
  return service.database.query(
    `SELECT id, requested_tier, reason, estimated_requests_per_day::integer, status
     FROM upgrade_requests WHERE account_id = $1`,
    [owner.id],
  );
}

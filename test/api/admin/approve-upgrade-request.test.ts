import { newId } from '../../../src/runtime/ids';
import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import { storeUpgradeRequest } from '../../support/api/store-upgrade-request';
import type { World } from '../../support/api/world';

describeOperation(
  'approveUpgradeRequest',
  async (world, variant) => ({
    params: { upgrade_request_id: await storeUpgradeRequest(world) },
    body: { note: `Welcome ${variant}.` },
  }),
  (status) => {
    refusals(status);
    approvals(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(409, 'refuses a request that is decided already, and leaves the tier', async (world) => {
    const id = await storeUpgradeRequest(world);
    await callAs('rejectUpgradeRequest', world, {
      params: { upgrade_request_id: id },
      body: { note: 'Not now.' },
    });
    const answer = await approve(world, id, {});
    expect([answer.status, answer.body.message]).toEqual([409, 'The upgrade request is rejected already.']);
    expect(await tierOf(world)).toBe('enterprise');
    expect(await actionsOn(world)).toHaveLength(1);
  });
  status(422, 'refuses own limits on a tier that has none, and decides nothing', async (world) => {
    const id = await storeUpgradeRequest(world);
    expect((await approve(world, id, { rate_limits: { requests_per_day: 5 } })).status).toBe(422);
    expect(await pendingOf(world)).toBe(id);
    expect(await tierOf(world)).toBe('enterprise');
    expect(await actionsOn(world)).toEqual([]);
  });
}

function approvals(status: DescribeStatus): void {
  status(200, 'sets the tier, which is in force at once, and notes who decided what', async (world) => {
    const { owner, admin, service } = world;
    await callAs('listModels', world, {});
    const id = await storeUpgradeRequest(world);
    service.clock.advance(3_600_000);
    const answer = await approve(world, id, { note: 'Welcome.' });
    const now = service.clock.now().toISOString();
    expect(answer.body).toMatchObject({
      user: { id: owner.id, tier: 'pro' },
      request: { id, status: 'approved' },
      decided_at: now,
      decided_by: admin.id,
      note: 'Welcome.',
    });
    expect((await callAs('listModels', world, {})).headers['x-ratelimit-limit']).toBe('20');
    expect(await pendingOf(world)).toBeNull();
    expect(await actionsOn(world)).toEqual([
      {
        id: expect.any(String),
        admin_id: admin.id,
        operation: 'approveUpgradeRequest',
        user_id: owner.id,
        subject_id: id,
        reason: 'Welcome.',
        before: { status: 'pending', tier: 'enterprise', rate_limits: null },
        after: { status: 'approved', tier: 'pro', rate_limits: null },
        request_id: answer.headers['x-request-id'],
        created_at: now,
      },
    ]);
  });
  status(200, 'needs no body, and sets own limits where the tier has them', async (world) => {
    expect((await approve(world, await storeUpgradeRequest(world), undefined)).status).toBe(200);
    const id = await storeUpgradeRequest(world, { tier: 'enterprise' });
    expect((await approve(world, id, { rate_limits: { requests_per_day: 5 } })).status).toBe(200);
    const { body } = await callAs('getUser', world, { params: { user_id: world.owner.id } });
    expect(body).toMatchObject({ tier: 'enterprise', rate_limits: { requests_per_day: 5 } });
  });
  status(200, 'takes one of ten decisions that race', async (world) => {
    const id = await storeUpgradeRequest(world);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? approve(world, id, { note: `yes ${index}` })
          : callAs('rejectUpgradeRequest', world, {
              params: { upgrade_request_id: id },
              body: { note: `no ${index}` },
            }),
      ),
    );
    const taken = answers.filter((answer) => answer.status === 200);
    expect(answers.filter((answer) => ![200, 409].includes(answer.status))).toEqual([]);
    expect(taken).toHaveLength(1);
    const [action, ...others] = await actionsOn(world);
    expect(others).toEqual([]);
    expect(action?.reason).toBe(taken[0]?.body.note);
    expect(await tierOf(world)).toBe(action?.operation === 'approveUpgradeRequest' ? 'pro' : 'enterprise');
  });
  status(200, 'finds its decision again when the first try died before it answered', async (world) => {
    const id = await storeUpgradeRequest(world);
    const key = newId();
    expect((await approve(world, id, { note: 'Yes.' }, key)).status).toBe(200);
    await world.service.database.query('DELETE FROM idempotency_claims WHERE account_id = $1', [
      world.admin.id,
    ]);
    const retry = await approve(world, id, { note: 'Yes.' }, key);
    expect([retry.status, retry.body.request.status]).toEqual([200, 'approved']);
    expect(await actionsOn(world)).toHaveLength(1);
  });
}

function approve(world: World, id: string, body: unknown, key = newId()) {
  const headers = { 'idempotency-key': key };
  return callAs('approveUpgradeRequest', world, { params: { upgrade_request_id: id }, body, headers });
}

async function tierOf(world: World): Promise<string> {
  return (await callAs('getUser', world, { params: { user_id: world.owner.id } })).body.tier;
}

async function pendingOf(world: World): Promise<string | null> {
  const { body } = await callAs('getUser', world, { params: { user_id: world.owner.id } });
  return body.pending_upgrade_request_id;
}

import { actionsOn } from '../../support/api/admin-actions';
import { callAs } from '../../support/api/call-as';
import { anyMemory } from '../../support/api/store-memory';
import { storeWebhook } from '../../support/api/store-webhook';
import { keyVerdict, tokenVerdict } from '../../support/api/credential-verdict';
import { describeOperation, type DescribeStatus } from '../../support/api/describe-operation';
import type { World } from '../../support/api/world';

const RATES = {
  requests_per_second: null,
  requests_per_minute: 3,
  requests_per_hour: null,
  requests_per_day: 900,
};

describeOperation(
  'updateUser',
  (world) => ({ params: { user_id: world.owner.id }, body: { tier: 'pro' } }),
  (status) => {
    refusals(status);
    rates(status);
    access(status);
  },
);

function refusals(status: DescribeStatus): void {
  status(400, 'refuses what is no change, and changes nothing', async (world) => {
    const bodies = [
      {},
      { tier: 'gold' },
      { tier: null },
      { is_active: 'false' },
      { rate_limits: {} },
      { rate_limits: { requests_per_week: 1 } },
      { rate_limits: { requests_per_second: -1 } },
      { rate_limits: { requests_per_second: 0 } },
      { rate_limits: { requests_per_second: '5' } },
      { role: 'admin' },
      { balance: 1000 },
      { tier: 'pro', email: 'other@example.com' },
    ];
    const before = await userOf(world);
    for (const body of bodies) {
      expect((await update(world, body)).status).toBe(400);
    }
    expect(await userOf(world)).toEqual(before);
  });
  status(422, 'refuses own rates on a tier that has none, and changes nothing', async (world) => {
    for (const tier of ['free', 'basic', 'pro']) {
      const answer = await update(world, { tier, is_active: false, rate_limits: RATES });
      expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
    }
    expect(await userOf(world)).toMatchObject({ tier: 'enterprise', is_active: true, rate_limits: null });
  });
  status(422, 'refuses a reason without a change, and notes nothing', async (world) => {
    expect((await update(world, { reason: 'Chargebacks.' })).status).toBe(422);
    expect(await actionsOn(world)).toEqual([]);
  });
  status(422, 'refuses an admin who would lock himself out', async (world) => {
    const request = { params: { user_id: world.admin.id }, body: { is_active: false } };
    expect((await callAs('updateUser', world, request)).status).toBe(422);
    expect(await tokenVerdict(world, world.admin.token)).toBe('accepted');
  });
}

function rates(status: DescribeStatus): void {
  status(200, 'sets a tier, which is in force for key and token at once', async (world) => {
    await callAs('listModels', world, {});
    const { body } = await update(world, { tier: 'basic' });
    expect(body).toMatchObject({ tier: 'basic', rate_limits: null, is_active: true });
    const byKey = await callAs('listModels', world, {});
    const byToken = await callAs('getBalance', world, {});
    expect([byKey.headers['x-ratelimit-limit'], byToken.headers['x-ratelimit-limit']]).toEqual(['5', '5']);
  });
  status(200, "sets an enterprise account's own rates, which are in force at once", async (world) => {
    const { body } = await update(world, { rate_limits: RATES });
    expect(body.rate_limits).toEqual(RATES);
    const answers = [];
    for (let calls = 0; calls < 4; calls += 1) {
      answers.push((await callAs('listModels', world, {})).status);
    }
    expect(answers).toEqual([200, 200, 200, 429]);
  });
  status(200, 'takes a rate that is absent as no limit, and null as none of its own', async (world) => {
    const own = await update(world, { rate_limits: { requests_per_hour: 0.5 } });
    expect(own.body.rate_limits).toEqual({
      requests_per_second: null,
      requests_per_minute: null,
      requests_per_hour: 0.5,
      requests_per_day: null,
    });
    expect((await update(world, { rate_limits: null })).body.rate_limits).toBeNull();
  });
  status(200, 'closes an account at once also where its id is written in capitals', async (world) => {
    expect((await callAs('listModels', world, {})).status).toBe(200);
    const request = { params: { user_id: world.owner.id.toUpperCase() }, body: { is_active: false } };
    expect((await callAs('updateUser', world, request)).body).toMatchObject({ id: world.owner.id });
    expect((await callAs('listModels', world, {})).status).toBe(401);
  });
  status(200, 'keeps what the request does not name', async (world) => {
    await update(world, { rate_limits: RATES });
    await update(world, { is_active: false });
    expect(await userOf(world)).toMatchObject({ tier: 'enterprise', is_active: false, rate_limits: RATES });
    await update(world, { tier: 'enterprise' });
    expect(await userOf(world)).toMatchObject({ tier: 'enterprise', is_active: false, rate_limits: RATES });
  });
  status(200, 'lets own rates end with the tier that they were set for', async (world) => {
    await update(world, { rate_limits: RATES });
    expect((await update(world, { tier: 'pro' })).body.rate_limits).toBeNull();
    expect((await update(world, { tier: 'enterprise' })).body.rate_limits).toBeNull();
  });
}

function access(status: DescribeStatus): void {
  status(
    200,
    'disables an account: its key, its token and its password are refused at once',
    async (world) => {
      const { owner } = world;
      expect(await keyVerdict(world, owner.key)).toBe('accepted');
      expect((await update(world, { is_active: false })).body.is_active).toBe(false);
      const call = await callAs('createMemory', world, anyMemory());
      expect([call.status, call.body.error]).toEqual([401, 'Invalid API key']);
      expect(await tokenVerdict(world, owner.token)).toBe('Invalid token');
      expect((await logIn(world)).status).toBe(401);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    },
  );
  status(
    200,
    'gives a disabled account its access and its balance back, but not its old tokens',
    async (world) => {
      await update(world, { is_active: false });
      await update(world, { is_active: true });
      expect((await callAs('createMemory', world, anyMemory())).status).toBe(201);
      expect(await tokenVerdict(world, world.owner.token)).toBe('Invalid token');
      const { body } = await logIn(world);
      expect(await tokenVerdict(world, body.token)).toBe('accepted');
      expect(await world.balanceNanoUsd()).toBe(9_999_900_000n);
    },
  );
  status(200, 'begins the time anew in which its webhooks fail, where it was disabled', async (world) => {
    const ofWebhook = [await storeWebhook(world)];
    const { database, clock } = world.service;
    await database.query('UPDATE webhooks SET failing_since = $2 WHERE id = $1', [...ofWebhook, clock.now()]);
    const failing = 'SELECT id FROM webhooks WHERE id = $1 AND failing_since IS NOT NULL';
    await update(world, { is_active: true });
    await update(world, { is_active: false });
    expect(await database.query(failing, ofWebhook)).toHaveLength(1);
    await update(world, { is_active: true });
    expect(await database.query(failing, ofWebhook)).toHaveLength(0);
  });
  status(200, 'disables no other account', async (world) => {
    await update(world, { is_active: false });
    expect(await keyVerdict(world, world.stranger.key)).toBe('accepted');
    expect(await tokenVerdict(world, world.stranger.token)).toBe('accepted');
  });
  status(200, 'is in force on another replica for the next charge', async (world) => {
    const replica = await world.service.startReplica();
    try {
      expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
      await update(world, { is_active: false });
      const call = await replica.call('createMemory', {
        ...anyMemory(),
        credential: world.owner.key,
        ip: world.ip,
      });
      expect([call.status, call.body.error]).toEqual([401, 'Invalid API key']);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    } finally {
      await replica.stop();
    }
  });
}

function update(world: World, body: object) {
  return callAs('updateUser', world, { params: { user_id: world.owner.id }, body });
}

async function userOf(world: World) {
  return (await callAs('getUser', world, { params: { user_id: world.owner.id } })).body;
}

function logIn({ service, owner, ip }: World) {
  return service.call('login', { body: { email: owner.email, password: owner.password }, ip });
}

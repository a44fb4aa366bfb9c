import { gzipSync } from 'node:zlib';
import { definitions, schemas } from '../../../generated/schemas';
import { AccessKeys } from '../../../src/accounts/access-keys';
import { AccountTokens, newKeySecret } from '../../../src/accounts/credentials';
import { isForOthersClients } from '../../../src/contract/operation';
import { newId } from '../../../src/runtime/ids';
import { replayedRetry, retryRefusals } from './automatic-retries';
import { BrowserSession } from './browser-session';
import { callAs, callerOf } from './call-as';
import { documentedStatuses } from './document-check';
import type { DescribeStatus, ValidRequest } from './describe-operation';
import { policyOf, type ApiAnswer, type ApiRequest, type OperationId } from './service';
import type { TestAccount, World } from './world';
import { openReservations } from '../ledger/open-reservations';

const ANONYMOUS_CALLS_A_MINUTE = 20;

/** Operations on what the service itself has, which is the same for every account: there is nobody to hide it from. */
const ON_WHAT_NOBODY_OWNS: readonly OperationId[] = ['getModel'];

/**
 * The refusals that follow from an operation's policy alone.
 * @param ofKind takes those whose code is the same for all operations of a kind: see operation-kinds.ts
 */
export function automaticRefusals(
  operationId: OperationId,
  valid: ValidRequest,
  add: DescribeStatus,
  ofKind: DescribeStatus,
): void {
  const policy = policyOf(operationId);
  const documents = (status: number) => documentedStatuses(operationId).includes(String(status));
  if (policy.auth !== 'none') {
    credentialRefusal(operationId, valid, add);
  }
  if (policy.auth === 'jwt') {
    tokenRefusals(operationId, valid, ofKind);
  }
  if (policy.auth === 'key') {
    keyRefusals(operationId, valid, ofKind);
  }
  if (policy.recentPassword) {
    passwordRefusal(operationId, valid, add);
  }
  if (policy.role !== null) {
    roleRefusal(operationId, valid, add);
  }
  if (policy.rate !== 'health') {
    // Where no credential is asked for, no other test sees that the call is counted.
    rateRefusal(operationId, valid, policy.auth === 'none' ? add : ofKind);
  }
  if (documents(404) && policy.path.includes(':')) {
    ownershipRefusal(operationId, valid, add);
  }
  if (policy.price !== null) {
    creditRefusal(operationId, valid, add);
    limitRefusals(operationId, valid, ofKind);
  }
  if (policy.idempotent) {
    replayedRetry(operationId, valid, add);
    retryRefusals(operationId, valid, ofKind);
  }
  unknownParameterRefusal(operationId, valid, add);
  if (policy.mediaTypes.length > 0) {
    compressedBodyRefusal(operationId, valid, ofKind);
  }
  faultRefusal(operationId, valid, ofKind);
}

async function expectRefused(
  operationId: OperationId,
  world: World,
  refusal: { request: ApiRequest; status: number; error: string },
): Promise<ApiAnswer> {
  const before = await world.balanceNanoUsd();
  const answer = await world.service.call(operationId, { ip: world.ip, ...refusal.request });
  expect([answer.status, answer.body.error]).toEqual([refusal.status, refusal.error]);
  expect(answer.headers['x-request-cost']).toBeUndefined();
  expect(await world.balanceNanoUsd()).toBe(before);
  return answer;
}

/** What a query asks for is done or refused, and passed over only of others' clients, which send what their vendors' APIs take. */
function unknownParameterRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  if (isForOthersClients(policyOf(operationId))) {
    add(200, 'does not mind a query parameter that it does not have', async (world) => {
      const request = await valid(world, 0);
      const answer = await callAs(operationId, world, { ...request, query: { nobodys: 1 } });
      expect(answer.status).toBe(200);
    });
    return;
  }
  add(400, 'refuses a query parameter that it does not have, and names those that it has', async (world) => {
    const request = await valid(world, 0);
    const before = await world.balanceNanoUsd();
    const answer = await callAs(operationId, world, { ...request, query: { ...request.query, nobodys: 1 } });
    const names = Object.keys(queryPropertiesOf(operationId));
    const taken = names.length === 0 ? 'none' : names.join(', ').replace(/, (\w+)$/, ' and $1');
    const message = `is not a parameter of this operation, which takes ${taken}`;
    expect([answer.status, answer.body.details]).toEqual([400, [{ field: 'nobodys', message }]]);
    expect(await world.balanceNanoUsd()).toBe(before);
  });
}

function queryPropertiesOf(operationId: OperationId): object {
  const reference = (schemas[operationId]?.query as { $ref: string } | null)?.$ref.split('/').at(-1) ?? '';
  return (definitions as Record<string, { properties?: object }>)[reference]?.properties ?? {};
}

function compressedBodyRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  add(415, 'refuses a compressed body, and says so', async (world) => {
    const before = await world.balanceNanoUsd();
    const { body, ...request } = await valid(world, 0);
    const answer = await callAs(operationId, world, {
      ...request,
      body: gzipSync(JSON.stringify(body ?? {})),
      headers: { ...request.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' },
    });
    expect([answer.status, answer.body.message]).toEqual([415, expect.stringContaining('gzip')]);
    expect(await world.balanceNanoUsd()).toBe(before);
  });
}

/**
 * Whether an operation asks for a credential at all, for which kind, and whether it counts the call before, is its own; how
 * these are judged is not.
 */
function credentialRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const isKey = policyOf(operationId).auth === 'key';
  const [what, other] = isKey ? ['API key', 'an account token'] : ['token', 'an access key'];
  add(401, `refuses a call without a credential, and ${other}`, async (world) => {
    const request = await valid(world, 0);
    const refused = (credential: string | undefined, error: string) =>
      expectRefused(operationId, world, { request: { ...request, credential }, status: 401, error });
    const anonymous = await refused(undefined, `Missing ${what}`);
    expect('x-ratelimit-limit' in anonymous.headers).toBe(policyOf(operationId).rate !== 'health');
    await refused(isKey ? world.owner.token : world.owner.key, `Invalid ${what}`);
  });
}

function tokenRefusals(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const refuse = (
    guarantee: string,
    error: string,
    credential: (world: World) => Promise<string | undefined>,
  ) =>
    add(401, guarantee, async (world) => {
      const request = { ...(await valid(world, 0)), credential: await credential(world) };
      await expectRefused(operationId, world, { request, status: 401, error });
    });
  refuse('refuses what is no token of ours', 'Invalid token', async () =>
    Promise.resolve('eyJhbGciOiJub25lIn0.e30.'),
  );
  refuse('refuses a token that has expired', 'Token expired', async (world) => {
    const { token } = world[policyOf(operationId).role === 'admin' ? 'admin' : 'owner'];
    world.service.clock.advance(24 * 3_600_000);
    return Promise.resolve(token);
  });
  refuse('refuses a token that was ended', 'Invalid token', async (world) => {
    const { token } = callerOf(operationId, world);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      sub: string;
      jti: string;
      exp: number;
    };
    await world.service.app.get(AccountTokens).end(claims.sub, claims);
    return token;
  });
}

function passwordRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  add(
    403,
    'asks a session whose password was shown ten minutes ago for it, and does nothing',
    async (world) => {
      const request = await valid(world, 0);
      const session = await BrowserSession.start(world, callerOf(operationId, world));
      world.service.clock.advance(600_000);
      const before = await world.balanceNanoUsd();
      const unchanged = await actionsAndKeys(world);
      const asked = await session.call(operationId, request);
      expect([asked.status, asked.body.error]).toEqual([403, 'Password needed']);
      expect(await world.balanceNanoUsd()).toBe(before);
      expect(await actionsAndKeys(world)).toEqual(unchanged);
    },
  );
}

/** What the operations that ask for the password change: the owner's keys with their limits, and what admins did. */
async function actionsAndKeys({ service, owner }: World): Promise<unknown> {
  return service.database.query(
    `SELECT k.*, (SELECT count(*) FROM admin_actions WHERE account_id = $1) AS actions
     FROM access_keys k WHERE account_id = $1 ORDER BY id`,
    [owner.id],
  );
}

function keyRefusals(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const refuse = (
    guarantee: string,
    error: string,
    credential: (world: World) => Promise<string | undefined>,
  ) =>
    add(401, guarantee, async (world) => {
      const request = { ...(await valid(world, 0)), credential: await credential(world) };
      await expectRefused(operationId, world, { request, status: 401, error });
    });
  refuse('refuses a malformed key', 'Invalid API key', async () => Promise.resolve('svc_test_short'));
  refuse('refuses an unknown key', 'Invalid API key', async () => Promise.resolve(newKeySecret('test')));
  refuse('refuses a key of the other environment', 'Invalid API key', async () =>
    Promise.resolve(newKeySecret('live')),
  );
  refuse('refuses a revoked key', 'Invalid API key', async ({ service, owner }) => {
    await service.app.get(AccessKeys).revoke(owner.id, owner.keyId);
    return owner.key;
  });
  refuse('refuses a deleted key', 'Invalid API key', async ({ service, owner }) => {
    await service.app.get(AccessKeys).remove(owner.id, owner.keyId);
    return owner.key;
  });
  refuse('refuses a key that has expired', 'API key expired', async ({ service, owner }) => {
    const expiresAt = new Date(service.clock.now().getTime() + 1000);
    const { secret } = await service.app
      .get(AccessKeys)
      .create({ accountId: owner.id, name: 'short-lived', expiresAt, environment: 'test' });
    service.clock.advance(1000);
    return secret;
  });
}

function roleRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  add(403, 'refuses an account without the role', async (world) => {
    const request = { ...(await valid(world, 0)), credential: world.owner.token };
    await expectRefused(operationId, world, { request, status: 403, error: 'Access denied' });
  });
}

function rateRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  add(
    429,
    'refuses a call beyond the rate, with the time to wait, and charges nothing for it',
    async (world) => {
      const isOpen = policyOf(operationId).auth === 'none';
      if (!isOpen) {
        await world.setRates(callerOf(operationId, world), { requests_per_minute: 20 });
      }
      let answer: ApiAnswer | undefined;
      let before = 0n;
      for (let calls = 0; calls <= ANONYMOUS_CALLS_A_MINUTE && answer?.status !== 429; calls += 1) {
        const request = await valid(world, calls);
        before = await world.balanceNanoUsd();
        answer = await callAs(operationId, world, request);
      }
      expect(answer?.status).toBe(429);
      expect(answer?.body).toMatchObject({ error: 'Rate limit exceeded', window: 'minute' });
      expect(Number(answer?.headers['retry-after'])).toBe(answer?.body.retry_after);
      expect(answer?.headers).toMatchObject({ 'x-ratelimit-remaining': '0' });
      expect(Number(answer?.headers['x-ratelimit-limit'])).toBeGreaterThan(0);
      expect(await world.balanceNanoUsd()).toBe(before);
    },
  );
}

function ownershipRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const ids = [...policyOf(operationId).path.matchAll(/:(\w+)/g)].map(([, name]) => name ?? '');
  const withIds = (request: ApiRequest, id: string) => ({
    ...request,
    params: { ...request.params, ...Object.fromEntries(ids.map((name) => [name, id])) },
  });
  const isOwned = policyOf(operationId).role === null && !ON_WHAT_NOBODY_OWNS.includes(operationId);
  const hides = isOwned ? ', and hides what another account stored and leaves it as it is' : '';
  add(404, `refuses ids that nothing has or can have${hides}, and charges nothing`, async (world) => {
    const request = await valid(world, 0);
    const refused = async (call: ApiRequest, account?: TestAccount) => {
      const before = await world.balanceNanoUsd(account);
      const answer = await callAs(operationId, world, call, account);
      expect([answer.status, answer.body.error]).toEqual([404, 'Not Found']);
      expect(answer.headers['x-request-cost']).toBeUndefined();
      expect(await world.balanceNanoUsd(account)).toBe(before);
    };
    await refused(withIds(request, newId()));
    await refused(withIds(request, "'; drop table accounts; --"));
    if (isOwned) {
      await refused(request, world.stranger);
      const own = await callAs(operationId, world, request);
      expect(own.status).toBe(policyOf(operationId).status);
    }
  });
}

/** That the call is charged, and to which key, is the operation's own; how the limits are counted is not. */
function creditRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  const hasKey = policyOf(operationId).auth === 'key';
  const what = hasKey ? 'the balance or the key does not cover' : 'the balance does not cover';
  add(402, `refuses a call that ${what}, and charges nothing`, async (world) => {
    const request = await valid(world, 0);
    if (hasKey) {
      await expectLimited(operationId, world, request, 'per_request');
      await world.setLimits(world.owner, { perRequestLimitNano: null });
    }
    await world.setBalanceUsd(world.owner, '0.000000001');
    const answer = await callAs(operationId, world, request);
    expect([answer.status, answer.body.error]).toEqual([402, 'Insufficient credits']);
    expect(answer.body.available).toBe(1e-9);
    expect(answer.body.required).toBeGreaterThan(1e-9);
    expect(await world.balanceNanoUsd()).toBe(1n);
  });
}

function limitRefusals(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  if (policyOf(operationId).auth !== 'key') {
    return;
  }
  for (const type of ['daily', 'monthly'] as const) {
    add(402, `refuses a call that would pass the key's ${type} limit, and charges nothing`, async (world) =>
      expectLimited(operationId, world, await valid(world, 0), type),
    );
  }
}

const LIMITS = {
  per_request: 'perRequestLimitNano',
  daily: 'dailyLimitNano',
  monthly: 'monthlyLimitNano',
} as const;

async function expectLimited(
  operationId: OperationId,
  world: World,
  request: ApiRequest,
  type: keyof typeof LIMITS,
): Promise<void> {
  const before = await world.balanceNanoUsd();
  await world.setLimits(world.owner, { [LIMITS[type]]: 1n });
  const answer = await callAs(operationId, world, request);
  expect([answer.status, answer.body.error]).toEqual([402, 'Spending limit exceeded']);
  expect(answer.body).toMatchObject({
    limit_type: type,
    limit: 1e-9,
    resets_at: type === 'per_request' ? null : expect.any(String),
  });
  expect(await world.balanceNanoUsd()).toBe(before);
}

function faultRefusal(operationId: OperationId, valid: ValidRequest, add: DescribeStatus): void {
  add(500, 'answers an unexpected fault barely, and charges nothing', async (world) => {
    const request = await valid(world, 0);
    const controller = world.service.controllerOf(operationId);
    const before = await world.balanceNanoUsd();
    const restore = breakDependencies(controller);
    const answer = await callAs(operationId, world, request).finally(restore);
    expect(answer.status).toBe(500);
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'message', 'request_id', 'timestamp']);
    expect(answer.text).not.toContain('secret');
    expect(await world.balanceNanoUsd()).toBe(before);
    expect(await openReservations(world.service, world.owner.id)).toEqual([]);
  });
}

/** Makes everything that a controller depends on throw; returns what mends it. */
export function breakDependencies(controller: Record<string, unknown>): () => void {
  const intact = { ...controller };
  for (const name of Object.keys(intact)) {
    controller[name] = new Proxy(
      {},
      {
        get: () => () => {
          throw new Error('secret detail of a fault');
        },
      },
    );
  }
  return () => Object.assign(controller, intact);
}

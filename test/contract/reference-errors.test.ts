import { at, type JsonObject } from '../../scripts/generate/json';
import { FOR_MODELS_ALONE } from '../support/api/operation-kinds';
import { AccessKeys } from '../../src/accounts/access-keys';
import { Accounts } from '../../src/accounts/accounts';
import { examplesOf, operations, type PublishedOperation } from '../support/api/published-document';
import { TestService, type ApiAnswer, type ApiRequest, type OperationId } from '../support/api/service';
import { createAccount, World, type TestAccount } from '../support/api/world';
import {
  ADDED_MEMBERS,
  COST_HEADERS,
  ERROR_MEMBERS,
  ERRORS,
  PRICES,
  RATE_CLASSES,
  RATE_LIMIT_HEADERS,
  RETRY_HEADER,
  TIERS,
  UNAUTHORIZED,
  VALIDATION_ERROR,
} from './reference-errors';

const ANONYMOUS_CALLS_A_MINUTE = 20;
const DAY_MS = 24 * 3_600_000;

const authenticated = operations.filter(({ policy }) => policy.auth !== 'none');
/** Operations on an uploaded document need one, and others a model, which only their own tests have. */
const priced = operations.filter(
  ({ policy }) =>
    policy.price !== null && policy.tag !== 'documents' && !FOR_MODELS_ALONE.has(policy.operationId),
);
/** A stream of payments lasts as long as its client wants. */
const limited = operations.filter(
  ({ policy }) => policy.rate !== 'health' && policy.operationId !== 'watchPayments',
);
const withBody = operations.filter(({ definition }) => definition.requestBody !== undefined);

let service: TestService;
let world: World;
/** Credentials that are no longer accepted, by the kind that operations ask for. */
let refused: Record<'key' | 'jwt', { invalid: string[]; expired: string }>;
/** An account that may make one call a day, one without credit, one whose key may spend nothing, and one of a tier. */
let accounts: Record<'limited' | 'poor' | 'capped' | 'pro', TestAccount>;
let addresses = 0;

beforeAll(async () => {
  service = await TestService.start();
  const { owner: former } = await World.create(service);
  const keys = service.app.get(AccessKeys);
  const expiresAt = new Date(service.clock.now().getTime() + DAY_MS);
  const shortLived = { accountId: former.id, name: 'short-lived', expiresAt, environment: 'test' } as const;
  const { secret } = await keys.create(shortLived);
  await keys.revoke(former.id, former.keyId);
  service.clock.advance(2 * DAY_MS);
  world = await World.create(service);
  accounts = {
    limited: await createAccount(service, { creditUsd: '0' }),
    poor: await createAccount(service, { creditUsd: '0' }),
    capped: await createAccount(service, { creditUsd: '1' }),
    pro: await createAccount(service, { creditUsd: '0', tier: 'pro' }),
  };
  await world.setRates(accounts.limited, { requests_per_day: 1 });
  await world.setLimits(accounts.capped, { dailyLimitNano: 1n });
  const { token, key } = world.stranger;
  await service.call('logout', { credential: token });
  refused = {
    key: { invalid: ['svc_test_short', former.key, token], expired: secret },
    jwt: { invalid: ['no.token.ofours', token, key], expired: former.token },
  };
});
afterAll(async () => service.stop());

/** Calls from an address of its own, so that refusals of other calls don't count. */
function call({ policy }: PublishedOperation, request: ApiRequest): Promise<ApiAnswer> {
  addresses += 1;
  const ip = `10.200.${addresses >> 8}.${addresses & 255}`;
  return service.call(policy.operationId as OperationId, { ip, ...request });
}

function credentialOf({ policy }: PublishedOperation, account: TestAccount): string | undefined {
  return { key: account.key, jwt: account.token, none: undefined }[policy.auth];
}

/** A token that the operation may end without ending that of the next one. */
async function newToken({ email, password }: TestAccount): Promise<string> {
  addresses += 1;
  const ip = `10.202.${addresses >> 8}.${addresses & 255}`;
  return (await service.call('login', { ip, body: { email, password } })).body.token;
}

/** The body that the document gives as the example. */
function exampleBody({ definition }: PublishedOperation): unknown {
  return definition.requestBody === undefined
    ? undefined
    : examplesOf(definition.requestBody as JsonObject)[0];
}

/** An error of the reference's form. Of its headers and body the document's have been checked by the call. */
function expectError(answer: ApiAnswer, status: number, errors: readonly string[]): void {
  expect([answer.status, errors.includes(answer.body.error)]).toEqual([status, true]);
  const members = Object.keys(answer.body);
  expect(members).toEqual(expect.arrayContaining([...ERROR_MEMBERS, ...(ADDED_MEMBERS[status] ?? [])]));
  expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
  expect(COST_HEADERS.filter((name) => answer.headers[name.toLowerCase()] !== undefined)).toEqual([]);
}

describe('401, as the reference words it', () => {
  it.each(authenticated)('$policy.operationId', async (operation) => {
    const kind = operation.policy.auth as 'key' | 'jwt';
    const { missing, invalid, expired } = UNAUTHORIZED[kind];
    expectError(await call(operation, {}), 401, [missing]);
    for (const credential of refused[kind].invalid) {
      expectError(await call(operation, { credential }), 401, [invalid]);
    }
    expectError(await call(operation, { credential: refused[kind].expired }), 401, [expired]);
  });
});

describe('403', () => {
  it.each(operations.filter(({ policy }) => policy.role !== null))(
    '$policy.operationId',
    async (operation) => {
      expectError(await call(operation, { credential: world.owner.token }), 403, ERRORS[403]);
    },
  );
});

describe('404', () => {
  const ofPaths = authenticated.filter(({ policy }) => policy.path.includes(':'));
  it.each(ofPaths)('$policy.operationId', async (operation) => {
    const account = operation.policy.role === null ? world.owner : world.admin;
    const request = { credential: credentialOf(operation, account), body: exampleBody(operation) };
    expectError(await call(operation, request), 404, ERRORS[404]);
  });
});

describe('400 of a body that is no object', () => {
  // A form is no JSON at all: another type of body is 415.
  const ofJson = withBody.filter(({ policy }) => !policy.form);
  it.each(ofJson)('$policy.operationId', async (operation) => {
    const account = operation.policy.role === null ? world.owner : world.admin;
    const answer = await call(operation, { credential: credentialOf(operation, account), body: [] });
    expect(answer.body.error).toMatch(VALIDATION_ERROR);
    expectError(answer, 400, [answer.body.error]);
    expect(answer.body.details).toContainEqual({ field: expect.any(String), message: expect.any(String) });
  });
});

describe('402', () => {
  it.each(priced)('$policy.operationId', async (operation) => {
    const [credits, limit] = ERRORS[402];
    const body = exampleBody(operation);
    const { poor, capped } = accounts;
    expectError(await call(operation, { credential: credentialOf(operation, poor), body }), 402, [credits]);
    if (operation.policy.auth === 'key') {
      expectError(await call(operation, { credential: capped.key, body }), 402, [limit]);
    }
    expect(await world.balanceNanoUsd(capped)).toBe(1_000_000_000n);
  });
});

describe('429', () => {
  it.each(limited)('$policy.operationId', async (operation) => {
    const request = { credential: credentialOf(operation, accounts.limited), ip: '10.201.0.1' };
    let answer = await call(operation, request);
    for (let calls = 0; calls < ANONYMOUS_CALLS_A_MINUTE && answer.status !== 429; calls += 1) {
      answer = await call(operation, request);
    }
    expectError(answer, 429, ERRORS[429]);
    expect(Number(answer.headers[RETRY_HEADER.toLowerCase()])).toBe(answer.body.retry_after);
    for (const name of RATE_LIMIT_HEADERS) {
      expect(answer.headers[name.toLowerCase()]).toMatch(/^\d+$/);
    }
  });
});

describe("the tier's rate, by the class of the operation", () => {
  it.each(limited.filter(({ policy }) => policy.auth !== 'none'))(
    '$policy.operationId',
    async (operation) => {
      const { policy } = operation;
      // The windows of a second are empty again.
      service.clock.advance(2_000);
      const token = policy.auth === 'jwt' ? await newToken(accounts.pro) : '';
      const credential = credentialOf(operation, { ...accounts.pro, token });
      const { headers } = await call(operation, { credential });
      const { multiplier } = RATE_CLASSES[policy.rate];
      const limit = TIERS.pro.second * (multiplier ?? Infinity);
      expect([headers['x-ratelimit-limit'], headers['x-ratelimit-window']]).toEqual([String(limit), '1']);
    },
  );

  it.each(Object.entries(TIERS))('%s', async (tier, rates) => {
    await service.app.get(Accounts).update(world.owner.id, () => ({ tier, rateLimits: null }));
    const { body } = await service.call('getAccountLimits', { credential: world.owner.token });
    await service.app.get(Accounts).update(world.owner.id, () => ({ tier: 'enterprise', rateLimits: null }));
    const { second, minute, hour, day } = rates;
    expect(body).toMatchObject({
      requests_per_second: second,
      requests_per_minute: minute,
      requests_per_hour: hour,
      requests_per_day: day,
    });
    const multipliers = Object.fromEntries(
      body.categories.map(({ category, multiplier }) => [category, multiplier]),
    );
    const expected = Object.entries(RATE_CLASSES).map(([category, { multiplier }]) => [category, multiplier]);
    expect(multipliers).toEqual(Object.fromEntries(expected));
  });
});

describe('what a call costs', () => {
  it.each(priced)('$policy.operationId tells in its headers', async (operation) => {
    const { body: stored } = await service.call('createMemory', {
      credential: world.owner.key,
      body: { key: 'k', value: 'v' },
    });
    const params = { memory_id: at(stored, 'data', 'id') as string };
    const before = await world.balanceNanoUsd();
    const answer = await call(operation, {
      credential: credentialOf(operation, world.owner),
      params,
      body: exampleBody(operation),
    });
    // What an earlier one of these has stored is replaced.
    expect([operation.policy.status, 200]).toContain(answer.status);
    const [cost = NaN, tokens = NaN, balance = NaN] = COST_HEADERS.map((name) =>
      Number(answer.headers[name.toLowerCase()]),
    );
    expect(cost).toBeGreaterThan(0);
    expect(tokens).toBeGreaterThanOrEqual(0);
    expect([Math.round(cost * 1e9), Math.round(balance * 1e9)]).toEqual([
      Number(before - (await world.balanceNanoUsd())),
      Number(await world.balanceNanoUsd()),
    ]);
  });

  it('is what the reference says', async () => {
    const { body } = await service.call('getPricing', { credential: world.owner.key });
    for (const [name, [title, base, perToken]] of Object.entries(PRICES)) {
      const price = body.prices.find((one) => one.name === name && one.model === null);
      expect([name, price?.title, price?.base, price?.per_token]).toEqual([
        name,
        title,
        Number(base),
        perToken === null ? null : Number(perToken),
      ]);
    }
  });
});

import { ConflictException } from '@nestjs/common';
import { of } from 'rxjs';
import { apis } from '../../generated/contract';
import document from '../../generated/openapi.json';
import type { OperationPolicy } from '../../src/contract/operation';
import { AccessKeys } from '../../src/accounts/access-keys';
import { KeyDirectory } from '../../src/accounts/key-cache';
import { ApiError } from '../../src/errors/api-errors';
import { newId } from '../../src/runtime/ids';
import type { AnswerStream } from '../../src/pipeline/call-transport';
import { MeteredCalls } from '../../src/pipeline/metered-calls';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { breakDependencies } from '../support/api/automatic-refusals';
import { callAs } from '../support/api/call-as';
import { firstOfEachKind, FOR_MODELS_ALONE } from '../support/api/operation-kinds';
import { policyOf, TestService, type ApiRequest, type OperationId } from '../support/api/service';
import { storeMemory } from '../support/api/store-memory';
import { World, type TestAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { openReservations } from '../support/ledger/open-reservations';

interface Trial {
  told: Told;
  [rows: string]: unknown;
}

type Way = (world: World, operation: OperationId, request: ApiRequest) => Promise<Told>;

interface Told {
  status: number;
  /** The body of success, or the members of the error's that are the same for every call of its kind. */
  body: unknown;
  cost: unknown;
  replayed: boolean;
}

/** Operations on a resource whose id is in the path need that resource, and a form is not made within the service. */
const PRICED = apis
  .flatMap((api) => Object.values<OperationPolicy>(api.operations))
  .filter(({ price, operationId }) => price !== null && !FOR_MODELS_ALONE.has(operationId))
  .map((policy) => ({ ...policy, operationId: policy.operationId as OperationId }))
  .filter(({ operationId }) => operationId === 'getMemory' || isCalledByItsExample(operationId));
/** How a call is refused is the same for all operations of a kind. */
const KINDS = firstOfEachKind(PRICED);

describe('a call from within the service', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
  });

  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });

  afterEach(() => jest.restoreAllMocks());

  it('is compared on every priced operation', () => {
    expect(PRICED.length).toBeGreaterThanOrEqual(12);
  });

  it.each(PRICED)('of $operationId leaves what the same call over HTTP leaves', async ({ operationId }) => {
    const told = await bothWays(operationId);
    expect(told.status).toBeLessThan(300);
  });

  describe.each(KINDS)('of $operationId', ({ operationId, auth }) => {
    it('is refused alike beyond the rate limit', async () => {
      const told = await bothWays(operationId, async (world) => {
        await world.setRates(world.owner, { requests_per_day: 1 });
        service.app.get(KeyDirectory).forget(world.owner.id);
        await callAs(auth === 'key' ? 'listModels' : 'getCurrentUser', world, {});
      });
      expect(told.status).toBe(429);
    });

    it('is refused alike without credit', async () => {
      const told = await bothWays(operationId, (world) => world.setBalanceUsd(world.owner, '0.00000001'));
      expect([told.status, told.body]).toMatchObject([402, { error: 'Insufficient credits' }]);
    });

    it('is released alike when its work fails', async () => {
      const mend: (() => void)[] = [];
      const told = await bothWays(operationId, () => {
        mend.push(breakDependencies(service.controllerOf(operationId)));
      }).finally(() => mend.reverse().forEach((restore) => restore()));
      expect(told.status).toBe(500);
    });
  });

  describe.each(KINDS.filter(({ auth }) => auth === 'key'))('of $operationId', ({ operationId }) => {
    it('is refused alike with a key that was revoked', async () => {
      const told = await bothWays(operationId, async (world) => {
        await service.app.get(AccessKeys).revoke(world.owner.id, world.owner.keyId);
      });
      expect(told.status).toBe(401);
    });

    it.each(['dailyLimitNano', 'perRequestLimitNano'] as const)(
      'is refused alike beyond %s',
      async (limit) => {
        const told = await bothWays(operationId, (world) => world.setLimits(world.owner, { [limit]: 1n }));
        expect([told.status, told.body]).toMatchObject([402, { error: 'Spending limit exceeded' }]);
      },
    );
  });

  describe.each(KINDS.filter(({ idempotent }) => idempotent))('of $operationId', ({ operationId }) => {
    it('is refused alike for a body that is not valid', async () => {
      const told = await bothWays(operationId, () => undefined, { body: [] });
      expect(told.status).toBe(400);
    });

    it('is answered alike from an earlier call with its Idempotency-Key', async () => {
      const headers = { 'idempotency-key': newId() };
      const told = await bothWays(
        operationId,
        async (world) => {
          await callAs(operationId, world, { ...exampleOf(operationId), headers });
        },
        { headers },
      );
      expect([told.status < 300, told.replayed]).toEqual([true, true]);
    });

    it('is refused alike where its Idempotency-Key was used for another call', async () => {
      const headers = { 'idempotency-key': newId() };
      const told = await bothWays(
        operationId,
        async (world) => {
          await callAs('createMemory', world, { body: { key: 'another', value: 'call' }, headers });
        },
        { headers },
      );
      expect(told.status).toBe(422);
    });
  });

  it('is not found, and not charged, alike', async () => {
    const told = await bothWays('getMemory', () => undefined, { params: { memory_id: newId() } });
    expect(told.status).toBe(404);
  });

  it('sends a streamed answer where it is told to, charged as over HTTP', async () => {
    const body = { ...(exampleOf('createChatCompletion').body as object), stream: true };
    const overHttp = await World.create(service);
    await service.app.inject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { 'x-api-key': overHttp.owner.key },
      payload: body,
    });
    const within = await World.create(service);
    const sent: string[] = [];
    const stream: AnswerStream = {
      isGone: false,
      takesBody: true,
      write: (bytes) => {
        sent.push(Buffer.from(bytes).toString());
        return Promise.resolve();
      },
      end: (bytes) => sent.push(Buffer.from(bytes).toString()),
      destroy: () => sent.push('broken off'),
    };
    const { keyId } = within.owner;
    const calls = service.app.get(MeteredCalls);
    const answer = await calls.run('createChatCompletion', { kind: 'key', keyId }, { body }, { stream });
    expect([answer.body, answer.brokenOff]).toEqual([null, null]);
    expect(answer.headers).toMatchObject({ 'x-model-used': 'embedded-extractive-1' });
    expect(sent.join('')).toContain('data: [DONE]');
    expect(await traces(within.owner)).toEqual(await traces(overHttp.owner));
  });

  it('answers whole where nobody takes a stream', async () => {
    const world = await World.create(service);
    const body = { ...(exampleOf('createChatCompletion').body as object), stream: true };
    const told = await fromWithin(world, 'createChatCompletion', { body });
    expect(told.body).toMatchObject({ object: 'chat.completion' });
  });

  it('is not made of operations that need a token, or no credential at all', async () => {
    const world = await World.create(service);
    const calls = service.app.get(MeteredCalls);
    const account = { kind: 'account', accountId: world.owner.id } as const;
    for (const operationId of ['logout', 'login', 'createKey']) {
      await expect(calls.run(operationId, account, {})).rejects.toThrow('not called from within the service');
    }
  });

  it('needs a key where the operation does', async () => {
    const world = await World.create(service);
    const account = { kind: 'account', accountId: world.owner.id } as const;
    const call = service.app.get(MeteredCalls).run('getMemoryStats', account, {});
    await expect(call).rejects.toMatchObject({ status: 401, error: 'Invalid API key' });
  });

  it('is refused for its own key only, however often', async () => {
    const world = await World.create(service);
    const calls = service.app.get(MeteredCalls);
    for (let call = 0; call < 25; call += 1) {
      const refused = calls.run('getMemoryStats', { kind: 'key', keyId: newId() }, {});
      await expect(refused).rejects.toMatchObject({ status: 401 });
    }
    const served = await calls.run('getMemoryStats', { kind: 'key', keyId: world.owner.keyId }, {});
    expect(served.status).toBe(200);
  });

  it('leaves a receipt that is found by its own id and by the one that it was given', async () => {
    const world = await World.create(service);
    const principal = { kind: 'key', keyId: world.owner.keyId } as const;
    const given = { clientRequestId: `task-of-${world.owner.keyId}` };
    const { requestId } = await service.app.get(MeteredCalls).run('getMemoryStats', principal, {}, given);
    for (const known of [requestId, given.clientRequestId]) {
      const receipt = await callAs('getRequestReceipt', world, { params: { request_id: known } });
      expect(receipt.body).toMatchObject({
        request_id: requestId,
        client_request_id: given.clientRequestId,
        charged: 0.0001,
      });
    }
  });

  it('answers the last value of a handler that returns an observable', async () => {
    const world = await World.create(service);
    const controller = service.controllerOf('getMemoryStats') as Record<string, () => Promise<unknown>>;
    const stats = { memories: 3, bytes: 5, namespaces: [], oldest_at: null, newest_at: null };
    jest.spyOn(controller, 'getMemoryStats').mockReturnValue(of({}, stats) as never);
    const principal = { kind: 'key', keyId: world.owner.keyId } as const;
    const answer = await service.app.get(MeteredCalls).run('getMemoryStats', principal, {});
    expect(JSON.parse(answer.body ?? '')).toMatchObject({ data: { memories: 3 } });
  });

  it('tells an exception of Nest by its status, as its receipt does', async () => {
    const world = await World.create(service);
    const controller = service.controllerOf('getMemoryStats') as Record<string, () => Promise<unknown>>;
    jest.spyOn(controller, 'getMemoryStats').mockRejectedValue(new ConflictException('Taken already.'));
    const principal = { kind: 'key', keyId: world.owner.keyId } as const;
    const call = service.app.get(MeteredCalls).run('getMemoryStats', principal, {});
    await expect(call).rejects.toMatchObject({ status: 409, error: 'Conflict', message: 'Taken already.' });
    expect((await traces(world.owner)).receipts).toMatchObject([{ status: 409, outcome: 'released' }]);
  });

  it('stops its work when nobody waits for it any more, and costs nothing', async () => {
    const world = await World.create(service);
    const controller = service.controllerOf('createChatCompletion') as Record<string, () => Promise<unknown>>;
    const stop = new AbortController();
    jest.spyOn(controller, 'createChatCompletion').mockImplementation(() => {
      stop.abort();
      return new Promise(() => undefined);
    });
    const calls = service.app.get(MeteredCalls);
    const principal = { kind: 'key', keyId: world.owner.keyId } as const;
    const { body } = exampleOf('createChatCompletion');
    const left = calls.run('createChatCompletion', principal, { body }, { signal: stop.signal });
    await expect(left).rejects.toMatchObject({ status: 499 });
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });

  /** Makes the same call both ways, each in a world of its own, and compares all that it leaves. */
  async function bothWays(
    operationId: OperationId,
    prepare: (world: World) => Promise<void> | void = () => undefined,
    change: ApiRequest = {},
  ): Promise<Told> {
    const worlds = [await World.create(service), await World.create(service)];
    const stored =
      operationId === 'getMemory' ? await Promise.all(worlds.map((world) => storeMemory(world))) : [];
    const told = [];
    for (const [index, way] of [overHttpCall, fromWithin].entries()) {
      const params: Record<string, string> = stored[index] ? { memory_id: stored[index].id } : {};
      told.push(await trial(way, worlds[index] as World, operationId, prepare, { params, ...change }));
    }
    const [first, second] = told as [Trial, Trial];
    expect(second).toEqual(first);
    return first.told;
  }

  async function trial(
    way: Way,
    world: World,
    operationId: OperationId,
    prepare: (world: World) => Promise<void> | void,
    change: ApiRequest,
  ): Promise<Trial> {
    await prepare(world);
    // Over HTTP a key may be known from before; notifications would make it forgotten a moment later.
    service.app.get(KeyDirectory).forget(world.owner.id);
    const told = await way(world, operationId, { ...exampleOf(operationId), ...change });
    return { told, ...(await traces(world.owner)) };
  }

  async function overHttpCall(world: World, operationId: OperationId, request: ApiRequest): Promise<Told> {
    const { status, headers, body } = await callAs(operationId, world, request);
    const cost = costOf(headers);
    return { status, body: stable(body), cost, replayed: headers['idempotent-replayed'] === 'true' };
  }

  async function fromWithin(world: World, operationId: OperationId, request: ApiRequest): Promise<Told> {
    const principal = principalOf(operationId, world.owner);
    const idempotencyKey = request.headers?.['idempotency-key'];
    const input = { params: request.params, body: request.body };
    try {
      const answer = await service.app
        .get(MeteredCalls)
        .run(operationId, principal, input, idempotencyKey === undefined ? {} : { idempotencyKey });
      const { status, headers, body } = answer;
      const replayed = headers['idempotent-replayed'] === 'true';
      return { status, body: stable(JSON.parse(body ?? 'null')), cost: costOf(headers), replayed };
    } catch (error) {
      return { ...answerOf(error), cost: costOf({}), replayed: false };
    }
  }

  /** All that the calls of an account have left, but for what is new in every call: ids and times. */
  async function traces(account: TestAccount) {
    await service.app.get(UnchargedCalls).write();
    const rows = (sql: string): Promise<unknown[]> => service.database.query(sql, [account.id]);
    return {
      entries: await rows(
        `SELECT type, amount_nano, balance_after_nano, description, key_id IS NULL AS is_keyless
         FROM ledger_entries WHERE account_id = $1 ORDER BY position`,
      ),
      receipts: await rows(
        `SELECT operation, outcome, status, price, price_version, input_tokens, output_tokens, reserved_nano,
           charged_nano, key_id IS NULL AS is_keyless, position IS NULL AS has_no_entry
         FROM calls WHERE account_id = $1 ORDER BY id`,
      ),
      reservations: await openReservations(service, account.id),
      claims: await rows('SELECT status FROM idempotency_claims WHERE account_id = $1 ORDER BY status'),
      spent: await rows(
        `SELECT month_spent_nano - (SELECT coalesce(sum(amount_nano), 0) FROM leases WHERE key_id = k.id) AS spent_nano
         FROM access_keys AS k WHERE account_id = $1 ORDER BY created_at`,
      ),
    };
  }
});

/** Who calls an operation from within: its key, or the account itself. */
function principalOf(operationId: OperationId, owner: TestAccount) {
  return policyOf(operationId).auth === 'key'
    ? ({ kind: 'key', keyId: owner.keyId } as const)
    : ({ kind: 'account', accountId: owner.id } as const);
}

/** The example that the document gives of an operation's body. */
function exampleOf(operationId: OperationId): ApiRequest {
  const body = documented(operationId)?.requestBody?.content['application/json']?.example;
  return body === undefined ? {} : { body };
}

function isCalledByItsExample(operationId: string): boolean {
  const { requestBody, path } = documented(operationId) ?? { path: '' };
  return !path.includes('{') && (!requestBody || requestBody.content['application/json'] !== undefined);
}

function documented(operationId: string): DocumentedOperation | undefined {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    (Object.values(item) as DocumentedOperation[]).map((operation) => ({ ...operation, path })),
  );
  return operations.find((candidate) => candidate.operationId === operationId);
}

interface DocumentedOperation {
  operationId: string;
  path: string;
  requestBody?: { content: { 'application/json'?: { example?: unknown } } };
}

/** What HTTP tells of an error. */
function answerOf(error: unknown): { status: number; body: unknown } {
  if (!(error instanceof ApiError)) {
    const body = { error: 'Internal Server Error', message: 'Something went wrong on our side.' };
    return { status: 500, body: stable(body) };
  }
  return {
    status: error.status,
    body: stable({ error: error.error, message: error.message, ...error.options.fields }),
  };
}

function costOf(headers: Readonly<Record<string, string | number>>): unknown[] {
  return ['x-request-cost', 'x-tokens-used', 'x-balance-remaining'].map((name) => {
    const value = headers[name];
    return value === undefined ? null : `${value}`;
  });
}

const NEW_IN_EVERY_CALL =
  /[0-9a-f]{8}-[0-9a-f-]{27}|\b(?:chatcmpl|cmpl|resp|msg)[-_]\w+|\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** A body without what is new in every call. */
function stable(body: unknown): unknown {
  const text = JSON.stringify(body, (name: string, value: unknown) =>
    ['request_id', 'timestamp'].includes(name) ? undefined : value,
  );
  return JSON.parse(text.replaceAll(NEW_IN_EVERY_CALL, 'new'));
}

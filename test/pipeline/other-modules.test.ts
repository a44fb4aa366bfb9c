import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Idempotency } from '../../src/ledger/idempotency';
import { newId } from '../../src/runtime/ids';
import { CallsInFlight } from '../../src/pipeline/calls-in-flight';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { callAs } from '../support/api/call-as';
import {
  GREETING_BYTES_MAX,
  GreetingsModule,
  seen,
  tooSlow,
  type Ask,
  documentGreetings,
} from '../support/api/greetings.module';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { until } from '../support/until';
import { openReservations } from '../support/ledger/open-reservations';

const PRICE_NANO_USD = 100_000n;

documentGreetings();

describe('a module of somebody who extends the service', () => {
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    service = await TestService.start({}, undefined, [GreetingsModule]);
  });

  beforeEach(async () => {
    world = await World.create(service);
    Object.keys(seen).forEach((part) => delete seen[part]);
  });

  afterEach(() => {
    jest.restoreAllMocks();
  });

  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });

  const REFUSED: [Ask, number, object][] = [
    ['guard', 403, { error: 'Access denied', message: 'Forbidden resource' }],
    ['app guard', 403, { error: 'Access denied', message: 'Forbidden resource' }],
    ['pipe', 422, { error: 'Piped', message: 'The pipe objects.' }],
    ['interceptor', 409, { error: 'Conflict', message: 'The interceptor objects.' }],
    ['filter', 409, { error: 'Out of stock', message: 'There is none left.', sku: 7 }],
    ['conflict', 409, { error: 'Conflict', message: 'Taken already.' }],
    ['teapot', 418, { message: 'Short and stout.' }],
    [
      'large fields',
      431,
      { error: 'Request Header Fields Too Large', message: 'Request Header Fields Too Large' },
    ],
    ['busy', 503, { error: 'Service Unavailable' }],
    ['not found', 404, { error: 'Not Found', message: 'No such greeting.' }],
    [
      'texts',
      400,
      {
        error: 'Validation error',
        details: [
          { field: 'hello', message: 'must be longer' },
          { field: 'body', message: 'there' },
        ],
      },
    ],
    ['database fault', 500, { error: 'Internal Server Error', message: 'Internal Server Error' }],
    ['nothing thrown', 500, { error: 'Internal Server Error' }],
    ['no response', 400, { error: 'Validation error' }],
    ['circular', 409, { error: 'Conflict', message: 'Round.' }],
    ['success thrown', 500, { error: 'Internal Server Error' }],
    ['fault', 500, { error: 'Internal Server Error', message: 'Something went wrong on our side.' }],
  ];

  describe('on an operation', () => {
    it.each(REFUSED)(
      'refuses by its %s with the error body of the reference, free of charge',
      async (ask, status, body) => {
        const told = await greet('/api/greetings', ask, world.owner.key);
        expect([told.status, told.body]).toEqual([status, expect.objectContaining(body)]);
        expectErrorBody(told);
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
        expect(await receipts()).toEqual([
          { status, charged_nano: '0', outcome: expect.stringMatching(/refused|released/) },
        ]);
        expect(await reservations()).toBe(0);
      },
    );

    it('asks guards before anything is reserved, and interceptors and pipes after it', async () => {
      const told = await greet('/api/greetings', 'nothing', world.owner.key);
      expect(told.status).toBe(201);
      expect(seen).toEqual({ 'app guard': 0, guard: 0, 'app interceptor': 1, interceptor: 1, pipe: 1 });
    });

    it.each(['nothing', 'observable'] as const)(
      'answers what its interceptors made of the answer, in the envelope and charged once (%s)',
      async (ask) => {
        const told = await greet('/api/greetings', ask, world.owner.key);
        expect(told.body).toEqual({
          data: { hello: 'world', intercepted: true },
          metadata: { cost: 0.0001 },
        });
        expect(told.headers['x-request-cost']).toBe('0.0001');
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
      },
    );

    it('is charged nothing for a header that no answer can have', async () => {
      const told = await greet('/api/greetings', 'bad header', world.owner.key);
      expect(told.status).toBe(500);
      expectErrorBody(told);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('answers with the status and the fields of its document, whatever an interceptor sets', async () => {
      const headers = { 'idempotency-key': newId() };
      for (const replayed of [undefined, 'true']) {
        const told = await greet('/api/greetings', 'status', world.owner.key, {
          ...headers,
          'x-ask': 'status',
        });
        expect([told.status, told.headers['idempotent-replayed']]).toEqual([201, replayed]);
        expect(told.body).toEqual({ data: { hello: 'world' }, metadata: { cost: 0.0001 } });
      }
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n - PRICE_NANO_USD);
    });

    it.each([
      ['own answer', 500, 'Internal Server Error'],
      ['early answer', 403, 'Early'],
      ['raw answer', 409, 'Raw'],
    ] as const)(
      'gives no success for nothing, and leaves nothing open, where others answer (%s)',
      async (ask, status, error) => {
        const headers = { 'idempotency-key': newId() };
        const told = await greet('/api/greetings', ask, world.owner.key, headers);
        expect([told.status, told.body.error]).toEqual([status, error]);
        await until('nothing is open', async () => (await reservations()) === 0 && (await claims()) === 0);
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
        await until('the call is over', () => callsInFlight() === 0);
      },
    );

    it.each([
      ['own answer', 500, 'Internal Server Error'],
      ['early answer', 403, 'Early'],
      ['filter', 409, 'Out of stock'],
    ] as const)(
      'gives the answer that came first, however long the call takes to be taken back (%s)',
      async (ask, status, error) => {
        const idempotency = service.app.get(Idempotency);
        const abandon = idempotency.abandon.bind(idempotency);
        const slow = jest.spyOn(idempotency, 'abandon').mockImplementation(async (...claim) => {
          await delay(300);
          await abandon(...claim);
        });
        const headers = { 'idempotency-key': newId() };
        const told = await greet('/api/greetings', ask, world.owner.key, headers);
        expect([told.status, told.body.error]).toEqual([status, error]);
        expect(slow).toHaveBeenCalledTimes(1);
        await until('nothing is open', async () => (await reservations()) === 0 && (await claims()) === 0);
        expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
        expect((await receipts()).map((receipt) => receipt.charged_nano)).toEqual(['0']);
        await until('the call is over', () => callsInFlight() === 0);
        expect((await greet('/api/greetings', 'nothing', world.owner.key, headers)).status).toBe(201);
      },
    );

    it('is taken back when the caller of a failing observable leaves', async () => {
      const { port } = await listening();
      const stop = new AbortController();
      const call = fetch(`http://127.0.0.1:${port}/api/greetings`, {
        method: 'POST',
        headers: {
          'x-api-key': world.owner.key,
          'content-type': 'application/json',
          'idempotency-key': newId(),
        },
        body: JSON.stringify({ ask: 'late observable' }),
        signal: stop.signal,
      });
      await until('the work has begun', async () => (await reservations()) === 1);
      stop.abort();
      await expect(call).rejects.toThrow();
      await until('nothing is open', async () => (await reservations()) === 0 && (await claims()) === 0);
      await until('the call is over', () => callsInFlight() === 0);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('tells the work to stop when an interceptor gives it up', async () => {
      const told = await greet('/api/greetings', 'too slow', world.owner.key);
      expect([told.status, told.body]).toMatchObject([408, { message: 'Too slow.' }]);
      expect(tooSlow.signal?.aborted).toBe(true);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
    });

    it('keeps the order of refusals: without a key its guards are not asked', async () => {
      const told = await greet('/api/greetings', 'guard', 'svc_test_unknown');
      expect([told.status, told.body]).toMatchObject([401, { error: 'Invalid API key' }]);
      expect(seen).toEqual({});
    });

    it('takes a body as long as its operation says, and no longer', async () => {
      const long = await greet(
        '/api/greetings',
        'a'.repeat(GREETING_BYTES_MAX - 100) as Ask,
        world.owner.key,
      );
      expect(long.status).toBe(201);
      const before = await world.balanceNanoUsd();
      const tooLong = await greet('/api/greetings', 'a'.repeat(GREETING_BYTES_MAX) as Ask, world.owner.key);
      expect([tooLong.status, tooLong.body]).toMatchObject([
        413,
        {
          error: 'Payload Too Large',
          message: expect.stringMatching(
            /^The body is too large: this operation takes at most [\d.]+ MiB\.$/,
          ),
        },
      ]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });

    it('frees the Idempotency-Key of a call that a guard or a filter refused', async () => {
      for (const ask of ['guard', 'filter'] as const) {
        const headers = { 'idempotency-key': newId() };
        expect((await greet('/api/greetings', ask, world.owner.key, headers)).status).toBeGreaterThan(400);
        const claims: unknown[] = await service.database.query(
          'SELECT FROM idempotency_claims WHERE account_id = $1',
          [world.owner.id],
        );
        expect(claims).toHaveLength(0);
      }
    });

    it('guards the operations of the document by its APP_GUARD, before anything is reserved', async () => {
      const body = { key: 'k', value: 'v' };
      // Not through callAs, which holds answers to the document: a refusal of another module is not in it.
      const refused = await service.app.inject({
        method: 'POST',
        url: '/api/hub/memory',
        headers: { 'x-api-key': world.owner.key, 'x-ask': 'app guard' },
        payload: body,
      });
      expect([refused.statusCode, refused.json()]).toMatchObject([403, { error: 'Access denied' }]);
      expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
      expect(seen['app guard']).toBe(0);
      expect((await callAs('createMemory', world, { body })).status).toBe(201);
    });
  });

  describe('on a route of its own', () => {
    it.each(REFUSED)('refuses by its %s with the error body of the reference', async (ask, status, body) => {
      const told = await greet('/own/greetings', ask);
      expect([told.status, told.body]).toEqual([status, expect.objectContaining(body)]);
      expectErrorBody(told);
    });

    it('passes its guards, interceptors and pipes, and costs nothing', async () => {
      const told = await greet('/own/greetings', 'nothing');
      expect([told.status, told.body]).toEqual([
        201,
        { hello: 'world', undeclared: true, intercepted: true },
      ]);
      expect(Object.keys(seen).sort()).toEqual([
        'app guard',
        'app interceptor',
        'guard',
        'interceptor',
        'pipe',
      ]);
    });

    it('refuses by a middleware with the error body of the reference', async () => {
      const told = await greet('/own/greetings', 'nothing', undefined, { 'x-ask': 'middleware' });
      expect([told.status, told.body]).toMatchObject([401, { message: 'The middleware objects.' }]);
      expectErrorBody(told);
    });

    it("names every fault that Nest's validation found", async () => {
      const response = await service.app.inject({
        method: 'POST',
        url: '/own/validated',
        payload: { name: 'x', age: 1 },
      });
      expect([response.statusCode, response.json()]).toEqual([
        400,
        expect.objectContaining({
          error: 'Validation error',
          details: [{ field: 'name', message: 'must be longer than or equal to 3 characters' }],
        }),
      ]);
    });

    it('has its body read before its guards, up to 1 MiB', async () => {
      const patch = (bytes: number) =>
        service.app.inject({ method: 'PATCH', url: '/own/patched', payload: { a: 'a'.repeat(bytes - 8) } });
      const fitting = await patch(1024 * 1024);
      expect([fitting.statusCode, fitting.json()]).toMatchObject([200, { length: 1024 * 1024 }]);
      const tooLong = await patch(1024 * 1024 + 1);
      expect([tooLong.statusCode, tooLong.json()]).toMatchObject([413, { error: 'Payload Too Large' }]);
    });

    it("tells what a pipe of Nest's refuses", async () => {
      const response = await service.app.inject({ method: 'GET', url: '/own/numbers/x' });
      expect([response.statusCode, response.json()]).toEqual([
        400,
        expect.objectContaining({
          error: 'Validation error',
          message: expect.stringContaining('numeric string'),
        }),
      ]);
    });
  });

  interface Told {
    status: number;
    headers: Record<string, unknown>;
    body: Record<string, unknown>;
  }

  async function greet(url: string, ask: Ask, key?: string, headers = {}): Promise<Told> {
    const response = await service.app.inject({
      method: 'POST',
      url,
      headers: { ...(key && { 'x-api-key': key }), ...headers },
      payload: { ask },
    });
    return { status: response.statusCode, headers: response.headers, body: response.json() };
  }

  function expectErrorBody({ headers, body }: Told): void {
    expect(body).toMatchObject({ error: expect.any(String), message: expect.any(String) });
    expect(body.request_id).toBe(headers['x-request-id']);
    expect(Date.parse(String(body.timestamp))).not.toBeNaN();
    expect(Object.keys(body)).not.toContain('statusCode');
    expect(JSON.stringify(body)).not.toContain('secret');
  }

  function callsInFlight(): number {
    const inFlight: object = service.app.get(CallsInFlight);
    return (inFlight as { calls: Set<unknown> }).calls.size;
  }

  async function claims(): Promise<number> {
    const rows: unknown[] = await service.database.query(
      'SELECT FROM idempotency_claims WHERE account_id = $1 AND status IS NULL',
      [world.owner.id],
    );
    return rows.length;
  }

  async function listening(): Promise<AddressInfo> {
    const server: Server = service.app.getHttpServer();
    if (!server.listening) {
      await service.app.listen(0, '127.0.0.1');
    }
    return server.address() as AddressInfo;
  }

  async function receipts(): Promise<{ charged_nano: string }[]> {
    await service.app.get(UnchargedCalls).write();
    return service.database.query('SELECT status, outcome, charged_nano FROM calls WHERE account_id = $1', [
      world.owner.id,
    ]);
  }

  async function reservations(): Promise<number> {
    return (await openReservations(service)).length;
  }
});

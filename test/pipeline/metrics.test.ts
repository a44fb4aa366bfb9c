import { apis, memoryApi } from '../../generated/contract';
import type { OperationPolicy } from '../../src/contract/operation';
import { Ledger } from '../../src/ledger/ledger';
import { Sweeper } from '../../src/ledger/ledger.module';
import { newId } from '../../src/runtime/ids';
import { CompiledService } from '../support/processes/compiled-service';
import { holdNextMemory } from '../support/api/held-call';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const TOKEN = 'a token that only the scraper of this test has';
const MEMORY = { key: 'k', value: 'v' };

describe('GET /metrics', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start({ METRICS_TOKEN: TOKEN });
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  const scrape = (authorization?: string, from = service) =>
    from.app.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
  const text = async (from = service) => (await scrape(`Bearer ${TOKEN}`, from)).body;
  /** A series' value; 0 where it is not shown. */
  const read = async (series: string, from = service) => valueOf(await text(from), series);
  const answers = (operation: string, status: number, from = service) =>
    read(`http_requests_total{operation="${operation}",status="${status}"}`, from);
  const remember = (credential: string) =>
    service.call('createMemory', { credential, ip: world.ip, body: MEMORY });

  describe('without METRICS_TOKEN', () => {
    let open: TestService;
    beforeAll(async () => {
      open = await TestService.start();
    });
    afterAll(async () => open.stop());

    it.each(['127.0.0.1', '10.0.0.7', '::1'])('is no path, not even for %s', async (remoteAddress) => {
      for (const authorization of ['', 'Bearer', 'Bearer null', 'Bearer undefined', `Bearer ${TOKEN}`]) {
        const answer = await open.app.inject({ url: '/metrics', remoteAddress, headers: { authorization } });
        expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([404, 'Not Found']);
      }
    });
  });

  describe('401', () => {
    it.each([
      ['no credential', undefined],
      ['an empty one', ''],
      ['an empty bearer token', 'Bearer '],
      ['the token alone', TOKEN],
      ['a part of the token', `Bearer ${TOKEN.slice(0, -1)}`],
      ['more than the token', `Bearer ${TOKEN}x`],
      ['the token in capitals', `Bearer ${TOKEN.toUpperCase()}`],
    ])('for %s', async (_, authorization) => {
      await expectRefusal(authorization);
    });

    it("for an admin's token and for an access key", async () => {
      await expectRefusal(`Bearer ${world.admin.token}`);
      await expectRefusal(`Bearer ${world.owner.key}`);
    });

    it('for the token in another place', async () => {
      for (const request of [
        { url: `/metrics?token=${encodeURIComponent(TOKEN)}` },
        { url: '/metrics', headers: { 'x-api-key': TOKEN } },
      ]) {
        expect((await service.app.inject(request)).statusCode).toBe(401);
      }
    });

    async function expectRefusal(authorization: string | undefined): Promise<void> {
      const answer = await scrape(authorization);
      expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(answer.json()).toMatchObject({
        error: 'Invalid token',
        request_id: answer.headers['x-request-id'],
      });
      expect(answer.body).not.toMatch(/_total|_seconds/);
    }
  });

  describe('200', () => {
    it('is the text format of Prometheus, for the holder of the token', async () => {
      const answer = await scrape(`Bearer ${TOKEN}`);
      expect([answer.statusCode, answer.headers['content-type']]).toEqual([
        200,
        'text/plain; version=0.0.4; charset=utf-8',
      ]);
      const lines = answer.body.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
      expect(
        lines.filter((line) => !/^[a-z_]+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [\d.e+-]+$/.test(line)),
      ).toEqual([]);
      const series = lines.map((line) => line.slice(0, line.lastIndexOf(' ')));
      expect(series.length).toBeGreaterThan(50);
      expect(new Set(series).size).toBe(series.length);
    });

    it('counts answers by operation and status, those too that a step refused', async () => {
      const before = await text();
      const told = [
        await remember(world.owner.key),
        await remember(world.owner.key),
        await remember('svc_test_nobodys'),
      ];
      await world.setBalanceUsd(world.stranger, '0');
      told.push(await remember(world.stranger.key));
      const bad = { credential: world.owner.key, ip: world.ip, body: {} };
      told.push(await service.call('createMemory', bad));
      await world.setRates(world.owner, { requests_per_day: 0.001 });
      await until('the new rates are heard of', async () => {
        const answer = await remember(world.owner.key);
        told.push(answer);
        return answer.status === 429;
      });
      const after = await text();
      const grown = (series: string) => valueOf(after, series) - valueOf(before, series);
      const statuses = [200, 201, 400, 401, 402, 429];
      const counted = statuses.map((status) =>
        grown(`http_requests_total{operation="createMemory",status="${status}"}`),
      );
      expect(counted).toEqual(
        statuses.map((status) => told.filter((answer) => answer.status === status).length),
      );
      expect(counted).not.toContain(0);
      expect(grown('http_request_seconds_count{operation="createMemory"}')).toBe(told.length);
      expect(grown('http_request_seconds_bucket{operation="createMemory",le="+Inf"}')).toBe(told.length);
      const seconds = grown('http_request_seconds_sum{operation="createMemory"}');
      expect([seconds > 0, seconds < 60]).toEqual([true, true]);
    });

    it('counts an answer to a body that is too large to be read', async () => {
      const before = await answers('createMemory', 413);
      const headers = { 'content-type': 'application/json', 'x-api-key': world.owner.key };
      const payload = JSON.stringify({
        ...MEMORY,
        value: 'v'.repeat(memoryApi.operations.createMemory.bodyBytesMax ?? 0),
      });
      const request = { method: 'POST', url: '/api/hub/memory', headers, payload } as const;
      expect((await service.app.inject(request)).statusCode).toBe(413);
      expect(await answers('createMemory', 413)).toBe(before + 1);
    });

    it('counts for each application on its own', async () => {
      const replica = await service.startReplica();
      await replica.call('getLiveness', { ip: world.ip });
      await replica.call('getLiveness', { ip: world.ip });
      const ofReplica = await answers('getLiveness', 200, replica);
      await replica.stop();
      expect([ofReplica, await answers('getLiveness', 200)]).toEqual([2, 0]);
    });

    it('counts no answer for a client that hung up before it', async () => {
      await service.app.listen(0, '127.0.0.1');
      const before = await answers('createMemory', 201);
      const held = holdNextMemory(service);
      const hangUp = new AbortController();
      const headers = { 'content-type': 'application/json', 'x-api-key': world.owner.key };
      const url = `${await service.app.getUrl()}/api/hub/memory`;
      const request = { method: 'POST', headers, body: JSON.stringify(MEMORY) };
      const call = fetch(url, { ...request, signal: hangUp.signal });
      await held.entered;
      hangUp.abort();
      await expect(call).rejects.toThrow('aborted');
      held.letGo();
      await until('the call is settled', async () => {
        const settled: unknown[] = await service.database.query('SELECT FROM calls WHERE key_id = $1', [
          world.owner.keyId,
        ]);
        return settled.length === 1;
      });
      const other = { ...request, body: JSON.stringify({ ...MEMORY, key: 'another' }) };
      expect((await fetch(url, other)).status).toBe(201);
      await until('the next one is counted', async () => (await answers('createMemory', 201)) > before);
      expect(await answers('createMemory', 201)).toBe(before + 1);
    });

    it('tells what the sweeper gave back', async () => {
      const before = await text();
      const now = service.clock.now();
      await service.app.get(Ledger).reserve({
        callId: newId(),
        accountId: world.owner.id,
        keyId: world.owner.keyId,
        amountNanoUsd: 1n,
        now,
        leaseUntil: now,
        operation: 'test',
        requestId: newId(),
        price: 'test',
        priceVersion: 'test',
      });
      await service.app.get(Sweeper, { strict: false }).sweep();
      const after = await text();
      expect(valueOf(after, 'ledger_swept_total') - valueOf(before, 'ledger_swept_total')).toBe(1);
      const sweeps = 'ledger_sweep_seconds_count';
      expect(valueOf(after, sweeps)).toBeGreaterThan(valueOf(before, sweeps));
    });
  });

  describe('labels', () => {
    it('name operations, statuses, bounds and what the ledger tells apart, and nothing else', async () => {
      await remember(world.owner.key);
      const values: Record<string, Set<string>> = {};
      for (const [, name = '', value = ''] of (await text()).matchAll(/[{,](\w+)="([^"]*)"/g)) {
        (values[name] ??= new Set()).add(value);
      }
      expect(Object.keys(values).sort()).toEqual([
        'because',
        'currency',
        'direction',
        'kind',
        'le',
        'lease',
        'operation',
        'path',
        'queue',
        'reason',
        'socket',
        'source',
        'stage',
        'state',
        'status',
        'step',
      ]);
      expect([...(values.lease ?? [])].sort()).toEqual(['held', 'over']);
      expect([...(values.stage ?? [])].sort()).toEqual(['due', 'handed', 'later', 'running', 'waiting']);
      expect([...(values.state ?? [])].sort()).toEqual(['active', 'delayed', 'idle', 'in_use', 'waiting']);
      expect([...(values.queue ?? [])].sort()).toEqual([
        'documents',
        'tasks',
        'webhook-deliveries',
        'webhook-deliveries-slow',
      ]);
      expect(values.step?.size).toBe(9);
      expect([...(values.socket ?? [])].sort()).toEqual(['collaborate', 'stream']);
      expect([...(values.direction ?? [])].sort()).toEqual(['received', 'sent']);
      expect([...(values.currency ?? [])].sort()).toEqual(['BTC', 'ETH', 'SOL']);
      // They are the operator's own names.
      expect([...(values.source ?? [])].sort()).toEqual(['bitstamp', 'coinbase', 'kraken']);
      expect([...(values.because ?? [])].sort()).toEqual(['queue_full', 'unavailable']);
      expect([...(values.kind ?? [])].sort()).toEqual(['lease', 'settlement']);
      expect([...(values.path ?? [])].sort()).toEqual(['flush', 'memory']);
      expect([...(values.reason ?? [])]).toEqual(['no_room']);
      const ids = apis
        .flatMap((api) => Object.values<OperationPolicy>(api.operations))
        .map((policy) => policy.operationId);
      expect([...(values.operation ?? [])].filter((operation) => !ids.includes(operation))).toEqual([]);
      expect([...(values.status ?? [])].filter((status) => !/^[2-5]\d\d$/.test(status))).toEqual([]);
    });

    it('hold nothing of a caller: no key, no id, no address, no path', async () => {
      const { owner } = world;
      const { body } = await remember(owner.key);
      const memoryId = (body as { data: { id: string } }).data.id;
      await service.call('getMemory', {
        credential: owner.key,
        ip: world.ip,
        params: { memory_id: memoryId },
      });
      await service.call('getKeyLimits', {
        credential: owner.token,
        ip: world.ip,
        params: { key_id: owner.keyId },
      });
      const shown = await text();
      const secrets = [
        owner.key,
        owner.token,
        owner.id,
        owner.keyId,
        owner.email,
        memoryId,
        world.ip,
        '/api/',
      ];
      expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
    });

    it('are not made by unknown paths and methods, nor by what is no operation', async () => {
      await remember(world.owner.key);
      const series = async () => (await text()).replaceAll(/ \S+$/gm, '');
      const before = await series();
      for (const url of [
        '/',
        '/api/unknown',
        '/metrics/x',
        '/%',
        `/api/${newId()}`,
        '/openapi.json',
        '/docs',
        '/metrics',
      ]) {
        await service.app.inject({ url });
        await service.app.inject({ url, method: 'PATCH' });
      }
      await service.app.inject({ url: '/api/hub/memory', method: 'OPTIONS' });
      expect(await series()).toBe(before);
    });
  });

  describe('of a process', () => {
    const environment = () => ({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      METRICS_TOKEN: TOKEN,
    });

    it('hold its processor time, memory and event loop lag', async () => {
      const process = await CompiledService.start(environment());
      const answer = await fetch(`${process.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
      const shown = await answer.text();
      await process.stop();
      expect(answer.status).toBe(200);
      for (const series of [
        'process_cpu_seconds_total',
        'process_resident_memory_bytes',
        'nodejs_heap_size_used_bytes',
        'nodejs_eventloop_lag_p99_seconds',
      ]) {
        expect([series, valueOf(shown, series) > 0]).toEqual([series, true]);
      }
    });
  });
});

function valueOf(text: string, series: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

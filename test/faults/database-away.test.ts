import { setTimeout as delay } from 'node:timers/promises';
import type { Pool } from 'pg';
import { Ledger } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { createTestDatabase, type TestDatabase } from '../support/api/test-database';
import { TestService, type ApiAnswer, type ApiRequest, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { until } from '../support/until';
import { TcpProxy } from '../support/processes/tcp-proxy';

/** Five seconds are promised. On a machine that is busy with other tests, processes wait for their turn as well. */
const ANSWERED_WITHIN_MS = depth('ANSWERED_WITHIN_MS', { short: 9_000, deep: 6_500 });
const BACK_AFTER_MS = 1_000;
const CALLS_AT_ONCE = depth('CALLS_WHILE_AWAY', { short: 3, deep: 60 });
const CHAT = { model: 'embedded', messages: [{ role: 'user', content: 'Say something about the sea.' }] };

describe('a database that is away', () => {
  let database: TestDatabase;
  let network: TcpProxy;
  let service: TestService;
  let world: World;

  beforeAll(async () => {
    database = await createTestDatabase();
    const url = new URL(database.url);
    network = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(network.port);
    service = await TestService.start({ DATABASE_POOL_SIZE_MAX: '6' }, { ...database, url: url.href });
  });
  beforeEach(async () => {
    world = await World.create(service);
    // Once through everything, so that no call of a test is the first of its kind.
    const first = await Promise.all(callsOf(world).map(outcomeOf));
    expect(first.filter(({ status }) => status === null || status >= 300)).toEqual([]);
  });
  afterAll(async () => {
    await service.app.close();
    await network.stop();
    await database.drop();
  });

  it('is told with 503 and Retry-After within seconds where it refuses connections, and charges nothing', () =>
    expectAway(
      () => network.goAway(),
      () => network.comeBack(),
    ));

  it('is told likewise where every connection is reset', () =>
    expectAway(async () => {
      network.state = 'refusing';
      network.cut('reset');
      await Promise.resolve();
    }, becomeWhole));

  it('is told likewise where connections hang', () =>
    expectAway(async () => {
      network.state = 'losing everything';
      await Promise.resolve();
    }, becomeWhole));

  it('is not noticed by calls that come after it has gone, where it is back within a second', async () => {
    await network.goAway();
    const { master: pool } = service.database.driver as unknown as { master: Pool };
    await until('the connections are known to be gone', () => pool.totalCount === 0);
    const outcomes = Promise.all(callsOf(world).map(outcomeOf));
    await delay(BACK_AFTER_MS);
    await network.comeBack();
    expect((await outcomes).filter(({ status }) => status === null || status >= 300)).toEqual([]);
  });

  async function becomeWhole(): Promise<void> {
    network.state = 'whole';
    network.cut('end');
    await Promise.resolve();
  }

  async function expectAway(goAway: () => Promise<void>, comeBack: () => Promise<void>): Promise<void> {
    const before = await world.balanceNanoUsd();
    await goAway();
    const calls = Array.from({ length: CALLS_AT_ONCE }, () => callsOf(world)).flat();
    const all = await Promise.all(calls.map(outcomeOf)).finally(comeBack);
    // Whose charge was on its way at that very moment is told neither success nor failure: nobody knows what became of it.
    const lost = all.filter(({ status }) => status === null);
    expect(lost.filter(({ operationId }) => operationId !== 'createChatCompletion')).toEqual([]);
    const outcomes = all.filter(({ status }) => status !== null);
    expect(outcomes.filter(({ retryAfter }) => !/^[1-9]/.test(retryAfter))).toEqual([]);
    expect(outcomes.filter(({ status }) => status !== 503)).toEqual([]);
    expect(outcomes.filter(({ tookMs }) => tookMs > ANSWERED_WITHIN_MS)).toEqual([]);

    const { balanceNanoUsd, reservedNanoUsd } = await service.app.get(Ledger).balance(world.owner.id);
    expect([balanceNanoUsd, reservedNanoUsd]).toEqual([before, 0n]);
    expect(await ledgerFaults(service.database)).toEqual([]);
    const after = await Promise.all(callsOf(world).map(outcomeOf));
    expect(after.filter(({ status }) => status === null || status >= 300)).toEqual([]);
  }
});

interface Outcome {
  operationId: OperationId;
  /** Null for a connection that ended without an answer. */
  status: number | null;
  retryAfter: string;
  tookMs: number;
}

interface OneCall {
  operationId: OperationId;
  make: () => Promise<ApiAnswer>;
}

/** One call of each kind: without a credential, with a token, with a key; free, paid, and with an Idempotency-Key. */
function callsOf({ service, owner, admin, ip }: World): OneCall[] {
  const call = (operationId: OperationId, request: ApiRequest): OneCall => ({
    operationId,
    make: () => service.call(operationId, { ip, ...request }),
  });
  const entry = { key: newId(), value: 'v' };
  return [
    // From an address of its own: so many guesses from one would be refused before the database is asked.
    call('login', { ip: strangersAddress(), body: { email: owner.email, password: owner.password } }),
    call('getCurrentUser', { credential: owner.token }),
    call('listKeys', { credential: owner.token }),
    call('createKey', { credential: owner.token, body: { name: 'made while away' } }),
    call('getUsage', { credential: owner.token }),
    call('listUsers', { credential: admin.token }),
    call('getReconciliation', { credential: admin.token }),
    call('getMemoryStats', { credential: owner.key }),
    call('createMemory', { credential: owner.key, body: entry }),
    call('createMemory', {
      credential: owner.key,
      body: { ...entry, key: newId() },
      headers: { 'idempotency-key': newId() },
    }),
    call('createChatCompletion', { credential: owner.key, body: CHAT }),
  ];
}

let strangers = 0;
function strangersAddress(): string {
  strangers += 1;
  return `172.16.${strangers >> 8}.${strangers & 255}`;
}

async function outcomeOf({ operationId, make }: OneCall): Promise<Outcome> {
  const startedMs = performance.now();
  const answer = await make().catch(() => null);
  const tookMs = Math.round(performance.now() - startedMs);
  const retryAfter = String(answer?.headers['retry-after'] ?? '');
  return { operationId, status: answer?.status ?? null, retryAfter, tookMs };
}

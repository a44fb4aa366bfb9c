import { setTimeout as delay } from 'node:timers/promises';
import { Ledger, type ReserveOrder } from '../../src/ledger/ledger';
import { newId } from '../../src/runtime/ids';
import { TestService } from '../support/api/service';
import type { TestAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { isServed, PaidLoad } from '../support/ledger/paid-load';
import { loadAccounts } from '../support/ledger/load-accounts';
import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { OwnPostgres } from '../support/processes/own-postgres';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const PROMOTIONS = depth('PROMOTIONS', { short: 1, deep: 10 });
const CLIENTS = 32;
const IN_FLIGHT_MIN = 24;
const SERVED_BEFORE_KILL_MAX = 120;
/** Much longer than the ledger needs to ask what became of a charge. */
const LEDGER_ASKS_MS = 1_500;
const LEASE_MS = 20_000;
const ENDED = { outcome: 'settled', inputTokens: 0, outputTokens: 0, answer: null, status: 200 } as const;
/** The clock is asked only where the machine does nothing else. */
const SERVES_AGAIN_MS_MAX = depth('SERVES_AGAIN_MS_MAX', { short: Infinity, deep: 8_000 });

describe('a primary that dies, and a standby that is promoted, under load', () => {
  const random = new SeededRandom();
  const servers: CompiledService[] = [];
  let primary: OwnPostgres;
  let standby: OwnPostgres;
  let service: TestService;
  let accounts: TestAccount[];
  let load: PaidLoad;

  beforeAll(async () => {
    primary = await OwnPostgres.start();
    standby = await primary.startStandby();
    const url = primary.url.replace(`:${primary.port}/`, `:${standby.port},127.0.0.1:${primary.port}/`);
    service = await TestService.start({}, { url, drop: () => Promise.resolve() });
    const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
    const environment = { DATABASE_URL: url, JWT_SECRET: jwtSecret, LOG_LEVEL: 'fatal' };
    servers.push(await CompiledService.start(environment), await CompiledService.start(environment));
    accounts = await loadAccounts(service);
    load = new PaidLoad({ name: `failover-${random.seed}`, accounts, random, servers: () => servers });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
    await Promise.all([primary.stop(), standby.stop()]);
  });

  /** The dead primary comes back as the standby of the one that was promoted. */
  async function rebuild(): Promise<void> {
    const dead = primary;
    primary = standby;
    await dead.stop();
    standby = await primary.startStandby(dead.port);
  }

  it(`loses no charge and doubles none over ${PROMOTIONS} promotions`, async () => {
    const recoveriesMs: number[] = [];
    load.keepCalling(CLIENTS);
    for (let promotion = 1; promotion <= PROMOTIONS; promotion += 1) {
      const serve = load.servedCalls + random.between(1, SERVED_BEFORE_KILL_MAX);
      await until(
        'calls are served under load',
        () => load.servedCalls >= serve && load.inFlight >= IN_FLIGHT_MIN,
      );
      await primary.killAtOnce();
      await standby.promote();
      const backAtMs = performance.now();
      await until('every account is served again', () => load.isDecidedSince(backAtMs));
      recoveriesMs.push(performance.now() - backAtMs);
      await rebuild();
    }
    const slowestMs = Math.round(Math.max(...recoveriesMs));
    const title =
      `${PROMOTIONS} promotions, LOAD_SEED=${random.seed}, all accounts served again within ${slowestMs} ms, ` +
      `longest pause between two calls served ${longestPauseMs()} ms`;
    const statusesAllowed = [200, 201, 400, 402, 409, 503, 504];
    expect(await endLoad({ load, service, title, statusesAllowed })).toEqual([]);
    expect(slowestMs).toBeLessThan(SERVES_AGAIN_MS_MAX);
  }, 900_000);

  it('answers no charge before the standby has it, also where the process that waits for the standby is ended', async () => {
    const ledger = service.app.get(Ledger);
    const order = orderOf(accounts[0]?.id ?? '');
    expect(await ledger.reserve(order)).toEqual({ verdict: 'reserved' });
    await standby.freeze();
    let isSettled = false;
    const settled = ledger
      .settle({ ...ENDED, ...order, chargeNanoUsd: order.amountNanoUsd })
      .finally(() => (isSettled = true));
    await until('the charge waits for the standby', async () => {
      const ended = await primary.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'ledger' AND wait_event = 'SyncRep'`,
      );
      return ended.length > 0;
    });
    await until('the charge is seen', async () => (await chargesOf(order, primary)) === 1);
    await delay(LEDGER_ASKS_MS);
    expect(isSettled).toBe(false);
    await primary.killAtOnce();
    await standby.unfreeze();
    await standby.promote();
    expect((await settled).chargedNanoUsd).toBe(order.amountNanoUsd);
    expect(await chargesOf(order, standby)).toBe(1);
  });

  function longestPauseMs(): number {
    const answeredMs = load.calls
      .filter(isServed)
      .map(({ sentAtMs, tookMs }) => sentAtMs + tookMs)
      .sort((one, other) => one - other);
    return Math.round(
      Math.max(...answeredMs.slice(1).map((atMs, index) => atMs - (answeredMs[index] ?? atMs))),
    );
  }
});

function orderOf(accountId: string): ReserveOrder {
  const [now, callId] = [new Date(), newId()];
  const names = { operation: 'createMemory', requestId: callId, price: 'test', priceVersion: 'test' };
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return { accountId, keyId: null, callId, amountNanoUsd: 100n, now, leaseUntil, ...names };
}

async function chargesOf({ callId }: ReserveOrder, postgres: OwnPostgres): Promise<number> {
  return (await postgres.query(`SELECT FROM calls WHERE id = '${callId}' AND charged_nano > 0`)).length;
}

import { TestService } from '../support/api/service';
import { depth } from '../support/jest/depth';
import { loadAccounts } from '../support/ledger/load-accounts';
import { PaidLoad } from '../support/ledger/paid-load';
import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { OwnPostgres } from '../support/processes/own-postgres';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const CLIENTS = 16;
/** A call whose charge may be durable already is waited for, for fifteen seconds. */
const CALLS_AT_SIGNAL = depth('CALLS_AT_SIGNAL', { short: 0, deep: CLIENTS });
/** Less than the stop_grace_period of docker-compose.yml. */
const ENDED_WITHIN_MS = 38_000;

describe('a process that is ended while Postgres answers nothing', () => {
  const random = new SeededRandom();
  const servers: CompiledService[] = [];
  let postgres: OwnPostgres;
  let service: TestService;
  let environment: Record<string, string>;
  let load: PaidLoad;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    service = await TestService.start({}, { url: postgres.url, drop: () => Promise.resolve() });
    const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
    environment = { DATABASE_URL: postgres.url, JWT_SECRET, LOG_LEVEL: 'fatal' };
    servers.push(await CompiledService.start(environment));
    const accounts = await loadAccounts(service);
    load = new PaidLoad({ name: `stalled-${random.seed}`, accounts, random, servers: () => servers });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
    await postgres.stop();
  });

  it('is gone before it would be killed, and no call is charged wrongly', async () => {
    load.keepCalling(CLIENTS);
    await until('calls are served', () => load.servedCalls >= 50 && load.inFlight >= CALLS_AT_SIGNAL / 2);
    load.keepCalling(0);
    await until('few enough calls are left', () => load.inFlight <= CALLS_AT_SIGNAL);
    await postgres.freeze();
    const startedMs = performance.now();
    await servers[0]?.stop();
    const tookMs = performance.now() - startedMs;
    await postgres.unfreeze();
    servers[0] = await CompiledService.start(environment);
    const title = `ended after ${Math.round(tookMs)} ms beside a Postgres that answers nothing`;
    const faults = await endLoad({ load, service, title, statusesAllowed: [200, 201, 400, 402, 409, 503] });
    // A write that Postgres had been sent is done when it goes on, though its caller was told 503 and charged nothing. A call
    // whose charge may be durable waits, and is then told nothing: any answer could be wrong.
    const allowed = /^worked without a reservation|told nothing, .*; charges \[\d/;
    expect(faults.filter((fault) => !allowed.test(fault))).toEqual([]);
    expect(tookMs).toBeLessThan(ENDED_WITHIN_MS);
  }, 200_000);
});

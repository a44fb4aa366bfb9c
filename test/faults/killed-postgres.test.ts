import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { loadAccounts } from '../support/ledger/load-accounts';
import { OwnPostgres } from '../support/processes/own-postgres';
import { PaidLoad } from '../support/ledger/paid-load';
import { SeededRandom } from '../support/seeded-random';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const KILLS = depth('POSTGRES_KILLS', { short: 2, deep: 20 });
const CLIENTS = 72;
const IN_FLIGHT_MIN = 60;
const SERVED_BEFORE_KILL_MAX = 120;
/**
 * Every second time Postgres stays away until so many calls were answered with an error; else it comes back at once.
 * Calls that were about to be settled are answered only once it is back, and given up if it stays away too long.
 */
const ERRORS_WHILE_AWAY = 100;
const AWAY_MS_MAX = 6_000;
/** The clock is asked only where the machine does nothing else. */
const SERVES_AGAIN_MS_MAX = depth('SERVES_AGAIN_MS_MAX', { short: Infinity, deep: 8_000 });

describe('a Postgres that is killed again and again under load', () => {
  const random = new SeededRandom();
  const servers: CompiledService[] = [];
  let postgres: OwnPostgres;
  let service: TestService;
  let load: PaidLoad;

  beforeAll(async () => {
    postgres = await OwnPostgres.start();
    const database = { url: postgres.url, drop: () => Promise.resolve() };
    service = await TestService.start({}, database);
    const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
    const environment = { DATABASE_URL: postgres.url, JWT_SECRET: jwtSecret, LOG_LEVEL: 'fatal' };
    servers.push(await CompiledService.start(environment));
    const accounts = await loadAccounts(service);
    load = new PaidLoad({ name: `postgres-${random.seed}`, accounts, random, servers: () => servers });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
    await postgres.stop();
  });

  it('takes no charge back, doubles none, and is served with again by itself', async () => {
    const recoveriesMs: number[] = [];
    load.keepCalling(CLIENTS);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const serve = load.servedCalls + random.between(1, SERVED_BEFORE_KILL_MAX);
      await until(
        'calls are served under load',
        () => load.servedCalls >= serve && load.inFlight >= IN_FLIGHT_MIN,
      );
      await postgres.kill();
      const errors = load.failedCalls + (kill % 2) * ERRORS_WHILE_AWAY;
      const backBeforeMs = performance.now() + AWAY_MS_MAX;
      await until(
        'calls fail while Postgres is away',
        () => load.failedCalls >= errors || performance.now() > backBeforeMs,
      );
      await postgres.startAgain();
      const backAtMs = performance.now();
      await until('every account is served again', () => load.isDecidedSince(backAtMs));
      recoveriesMs.push(performance.now() - backAtMs);
    }
    const slowestMs = Math.round(Math.max(...recoveriesMs));
    const title = `${KILLS} kills of Postgres, LOAD_SEED=${random.seed}, all accounts served again within ${slowestMs} ms`;
    const statusesAllowed = [200, 201, 400, 402, 409, 503, 504];
    expect(await endLoad({ load, service, title, statusesAllowed })).toEqual([]);
    expect(slowestMs).toBeLessThan(SERVES_AGAIN_MS_MAX);
  }, 900_000);
});

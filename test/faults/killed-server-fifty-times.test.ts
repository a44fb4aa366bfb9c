import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { loadAccounts } from '../support/ledger/load-accounts';
import { PaidLoad } from '../support/ledger/paid-load';
import { SeededRandom } from '../support/seeded-random';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const KILLS = depth('SERVER_KILLS', { short: 4, deep: 50 });
const CLIENTS = 72;
const IN_FLIGHT_MIN = 60;
/** Enough for the other to keep serving; more would only keep the processor from the one that starts. */
const CLIENTS_DURING_START = 1;
const SERVED_BEFORE_KILL_MAX = 30;

describe('two servers of which one is killed again and again', () => {
  const random = new SeededRandom();
  let service: TestService;
  let servers: CompiledService[] = [];
  let load: PaidLoad;
  const environment = () => ({
    DATABASE_URL: service.databaseUrl,
    JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
  });

  beforeAll(async () => {
    service = await TestService.start();
    servers = await Promise.all([CompiledService.start(environment()), CompiledService.start(environment())]);
    const accounts = await loadAccounts(service);
    load = new PaidLoad({ name: `kill-${random.seed}`, accounts, random, servers: () => servers });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
  });

  it('charge every answered call once and no other call that was answered', async () => {
    for (let kill = 1; kill <= KILLS; kill += 1) {
      load.keepCalling(CLIENTS);
      const serve = random.between(1, SERVED_BEFORE_KILL_MAX);
      const newest = servers.at(-1);
      await until(
        'the newest server serves under load',
        () => newest !== undefined && load.servedOf(newest) >= serve && load.inFlight >= IN_FLIGHT_MIN,
      );
      const victim = random.pick(servers);
      servers = servers.filter((server) => server !== victim);
      await victim.kill();
      load.keepCalling(CLIENTS_DURING_START);
      servers = [...servers, await CompiledService.start(environment())];
    }
    const title = `${KILLS} kills of a server, LOAD_SEED=${random.seed}`;
    const statusesAllowed = [200, 201, 400, 402, 409, null];
    expect(await endLoad({ load, service, title, statusesAllowed })).toEqual([]);
  }, 600_000);
});

import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { loadAccounts } from '../support/ledger/load-accounts';
import { PaidLoad } from '../support/ledger/paid-load';
import { SeededRandom } from '../support/seeded-random';
import { TestService } from '../support/api/service';
import { TcpProxy } from '../support/processes/tcp-proxy';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';

const CUTS = depth('NETWORK_CUTS', { short: 2, deep: 20 });
const CLIENTS = 72;
const IN_FLIGHT_MIN = 60;
const SERVED_BEFORE_CUT_MAX = 120;
const ANSWERS_LOST_MIN = 5;
const STALL_MS = 2_000;
const AWAY_MS = 3_000;
/** The clock is asked only where the machine does nothing else. */
const SERVES_AGAIN_MS_MAX = depth('SERVES_AGAIN_MS_MAX', { short: Infinity, deep: 8_000 });

describe('a network between server and Postgres that is cut again and again under load', () => {
  const random = new SeededRandom();
  const servers: CompiledService[] = [];
  let service: TestService;
  let network: TcpProxy;
  let load: PaidLoad;

  beforeAll(async () => {
    service = await TestService.start();
    const url = new URL(service.databaseUrl);
    network = await TcpProxy.start({ host: url.hostname, port: Number(url.port) });
    url.port = String(network.port);
    const jwtSecret = 'a secret for tests that nobody else has: 0123456789';
    const environment = { DATABASE_URL: url.href, JWT_SECRET: jwtSecret, LOG_LEVEL: 'fatal' };
    servers.push(await CompiledService.start(environment));
    const accounts = await loadAccounts(service);
    load = new PaidLoad({ name: `network-${random.seed}`, accounts, random, servers: () => servers });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await network.stop();
    await service.stop();
  });

  /** The connections are reset in the middle of whatever they carry. */
  async function reset(): Promise<void> {
    await Promise.resolve();
    network.cut('reset');
  }

  /** What was asked is done and committed, and nobody hears of it. */
  async function loseAnswers(): Promise<void> {
    network.state = 'losing answers';
    await until('answers were lost', () => network.answersLost >= ANSWERS_LOST_MIN);
    network.cut('end');
  }

  /** Nothing passes any more and nobody is told so, until the connections end. */
  async function stall(): Promise<void> {
    network.state = 'losing everything';
    const overAtMs = performance.now() + STALL_MS;
    await until('the network has stalled for long', () => performance.now() > overAtMs);
    network.cut('end');
  }

  /** Answers are lost, and then nobody can ask how it ended until the network is there again. */
  async function losePostgres(): Promise<void> {
    await loseAnswers();
    network.state = 'refusing';
    const overAtMs = performance.now() + AWAY_MS;
    await until('Postgres was away for long', () => performance.now() > overAtMs);
  }

  it('charges every answered call once and no other, and is served through again by itself', async () => {
    const recoveriesMs: number[] = [];
    load.keepCalling(CLIENTS);
    const ways = [reset, loseAnswers, stall, losePostgres];
    for (const cut of Array.from({ length: CUTS }, (_, index) => ways[index % ways.length] ?? reset)) {
      const serve = load.servedCalls + random.between(1, SERVED_BEFORE_CUT_MAX);
      await until(
        'calls are served under load',
        () => load.servedCalls >= serve && load.inFlight >= IN_FLIGHT_MIN,
      );
      await cut().finally(() => (network.state = 'whole'));
      const cutAtMs = performance.now();
      await until('every account is served again', () => load.isDecidedSince(cutAtMs));
      recoveriesMs.push(performance.now() - cutAtMs);
    }
    const slowestMs = Math.round(Math.max(...recoveriesMs));
    const title = `${CUTS} cuts of the network, LOAD_SEED=${random.seed}, all accounts served again within ${slowestMs} ms`;
    const statusesAllowed = [200, 201, 400, 402, 409, 503, 504];
    expect(await endLoad({ load, service, title, statusesAllowed })).toEqual([]);
    expect(slowestMs).toBeLessThan(SERVES_AGAIN_MS_MAX);
  }, 900_000);
});

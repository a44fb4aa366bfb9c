import { TestService } from '../support/api/service';
import { depth } from '../support/jest/depth';
import { loadAccounts } from '../support/ledger/load-accounts';
import { PaidLoad } from '../support/ledger/paid-load';
import { CompiledService } from '../support/processes/compiled-service';
import { endLoad } from '../support/processes/end-load';
import { PlainServer } from '../support/processes/plain-server';
import { SeededRandom } from '../support/seeded-random';
import { until } from '../support/until';

const REPLACED = depth('PROCESSES_REPLACED', { short: 2, deep: 10 });
const CLIENTS = 32;
const SERVED_BEFORE_END_MAX = 200;

/** All processes as a client sees them that asks the next one where a connection is refused or closed. */
class NextHost extends PlainServer {
  private asked = 0;

  constructor(private readonly servers: readonly PlainServer[]) {
    super('');
  }

  override async post(...request: Parameters<PlainServer['post']>): Promise<Response> {
    const turn = this.asked++ % this.servers.length;
    for (const server of [...this.servers.slice(turn), ...this.servers.slice(0, turn)]) {
      const response = await server.post(...request).catch(() => null);
      if (response) {
        return response;
      }
    }
    throw new Error('no process takes connections');
  }
}

describe('processes that are replaced one by one under load', () => {
  const random = new SeededRandom();
  const servers: CompiledService[] = [];
  let environment: Record<string, string>;
  let service: TestService;
  let load: PaidLoad;

  beforeAll(async () => {
    service = await TestService.start();
    const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
    environment = { DATABASE_URL: service.databaseUrl, JWT_SECRET, LOG_LEVEL: 'fatal' };
    servers.push(await CompiledService.start(environment), await CompiledService.start(environment));
    const accounts = await loadAccounts(service);
    const hosts = [new NextHost(servers)];
    load = new PaidLoad({ name: `update-${random.seed}`, accounts, random, servers: () => hosts });
  });
  afterAll(async () => {
    await load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await service.stop();
  });

  it(`fails no call while ${REPLACED} of them are ended`, async () => {
    load.keepCalling(CLIENTS);
    for (let replaced = 0; replaced < REPLACED; replaced += 1) {
      servers.push(await CompiledService.start(environment));
      const serve = load.servedCalls + random.between(1, SERVED_BEFORE_END_MAX);
      await until('calls are served by all of them', () => load.servedCalls >= serve);
      await servers[0]?.stop();
      servers.shift();
    }
    const title = `${REPLACED} processes replaced, LOAD_SEED=${random.seed}`;
    const statusesAllowed = [200, 201, 400, 402, 409];
    expect(await endLoad({ load, service, title, statusesAllowed })).toEqual([]);
  }, 900_000);
});

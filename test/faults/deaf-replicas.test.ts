import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createAccount, type TestAccount } from '../support/api/world';
import { TestService } from '../support/api/service';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { until } from '../support/until';

const PAUSED_MS = 5_000;
const ANSWERED_WITHIN_MS = 3_000;

/** Passes on what a database says, until it is told to keep from one process what it says on its connection for heartbeats. */
class DeafeningProxy {
  isDeafening = false;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { host: string; port: number },
  ) {
    server.on('connection', (client) => this.join(client));
  }

  static async start(databaseUrl: string): Promise<DeafeningProxy> {
    const { hostname: host, port } = new URL(databaseUrl);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DeafeningProxy(server, { host, port: Number(port || 5432) });
  }

  /** The database as it is reached through here. */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((this.server.address() as AddressInfo).port);
    return url.href;
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket): void {
    const database = connect(this.target);
    let isOfHeartbeats = false;
    client.on('data', (bytes) => {
      isOfHeartbeats ||= bytes.includes('heartbeat\0');
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (!(isOfHeartbeats && this.isDeafening)) {
        client.write(bytes);
      }
    });
    for (const [socket, other] of [[client, database] as const, [database, client] as const]) {
      this.sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => other.destroy());
    }
  }
}

describe('a replica that does not hear that a key was revoked', () => {
  let service: TestService;
  let proxy: DeafeningProxy;
  let hearing: CompiledService;
  let deaf: CompiledService;
  let account: TestAccount;
  beforeAll(async () => {
    service = await TestService.start();
    proxy = await DeafeningProxy.start(service.databaseUrl);
    const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';
    hearing = await CompiledService.start({ DATABASE_URL: service.databaseUrl, JWT_SECRET });
    deaf = await CompiledService.start({ DATABASE_URL: proxy.urlOf(service.databaseUrl), JWT_SECRET });
  }, 120_000);
  beforeEach(async () => {
    account = await createAccount(service, { creditUsd: '1' });
    expect(await models(deaf)).toBe(200);
  });
  afterEach(async () => {
    proxy.isDeafening = false;
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await deaf.stop();
    await hearing.stop();
    await proxy.stop();
    await service.stop();
  });

  const models = async (process: CompiledService): Promise<number> =>
    (await fetch(`${process.url}/v1/models`, { headers: { 'x-api-key': account.key } })).status;

  /** @returns how long it took, in milliseconds */
  async function revoke(): Promise<number> {
    const { email, password, keyId } = account;
    const login = await hearing.post('/api/auth/login', { email, password }, {});
    const { token } = (await login.json()) as { token: string };
    const beganMs = performance.now();
    const answer = await hearing.post(`/api/keys/${keyId}/revoke`, {}, { authorization: `Bearer ${token}` });
    expect(answer.status).toBe(200);
    return performance.now() - beganMs;
  }

  it('because its connection has stalled refuses the key all the same, and serves on', async () => {
    proxy.isDeafening = true;
    expect(await revoke()).toBeLessThan(ANSWERED_WITHIN_MS);
    expect(await models(deaf)).toBe(401);
    account = await createAccount(service, { creditUsd: '1' });
    expect(await models(deaf)).toBe(200);
  });

  it('because it is frozen refuses the key when it is awake, and charges nothing more', async () => {
    const store = () => deaf.post('/api/hub/memory', { key: 'k', value: 'v' }, { 'x-api-key': account.key });
    expect((await store()).status).toBe(201);
    deaf.process.kill('SIGSTOP');
    const asked = [models(deaf), store().then(({ status }) => status)];
    expect(await revoke()).toBeLessThan(ANSWERED_WITHIN_MS);
    const charged = await charges();
    await new Promise((resolve) => setTimeout(resolve, PAUSED_MS));
    deaf.process.kill('SIGCONT');
    expect(await Promise.all(asked)).toEqual([401, 401]);
    expect(await models(deaf)).toBe(401);
    expect(await charges()).toBe(charged);
    await until('it is heard of again', async () => {
      const [row]: { count: number }[] = await service.database.query(
        'SELECT count(*)::integer AS count FROM processes WHERE valid_until > clock_timestamp()',
      );
      return row?.count === 3;
    });
  });

  const charges = async (): Promise<number> => {
    const rows: unknown[] = await service.database.query('SELECT FROM ledger_entries WHERE key_id = $1', [
      account.keyId,
    ]);
    return rows.length;
  };
});

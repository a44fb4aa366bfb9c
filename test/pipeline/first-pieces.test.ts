import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { Ledger } from '../../src/ledger/ledger';
import { BrowserSession } from '../support/api/browser-session';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';

const STREAMS_OF_ACCOUNT_MAX = 5;
const ENDED_WITHIN_MS = 20_000;

describe('an answer of bytes, while its first piece is waited for', () => {
  let service: TestService;
  let world: World;
  let balance: Ledger['balance'];
  beforeAll(async () => {
    service = await TestService.start();
    const ledger = service.app.get(Ledger);
    balance = ledger.balance.bind(ledger);
    await service.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('ends where its client goes away, and takes no stream of the account any longer', async () => {
    for (let left = 0; left < STREAMS_OF_ACCOUNT_MAX; left += 1) {
      await goneDuringFirstLook();
    }
    const isTaken = async () =>
      (await callAs('watchPayments', world, { query: { seconds: 0 } })).status === 200;
    await until('the streams that nobody reads have ended', isTaken, ENDED_WITHIN_MS);
  });

  it('is refused where its session ends, and tells nothing', async () => {
    const session = await BrowserSession.start(world);
    duringNextLook(async () => {
      expect((await session.call('endSession')).status).toBe(204);
    });
    const answer = await session.call('watchPayments', { query: { seconds: 2 } });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Invalid token')]);
  });

  it('is refused where all tokens of its account end', async () => {
    const { token } = world.owner;
    duringNextLook(async () => {
      const ended = await service.call('logoutEverywhere', { credential: token, ip: world.ip });
      expect(ended.status).toBe(204);
    });
    const answer = await callAs('watchPayments', world, { query: { seconds: 2 } });
    expect([answer.status, answer.text]).toEqual([401, expect.stringContaining('Invalid token')]);
  });

  /** Each look of a stream begins with the balance. */
  function duringNextLook(happens: () => Promise<void>): void {
    jest.spyOn(service.app.get(Ledger), 'balance').mockImplementationOnce(async (accountId) => {
      await happens();
      return balance(accountId);
    });
  }

  async function goneDuringFirstLook(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const headers = { authorization: `Bearer ${world.owner.token}` };
      const path = '/api/payments/events?seconds=600';
      const client = request({ host: '127.0.0.1', port, path, headers, agent: false });
      client.on('error', () => undefined);
      duringNextLook(async () => {
        client.destroy();
        await closed().then(resolve, reject);
      });
      client.end();
    });
  }

  async function closed(): Promise<void> {
    const server = service.app.getHttpServer();
    const count = promisify<number>((counted) => server.getConnections(counted));
    await until('the connection has closed', async () => (await count()) === 0);
    await new Promise(setImmediate);
  }
});

import { connect, type AddressInfo, type Socket } from 'node:net';
import { Ledger } from '../../src/ledger/ledger';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { createAccount, World, type TestAccount } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { until } from '../support/until';
import { chunkOf, inTurn, playNextStream } from '../support/upstream/fake-stream';

const MEBIBYTE = 1024 * 1024;
const BEFORE = 10_000_000_000n;
const PRICE = 100_000n;
/** What a connection whose client does not read may have begun: what the system's buffers take, and a few more. */
const BEGUN_MAX = 40n;
const ENVIRONMENT = { STALLED_WRITE_TIMEOUT_MS: '3000', UNSENT_BYTES_MAX: String(4 * MEBIBYTE) };

describe('answers that nobody reads', () => {
  let service: TestService;
  let world: World;
  const open: Socket[] = [];
  beforeAll(async () => {
    service = await TestService.start(ENVIRONMENT);
    await service.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    open.splice(0).forEach((socket) => socket.destroy());
    await until('nothing is reserved', async () => (await reserved(world.owner)) === 0n);
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  const reserved = async ({ id }: TestAccount) => (await service.app.get(Ledger).balance(id)).reservedNanoUsd;

  /** Fills the account's memories, so that one page of them has about a mebibyte. */
  async function fill(account: TestAccount): Promise<void> {
    for (let index = 0; index < 3; index += 1) {
      const body = { key: `k${index}`, value: 'v'.repeat(340_000) };
      expect((await callAs('createMemory', world, { body }, account)).status).toBe(201);
    }
  }

  /** A connection on which nothing is read. */
  function connection(): Socket {
    const { port } = (service.app.getHttpServer() as { address(): AddressInfo }).address();
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.pause();
    open.push(socket);
    return socket;
  }

  /** Sends a request so many times over one connection, and reads nothing. */
  function unread(account: TestAccount, path: string, body: object, times: number): Socket {
    const socket = connection();
    const text = JSON.stringify(body);
    const request = [
      `POST ${path} HTTP/1.1`,
      'host: localhost',
      'content-type: application/json',
      `x-api-key: ${account.key}`,
      `content-length: ${Buffer.byteLength(text)}`,
      '',
      text,
    ].join('\r\n');
    socket.write(request.repeat(times));
    return socket;
  }

  const list = (account: TestAccount, times: number) => unread(account, '/api/hub/memory/query', {}, times);
  const query = async (account: TestAccount) => callAs('queryMemories', world, { body: {} }, account);

  const connections = () =>
    new Promise<number>((resolve) => {
      (
        service.app.getHttpServer() as { getConnections(done: (_: unknown, count: number) => void): void }
      ).getConnections((_, count) => resolve(count));
    });

  it('are not made on and on: the next call of a connection waits, and the connection is ended', async () => {
    await fill(world.owner);
    const before = await world.balanceNanoUsd();
    list(world.owner, 150);
    await until('a call is charged', async () => (await world.balanceNanoUsd()) < before);
    await until('the connection is ended', async () => (await connections()) === 0);
    await until('all that began is settled', async () => (await reserved(world.owner)) === 0n);
    expect((before - (await world.balanceNanoUsd())) / PRICE).toBeLessThanOrEqual(BEGUN_MAX);
  });

  it('of the documentation begin one after the other as well', async () => {
    const remaining = async () => {
      const answer = await service.app.inject({ url: '/openapi.json', remoteAddress: '127.0.0.1' });
      return Number(answer.headers['x-ratelimit-remaining']);
    };
    expect(await remaining()).toBe(59);
    connection().write('GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(250));
    await until('the connection is open', async () => (await connections()) === 1);
    await until('it is ended', async () => (await connections()) === 0);
    expect(await remaining()).toBeGreaterThan(58 - Number(BEGUN_MAX));
  });

  it('keep their own account from further calls, free of charge, and nobody else', async () => {
    await fill(world.owner);
    const socket = list(world.owner, 20);
    let refused = await query(world.owner);
    await until('the account is refused', async () => {
      refused = await query(world.owner);
      return refused.status === 503;
    });
    expect([refused.body.error, refused.headers['retry-after']]).toEqual(['Service Unavailable', '1']);
    expect(refused.body.message).toMatch(/unread/i);
    expect(refused.headers['x-request-cost']).toBeUndefined();
    expect((await query(world.stranger)).status).toBe(200);
    socket.destroy();
    await until('the account is served again', async () => (await query(world.owner)).status === 200);
  });

  it('of many accounts together keep every call back, but for the probes of health', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 8 }, () => createAccount(service, { creditUsd: '1' })),
    );
    for (const account of accounts) {
      await fill(account);
    }
    const sockets = accounts.map((account) => list(account, 8));
    let refused = await query(world.stranger);
    await until('a stranger is refused', async () => {
      refused = await query(world.stranger);
      return refused.status === 503;
    });
    expect([refused.body.error, refused.headers['retry-after']]).toEqual(['Service Unavailable', '1']);
    expect((await service.call('getLiveness')).status).toBe(200);
    sockets.forEach((socket) => socket.destroy());
    await until('all is served again', async () => (await query(world.stranger)).status === 200);
  });

  it('of a stream end with its connection, and what was produced is charged', async () => {
    const filler = chunkOf(`"choices":[{"index":0,"delta":{"content":"${'word '.repeat(20_000)}"}}]`);
    const stream = playNextStream(service, () => inTurn(Array.from({ length: 1000 }, () => filler)));
    const messages = [{ role: 'user', content: 'When? At nine.' }];
    const chat = { model: 'm', max_tokens: 50, stream: true, messages };
    unread(world.owner, '/v1/chat/completions', chat, 1);
    await until('the stream is left', () => stream.ended);
    await until('it is charged', async () => (await world.balanceNanoUsd()) < BEFORE);
    await until('the connection is ended', async () => (await connections()) === 0);
    expect(stream.taken).toBeLessThan(1000);
  });
});

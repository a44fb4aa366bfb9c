import { once } from 'node:events';
import { request } from 'node:http';
import { connect, type AddressInfo, type Server } from 'node:net';
import { Logger } from '@nestjs/common';
import { AccessKeys } from '../../../src/accounts/access-keys';
import { KeyDirectory } from '../../../src/accounts/key-cache';
import { Accounts } from '../../../src/accounts/accounts';
import { newId } from '../../../src/runtime/ids';
import { AuthenticationStep } from '../../../src/pipeline/admission';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';
import { processorMsOf } from '../../support/processor-time';
import { SocketClient } from '../../support/sockets/socket-client';
import { until } from '../../support/until';

const UPGRADE = [
  'host: localhost',
  'connection: Upgrade',
  'upgrade: websocket',
  'sec-websocket-version: 13',
  'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
  '',
];

describe('before the upgrade, a socket', () => {
  let service: TestService;
  let address: string;
  let world: World;
  const url = (token?: string, path = '/api/ws/stream') =>
    `${address}${path}${token === undefined ? '' : `?token=${token}`}`;
  const posted = (wish: Record<string, string>) => {
    const body = JSON.stringify({ key: newId(), value: 'stored' });
    return new Promise((resolve, reject) => {
      const headers = {
        'x-api-key': world.owner.key,
        'content-type': 'application/json',
        'content-length': String(body.length),
        ...wish,
      };
      request(`${address}/api/hub/memory`, { method: 'POST', headers, agent: false }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      })
        .on('error', reject)
        .end(body);
    });
  };
  const connections = () =>
    new Promise<number>((resolve) => {
      (service.app.getHttpServer() as Server).getConnections((_, count) => resolve(count));
    });
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    address = await service.app.getUrl();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  it.each([
    ['no credential', () => undefined, 'Missing API key'],
    ['an unknown key', () => `svc_test_${'a'.repeat(38)}`, 'Invalid API key'],
    ['a malformed token', () => 'nonsense', 'Invalid token'],
    ['a token of another signature', () => `${world.owner.token.slice(0, -4)}AAAA`, 'Invalid token'],
    ['an empty token', () => '', 'Missing API key'],
  ])('refuses %s with 401 and the body of an error', async (_, token, error) => {
    const refusal = await SocketClient.refusal(url(token()));
    expect(refusal).toMatchObject({
      status: 401,
      body: { error, request_id: refusal.headers['x-request-id'] },
    });
    expect(refusal.headers['x-api-version']).toBe('1.0');
  });

  it('tells who shows no credential where a socket takes one', async () => {
    expect((await SocketClient.refusal(url())).body.message).toContain('?token=');
  });

  it('refuses a key that was revoked, and an account that was disabled', async () => {
    const { owner, stranger } = world;
    await service.app.get(AccessKeys).revoke(owner.id, owner.keyId);
    expect(await SocketClient.refusal(url(owner.key))).toMatchObject({ status: 401 });
    await service.app.get(Accounts).update(stranger.id, () => ({ isActive: false }));
    expect(await SocketClient.refusal(url(stranger.key))).toMatchObject({ status: 401 });
    expect(await SocketClient.refusal(url(stranger.token))).toMatchObject({ status: 401 });
  });

  it('refuses two tokens, other paths, requests without an upgrade, other versions and malformed protocols', async () => {
    const { key } = world.owner;
    expect(await SocketClient.refusal(`${url(key)}&token=${key}`)).toMatchObject({ status: 400 });
    expect(await SocketClient.refusal(url(key, '/api/ws/other'))).toMatchObject({
      status: 404,
      body: { error: 'Not Found' },
    });
    expect((await fetch(url(key))).status).toBe(426);
    expect(await SocketClient.refusal(url(key), { protocolVersion: 8 })).toMatchObject({ status: 426 });
    for (const protocols of ['a b', 'a,,b', 'a, a']) {
      const headers = { 'sec-websocket-protocol': protocols };
      expect(await SocketClient.refusal(url(key), { headers })).toMatchObject({
        status: 400,
        body: { message: 'Sec-WebSocket-Protocol is not valid.' },
      });
    }
  });

  it('reads white space in protocols once', async () => {
    const headers = { 'sec-websocket-protocol': `a${' '.repeat(15_000)}b` };
    const neededMs = await processorMsOf(async () => {
      for (let count = 0; count < 20; count += 1) {
        expect(await SocketClient.refusal(url(), { headers })).toMatchObject({ status: 400 });
      }
    });
    expect(neededMs).toBeLessThan(1_000);
  });

  it('logs no token, whatever goes wrong', async () => {
    const written: string[] = [];
    const collect = (part: unknown) => written.push(String(part)) > 0;
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation(collect),
    );
    jest.spyOn(service.app.get(AuthenticationStep), 'run').mockImplementationOnce(() => {
      throw new Error('broken');
    });
    const { key } = world.owner;
    const logger = jest.spyOn(Logger.prototype, 'error');
    const refusals = [
      await SocketClient.refusal(url(key)),
      await SocketClient.refusal(url(key, '/api/ws/other')),
    ];
    const logged = JSON.stringify(logger.mock.calls);
    [...spies, logger].forEach((spy) => spy.mockRestore());
    expect(refusals.map(({ status }) => status)).toEqual([500, 404]);
    expect(logged).toContain('unexpected error');
    for (const text of [...written, logged, ...refusals.map(({ body }) => JSON.stringify(body))]) {
      expect(text).not.toContain(key);
    }
  });

  it('counts the handshake for the rate limit', async () => {
    await world.setRates(world.owner, { requests_per_day: 1 });
    service.app.get(KeyDirectory).forget(world.owner.id);
    const client = await SocketClient.open(url(world.owner.key));
    const refusal = await SocketClient.refusal(url(world.owner.key));
    client.webSocket.terminate();
    expect(refusal).toMatchObject({
      status: 429,
      body: { error: 'Rate limit exceeded', limit: 1, window: 'day' },
    });
    expect(refusal.headers['retry-after']).toBeDefined();
  });

  it('closes what it has refused, though the client has more to say and never ends', async () => {
    const client = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined).resume();
    client.write(
      'GET /api/ws/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nx',
    );
    await once(client, 'end');
    await until('the service has closed its side', () => {
      client.write('x');
      return client.closed;
    });
  });

  it.each([
    ['without a credential', 401, () => ['GET /api/ws/stream HTTP/1.1']],
    ['beyond the rate', 429, () => [`GET /api/ws/stream?token=${world.owner.key} HTTP/1.1`]],
    ['of an unknown path', 404, () => ['GET /api/ws/other HTTP/1.1']],
    ['with a body', 401, () => ['GET /api/ws/stream HTTP/1.1', 'content-length: 10']],
  ])('ends the connection of one %s, also where the client does not', async (_, status, lines) => {
    await world.setRates(world.owner, { requests_per_day: 1 });
    service.app.get(KeyDirectory).forget(world.owner.id);
    await service.call('queryMemories', { credential: world.owner.key, body: {} });
    const { port } = (service.app.getHttpServer() as Server).address() as AddressInfo;
    await until('nobody else is connected', async () => (await connections()) === 0);
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    client.on('error', () => undefined);
    client.write([...lines(), ...UPGRADE, 'trailing bytes'].join('\r\n'));
    const [answer] = (await once(client, 'data')) as [Buffer];
    await until('the server has forgotten the connection', async () => (await connections()) === 0);
    client.destroy();
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it('serves a POST that asks for a WebSocket, which only a GET may, with its body', async () => {
    const status = await posted({ connection: 'Upgrade', upgrade: 'websocket' });
    expect(status).toBe(201);
  });

  it('serves a request that asks for another upgrade as if it had not asked', async () => {
    const wish = {
      connection: 'Upgrade, HTTP2-Settings',
      upgrade: 'h2c',
      'http2-settings': 'AAEAAEAAAAIAAAAB',
    };
    const status = await posted(wish);
    expect(status).toBe(201);
  });
});

import type { Server } from 'node:http';
import document from '../../generated/openapi.json';
import { CallsInFlight } from '../../src/pipeline/calls-in-flight';
import { RawConnection, type RawAnswer } from '../support/api/raw-connection';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';

const MEMORY = '/api/hub/memory';
const BODY = '{"key":"k","value":"v"}';

describe('what is no request', () => {
  let service: TestService;
  let world: World;
  const open: RawConnection[] = [];
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => open.splice(0).forEach((connection) => connection.close()));
  afterAll(async () => service.stop());

  async function connection(): Promise<RawConnection> {
    const opened = await RawConnection.open(service);
    open.push(opened);
    return opened;
  }

  it.each([
    ['a bad request line', 'NONSENSE\r\n\r\n', 400],
    ['an unknown method', 'BREW /coffee HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nX-Api-Key: a\0b\r\n\r\n', 400],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [
      'a length beside chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['headers that are too long', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path that is too long', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])('is answered as any other error, and its connection closed: %s', async (_, text, status) => {
    const client = await connection();
    client.send(Buffer.from(text, 'latin1'));
    const answer = await client.answer();
    expectError(answer, status);
    expect(answer.headers.connection).toBe('close');
    await client.closed;
    expect(client.rest).toBe('');
  });

  it.each([
    ['stop in the middle', null],
    ['go on and on', 'X-More: a\r\n'],
  ])('is answered with 408 where its headers %s, and its connection closed', async (_, more) => {
    const server: Server = service.app.getHttpServer();
    const { requestTimeout, headersTimeout } = server;
    Object.assign(server, { requestTimeout: 100, headersTimeout: 100 });
    let timer: NodeJS.Timeout | undefined;
    try {
      const client = await connection();
      client.send('GET /v1/models HTTP/1.1\r\nHost: x\r\nX-Api-Key: ');
      if (more !== null) {
        client.send('a\r\n');
        timer = setInterval(() => client.send(more), 20);
      }
      const answer = await client.answer();
      expectError(answer, 408);
      expect(answer.headers.connection).toBe('close');
      await client.closed;
      expect(client.rest).toBe('');
    } finally {
      clearInterval(timer);
      Object.assign(server, { requestTimeout, headersTimeout });
    }
  });

  it('is answered with 400 where it lacks a Host', async () => {
    const client = await connection();
    client.send('GET /v1/models HTTP/1.1\r\n\r\n');
    expectError(await client.answer(), 400);
    const old = await connection();
    old.send(`GET /v1/models HTTP/1.0\r\nX-API-Key: ${world.owner.key}\r\n\r\n`);
    expect(await old.answer()).toMatchObject({ status: 200 });
  });

  it.each([
    ['of two names for its server', 400, 'Host: x\r\nhOST: y\r\n'],
    ['of the same name twice', 400, 'Host: x\r\nHost: x\r\n'],
    ['of more lines than anybody reads', 431, `Host: x\r\n${'a:\r\n'.repeat(2_000)}`],
  ])('is answered as any other error where its head is one %s', async (_, status, lines) => {
    const client = await connection();
    client.send(`GET /v1/models HTTP/1.1\r\nX-API-Key: ${world.owner.key}\r\n${lines}\r\n`);
    expectError(await client.answer(), status);
  });

  it('is nothing in a head of 1,990 lines, of which none is cut off', async () => {
    const client = await connection();
    const lines = 'a:\r\n'.repeat(1_990);
    client.send(`GET /v1/models HTTP/1.1\r\nHost: x\r\n${lines}X-API-Key: ${world.owner.key}\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 200 });
  });

  it('may follow on a connection of HTTP/1.0 whose request came in chunks, so it is closed', async () => {
    const client = await connection();
    const head = `POST ${MEMORY} HTTP/1.0\r\nX-API-Key: ${world.owner.key}\r\nContent-Type: application/json\r\n`;
    client.send(`${head}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n`);
    client.send(`${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`);
    expect(await client.answer()).toMatchObject({ status: 201, headers: { connection: 'close' } });
    await client.closed;
    expect(client.rest).toBe('');
  });

  it.each(['/%', '/api/%E0%A4%A', `/api/hub/memory/${'m'.repeat(1000)}`])(
    'is answered as any other error where its path is none: %s',
    async (path) => {
      const client = await connection();
      client.sendHead('GET', path, { 'content-length': 1024 * 1024 });
      const answer = await client.answer();
      expectError(answer, 404);
      expect(answer.headers.connection).toBe('close');
    },
  );

  it('ends the call whose body it is, free of charge', async () => {
    const client = await connection();
    client.sendHead('POST', MEMORY, {
      'x-api-key': world.owner.key,
      'content-type': 'application/json',
      'transfer-encoding': 'chunked',
    });
    await until('the call has begun', () => callsInFlight() === 1);
    client.send('no chunk\r\n');
    expectError(await client.answer(), 400);
    await until('the call has ended', () => callsInFlight() === 0);
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });

  it('is never answered in place of the request before it', async () => {
    const client = await connection();
    const headers = { 'x-api-key': world.owner.key, 'content-type': 'application/json' };
    client.sendHead('POST', MEMORY, { ...headers, 'content-length': BODY.length });
    client.send(`${BODY}NONSENSE\r\n\r\n`);
    await client.closed;
    expect(client.rest).not.toContain('400 Bad Request');
    await until('the call has ended', () => callsInFlight() === 0);
  });

  it('does not keep what follows a refused body from being left alone', async () => {
    const client = await connection();
    const rest = 'x'.repeat(100_000);
    client.sendHead('POST', MEMORY, { 'content-type': 'application/json', 'content-length': rest.length });
    expect(await client.answer()).toMatchObject({ status: 401, headers: { connection: 'close' } });
    client.send(rest);
    client.sendHead('GET', '/api/hub/memory/stats', { 'x-api-key': world.owner.key });
    await client.closed;
    expect(client.rest).toBe('');
    expect(await world.balanceNanoUsd()).toBe(10_000_000_000n);
  });

  function callsInFlight(): number {
    const inFlight: object = service.app.get(CallsInFlight);
    return (inFlight as { calls: Set<unknown> }).calls.size;
  }

  function expectError(answer: RawAnswer, status: number): void {
    expect([answer.status, answer.headers['content-type']]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    expect(JSON.parse(answer.body)).toMatchObject({
      error: expect.stringMatching(/\w/),
      message: expect.stringMatching(/\w/),
      request_id: answer.headers['x-request-id'],
      timestamp: service.clock.now().toISOString(),
    });
    expect(answer.headers).toMatchObject({
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-api-version': document.info.version,
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('X-Request-Id'),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'x-content-type-options': 'nosniff',
    });
  }
});

import net from 'node:net';
import { turnsDuring, TURNS_IN_100_MS } from '../../../test/support/event-loop-turns';
import { HttpsReceiver } from '../../../test/support/receiver/https-receiver';
import { InnerServer } from '../../../test/support/receiver/inner-server';
import type { ReceiverReaction } from '../../../test/support/receiver/receiver-reaction';
import { ScriptedResolver } from '../../../test/support/receiver/scripted-resolver';
import { TestAuthority } from '../../../test/support/receiver/test-authority';
import { until } from '../../../test/support/until';
import { OutboundHttp, type OutboundPost, trustedAuthorities } from './outbound-http';

const KIB = 1024;
/** Public, and so the judge lets them pass; the tests lead connections to them to a receiver of their own. */
const PUBLIC = '93.184.216.34';
const PUBLIC_TOO = '2606:2800:220:1:248:1893:25c8:1946';

describe('OutboundHttp', () => {
  let receiver: HttpsReceiver;
  let resolver: ScriptedResolver;
  let http: OutboundHttp;
  const others: HttpsReceiver[] = [];
  const clients: OutboundHttp[] = [];
  const made = (allowLoopback: boolean, caFile: string | null = receiver.caFile) => {
    const client = new OutboundHttp({ allowLoopback, resolver, authorities: trustedAuthorities(caFile) });
    clients.push(client);
    return client;
  };
  const opened = async (...options: Parameters<typeof HttpsReceiver.start>) => {
    const other = await HttpsReceiver.start(...options);
    others.push(other);
    return other;
  };
  const post = (request: Partial<OutboundPost> = {}, client = http) =>
    client.post({
      url: receiver.url(),
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      timeoutMs: 20_000,
      answerBytesMax: 64 * KIB,
      ...request,
    });
  const fault = (request: Partial<OutboundPost> = {}, client = http) =>
    post(request, client).then(
      (answer) => answer as unknown as { reason: string; message: string },
      (error: unknown) => error as { reason: string; message: string },
    );

  beforeEach(async () => {
    receiver = await opened();
    resolver = new ScriptedResolver();
    http = made(true);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    clients.splice(0).forEach((client) => client.onModuleDestroy());
    await Promise.all(others.splice(0).map((other) => other.close()));
  });

  describe('refuses', () => {
    it('a certificate of an authority that nobody vouches for', async () => {
      const client = made(true, null);
      expect(await fault({}, client)).toMatchObject({
        reason: 'unreachable',
        message: 'The certificate of the receiver was not issued by a known authority.',
      });
      const stranger = await opened({ authority: await TestAuthority.create() });
      expect(await fault({ url: stranger.url() })).toMatchObject({ reason: 'unreachable' });
      expect([...receiver.requests, ...stranger.requests]).toEqual([]);
    });

    it('a certificate of another name, also where the host is an address', async () => {
      const other = await opened({ names: ['hooks.example.com', '127.0.0.2'] });
      const message = 'The certificate of the receiver is for another name.';
      expect(await fault({ url: other.url() })).toMatchObject({ reason: 'unreachable', message });
      expect(await fault({ url: `https://127.0.0.1:${other.port}/` })).toMatchObject({ message });
      expect(other.requests).toEqual([]);
    });

    it('a certificate that has expired', async () => {
      const old = await opened({ validForMs: 1000 });
      expect(await fault({ url: old.url() })).toMatchObject({
        reason: 'unreachable',
        message: 'The certificate of the receiver has expired.',
      });
    });

    it('addresses of this machine where that is not allowed, and private ones even there', async () => {
      const inner = await InnerServer.start();
      const strict = made(false);
      for (const url of [
        receiver.url(),
        `http://127.0.0.1:${inner.port}/`,
        `https://127.0.0.1:${inner.port}/`,
      ]) {
        expect(await fault({ url }, strict)).toMatchObject({ reason: 'refused' });
      }
      expect(await fault({ url: 'https://10.0.0.1/' })).toMatchObject({ reason: 'refused' });
      expect(await fault({ url: 'http://10.0.0.1:8080/' })).toMatchObject({ reason: 'refused' });
      expect([inner.connectionCount, receiver.connectionCount]).toEqual([0, 0]);
      await inner.close();
    });

    it('a name with one address that is private, whatever the others are', async () => {
      const connect = jest.spyOn(net, 'connect');
      resolver.set('mixed.example.com', [PUBLIC, '10.0.0.7', PUBLIC_TOO]);
      const error = await fault({ url: 'https://mixed.example.com/' });
      expect(error).toMatchObject({
        reason: 'refused',
        message: 'The host does not lead to a public address.',
      });
      expect(connect).not.toHaveBeenCalled();
    });
  });

  describe('says that it is unreachable', () => {
    it('when the name is unknown, or has no address', async () => {
      resolver.set('empty.example.com', []);
      expect(await fault({ url: 'https://unknown.example.com/' })).toMatchObject({
        reason: 'unreachable',
        message: 'The name of the host was not found.',
      });
      expect(await fault({ url: 'https://empty.example.com/' })).toMatchObject({ reason: 'unreachable' });
    });

    it('when nobody listens, when the connection breaks, and when the answer is no HTTP', async () => {
      const url = receiver.url();
      receiver.reaction = { kind: 'reset' };
      expect(await fault()).toMatchObject({
        reason: 'unreachable',
        message: expect.stringContaining('broke'),
      });
      receiver.reaction = { kind: 'raw', first: 'SSH-2.0-x\r\n', repeated: 'x' };
      expect(await fault()).toMatchObject({
        reason: 'unreachable',
        message: 'The answer is not HTTP/1.1.',
      });
      await others.splice(0, 1)[0]?.close();
      expect(await fault({ url })).toMatchObject({
        reason: 'unreachable',
        message: 'The receiver refused the connection.',
      });
    });
  });

  describe('holds to the time', () => {
    it('of an answer that comes just in time, and of one that does not', async () => {
      receiver.reaction = { kind: 'answer', status: 200, delayMs: 150 };
      expect(await post({ timeoutMs: 100_000 })).toMatchObject({ status: 200 });
      receiver.reaction = { kind: 'answer', status: 200, delayMs: 100_000 };
      expect(await fault({ timeoutMs: 300 })).toMatchObject({
        reason: 'timeout',
        message: 'There was no whole answer within 0.3 seconds.',
      });
      await until('the late connection is closed', () => receiver.openConnections === 0);
    });

    it.each([
      ['drips its body', { kind: 'drip', status: 200, everyMs: 20 }],
      ['says nothing', { kind: 'hang' }],
    ] as const)('when the receiver %s', async (_, reaction) => {
      receiver.reaction = reaction;
      let error: unknown;
      const turns = await turnsDuring(async () => (error = await fault({ timeoutMs: 300 })));
      expect(error).toMatchObject({ reason: 'timeout' });
      expect(turns).toBeLessThanOrEqual(20 * TURNS_IN_100_MS);
      await until('the connection is closed', () => receiver.openConnections === 0);
    });

    it('when the receiver takes the connection and never answers the TLS handshake', async () => {
      const silent = await InnerServer.start();
      expect(await fault({ url: `https://127.0.0.1:${silent.port}/`, timeoutMs: 300 })).toMatchObject({
        reason: 'timeout',
      });
      expect(silent.connectionCount).toBe(1);
      await silent.close();
    });

    it('when the look-up never ends', async () => {
      jest.spyOn(resolver, 'resolve').mockReturnValue(new Promise(() => undefined));
      expect(await fault({ url: 'https://slow.example.com/', timeoutMs: 100 })).toMatchObject({
        reason: 'timeout',
      });
    });
  });

  describe('reads no more than it is told', () => {
    const sockets: net.Socket[] = [];
    beforeEach(() => {
      const connect = net.connect as (options: net.NetConnectOpts) => net.Socket;
      sockets.length = 0;
      jest.spyOn(net, 'connect').mockImplementation(((options: net.NetConnectOpts) => {
        sockets.push(connect(options));
        return sockets.at(-1);
      }) as typeof net.connect);
    });
    const bytesRead = () => sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);

    it.each([
      ['as it is', {}],
      ['said to be packed', { 'content-encoding': 'gzip' }],
    ])('of 1 GiB %s, which costs 64 KiB', async (_, headers) => {
      receiver.reaction = { kind: 'huge', status: 200, bytes: KIB ** 3, headers };
      const answer = await post();
      expect([answer.status, answer.isCut, answer.body.length]).toEqual([200, true, 64 * KIB]);
      await until('the connection is closed', () => receiver.openConnections === 0);
      // The handshake, the headers and what the last read brought along.
      expect(bytesRead()).toBeGreaterThan(64 * KIB);
      expect(bytesRead()).toBeLessThan(160 * KIB);
      expect(receiver.requests[0]?.headers['accept-encoding']).toBe('identity');
    });

    it('and takes an answer of just that size whole', async () => {
      receiver.reaction = { kind: 'answer', status: 200, body: 'x'.repeat(64 * KIB) };
      const answer = await post();
      expect([answer.isCut, answer.body.length]).toEqual([false, 64 * KIB]);
      expect(await post({ answerBytesMax: 0 })).toMatchObject({ status: 200, isCut: true });
    });

    it.each([
      ['headers without end', 'HTTP/1.1 200 OK\r\n', 'x-more: 0123456789\r\n'],
      ['one header without end', 'HTTP/1.1 200 OK\r\nx: ', '0123456789'],
      ['interim answers without end', '', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'],
    ])('of %s', async (_, first, repeated) => {
      receiver.reaction = { kind: 'raw', first, repeated };
      expect(await fault()).toMatchObject({ reason: 'unreachable' });
      await until('the connection is closed', () => receiver.openConnections === 0);
      expect(bytesRead()).toBeGreaterThan(0);
      expect(bytesRead()).toBeLessThan(320 * KIB);
    });

    it.each([
      ['chunks of a byte', '1\r\nx\r\n'],
      ['chunks with long extensions', `1;e=${'x'.repeat(2000)}\r\nx\r\n`],
    ])('of %s without end', async (_, repeated) => {
      receiver.reaction = {
        kind: 'raw',
        first: 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
        repeated,
      };
      const answer = await post();
      expect([answer.status, answer.isCut]).toEqual([200, true]);
      await until('the connection is closed', () => receiver.openConnections === 0);
      expect(bytesRead()).toBeGreaterThan(0);
      expect(bytesRead()).toBeLessThan(320 * KIB);
    });
  });

  describe('calls', () => {
    it('with the bytes and the headers that it is given, and returns any status', async () => {
      receiver.reaction = { kind: 'answer', status: 503, body: 'später' };
      const body = '{"text":"für 5 €"}';
      const answer = await post({
        url: receiver.url('/hook?x=1#part'),
        headers: { 'x-service-signature': 'sha256=00' },
        body,
      });
      expect(answer).toEqual({ status: 503, body: Buffer.from('später'), isCut: false });
      expect(receiver.requests).toMatchObject([
        { method: 'POST', path: '/hook?x=1', body: Buffer.from(body) },
      ]);
      expect(receiver.requests[0]?.headers).toMatchObject({
        host: `localhost:${receiver.port}`,
        'x-service-signature': 'sha256=00',
        'content-length': String(Buffer.byteLength(body)),
      });
    });

    const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
    const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n';
    it.each([
      ['100 Continue', `${CONTINUE}HTTP/1.1 103 Early Hints\r\n\r\n${CONTINUE}${OK}HTTP/1.1 100`, 200],
      ['a body after 204', 'HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\nok', 204],
      ['chunks after 204', 'HTTP/1.1 204 No\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n', 204],
    ])('and takes %s as receivers send it', async (_, first, status) => {
      receiver.reaction = { kind: 'raw', first };
      const body = Buffer.from(status === 200 ? 'HTTP/1.1 100' : '');
      for (let call = 0; call < 2; call += 1) {
        expect(await post()).toEqual({ status, body, isCut: false });
      }
    });

    it('and follows no redirect', async () => {
      const inner = await InnerServer.start();
      for (const status of [301, 302, 303, 307, 308]) {
        receiver.reaction = { kind: 'redirect', status, to: `http://127.0.0.1:${inner.port}/` };
        expect(await post()).toMatchObject({ status });
      }
      expect([inner.connectionCount, receiver.requests.length]).toEqual([0, 5]);
      await inner.close();
    });

    it('this machine where that is allowed, by name and by address, also by plain http', async () => {
      expect(await post({ url: receiver.url() })).toMatchObject({ status: 204 });
      expect(await post({ url: `https://127.0.0.1:${receiver.port}/` })).toMatchObject({ status: 204 });
      const inner = await InnerServer.start();
      await fault({ url: `http://127.0.0.1:${inner.port}/`, timeoutMs: 100 });
      expect(inner.connectionCount).toBe(1);
      await inner.close();
    });

    it('again on the same connection while that is fresh, and never on one to another receiver', async () => {
      const second = await opened();
      for (let call = 0; call < 3; call += 1) {
        await post();
        await post({ url: second.url() });
      }
      expect([receiver.connectionCount, second.connectionCount]).toEqual([1, 1]);
      http.onModuleDestroy();
      await until('both are closed', () => receiver.openConnections + second.openConnections === 0);
      expect(await post()).toMatchObject({ status: 204 });
      await until('the new one is closed', () => receiver.openConnections === 0);
    });

    it('on a new connection after one that the receiver has closed', async () => {
      receiver.reaction = { kind: 'answer', status: 200, headers: { connection: 'close' } };
      await post();
      await post();
      expect(receiver.connectionCount).toBe(2);
    });

    it('anew where a kept connection is closed without an answer, but only once and never after a fresh one', async () => {
      const turns: ReceiverReaction['kind'][] = ['answer', 'reset', 'answer', 'reset', 'reset', 'reset'];
      receiver.reaction = () =>
        turns.shift() === 'reset' ? { kind: 'reset' } : { kind: 'answer', status: 204 };
      expect((await post()).status).toBe(204);
      expect((await post()).status).toBe(204);
      expect(receiver.connectionCount).toBe(2);
      const broken = {
        reason: 'unreachable',
        message: 'The connection broke before there was a whole answer.',
      };
      expect(await fault()).toMatchObject(broken);
      expect(receiver.requests).toHaveLength(5);
      expect(await fault()).toMatchObject(broken);
      expect(receiver.requests).toHaveLength(6);
    });

    it('many times at once, and keeps few of the connections', async () => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => post()));
      expect(answers.every(({ status }) => status === 204)).toBe(true);
      await until('most are closed', () => receiver.openConnections <= 8);
    });
  });

  describe('calls a public host', () => {
    const dialled: string[] = [];
    let dead: readonly string[];
    beforeEach(() => {
      dialled.length = 0;
      dead = [];
      const connect = net.connect as (options: net.NetConnectOpts) => net.Socket;
      jest.spyOn(net, 'connect').mockImplementation(((options: net.TcpNetConnectOpts) => {
        dialled.push(`${options.host}:${options.port}`);
        const port = dead.includes(options.host ?? '') ? 1 : receiver.port;
        return connect({ ...options, host: '127.0.0.1', port });
      }) as typeof net.connect);
    });
    const publicReceiver = async () => {
      receiver = await opened({ names: ['hooks.example.com', PUBLIC, PUBLIC_TOO] });
      http = made(false);
    };

    it('at the address that was judged, with one look-up, under its name', async () => {
      await publicReceiver();
      resolver.set('hooks.example.com', [PUBLIC], ['127.0.0.1']);
      expect(await post({ url: 'https://Hooks.Example.COM./x' })).toMatchObject({ status: 204 });
      expect(resolver.asked).toEqual(['hooks.example.com']);
      expect(dialled).toEqual([`${PUBLIC}:443`]);
      expect(receiver.requests[0]?.headers.host).toBe('hooks.example.com');
    });

    it('and judges again for the next connection, so that a rebound name is refused', async () => {
      await publicReceiver();
      receiver.reaction = { kind: 'answer', status: 200, headers: { connection: 'close' } };
      resolver.set('hooks.example.com', [PUBLIC], ['127.0.0.1'], ['10.0.0.1', PUBLIC], ['::ffff:127.0.0.1']);
      const url = 'https://hooks.example.com:8443/';
      expect(await post({ url })).toMatchObject({ status: 200 });
      for (let again = 0; again < 3; again += 1) {
        expect(await fault({ url })).toMatchObject({ reason: 'refused' });
      }
      expect(dialled).toEqual([`${PUBLIC}:8443`]);
    });

    it('at its next address when one is dead', async () => {
      await publicReceiver();
      dead = [PUBLIC];
      resolver.set('hooks.example.com', [PUBLIC, PUBLIC_TOO]);
      expect(await post({ url: 'https://hooks.example.com/' })).toMatchObject({ status: 204 });
      expect(dialled).toEqual([`${PUBLIC}:443`, `${PUBLIC_TOO}:443`]);
    });

    it('that is named by its address', async () => {
      await publicReceiver();
      expect(await post({ url: `https://${PUBLIC}/` })).toMatchObject({ status: 204 });
      expect(await post({ url: `https://[${PUBLIC_TOO}]:8443/` })).toMatchObject({ status: 204 });
      expect([dialled, resolver.asked]).toEqual([[`${PUBLIC}:443`, `${PUBLIC_TOO}:8443`], []]);
    });
  });
});

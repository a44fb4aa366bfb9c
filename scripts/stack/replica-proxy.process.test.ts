import { once } from 'node:events';
import {
  Agent,
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '../../test/support/until';
import { ReplicaProxy } from './replica-proxy';

/** A replica whose answers the test writes. */
class ScriptedReplica {
  readonly requests: IncomingMessage[] = [];
  readonly upgrades: { request: IncomingMessage; socket: Socket }[] = [];
  /** Its open connections but those of the proxy's own checks. */
  readonly connections = new Set<Socket>();
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end('ok');

  private constructor(
    readonly server: Server,
    readonly url: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections.add(socket);
      const gone = () => this.connections.delete(socket);
      socket.on('end', gone).on('close', gone).on('error', gone);
    });
    server.on('request', (request, response) => {
      this.requests.push(request);
      if (request.url === '/health/ready') {
        this.connections.delete(request.socket);
      }
      this.answer(request, response);
    });
    server.on('upgrade', (request, socket: Socket) => {
      // Unread it would not notice its end.
      socket.resume();
      this.upgrades.push({ request, socket });
    });
  }

  static async start(): Promise<ScriptedReplica> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ScriptedReplica(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  }

  /** The calls but those of the proxy's own checks. */
  get calls(): IncomingMessage[] {
    return this.requests.filter(({ url }) => url !== '/health/ready');
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
    this.upgrades.forEach(({ socket }) => socket.destroy());
  }
}

describe('ReplicaProxy', () => {
  let replicas: ScriptedReplica[];
  let proxy: ReplicaProxy;
  beforeEach(async () => {
    replicas = [await ScriptedReplica.start(), await ScriptedReplica.start()];
    const urls = replicas.map(({ url }) => url);
    proxy = await ReplicaProxy.listen({ host: '127.0.0.1', port: 0 }, urls);
    replicas.forEach((_, index) => proxy.setUp(index, true));
  });
  afterEach(async () => {
    const drained = proxy.drain();
    proxy.cut();
    await drained;
    replicas.forEach((replica) => replica.stop());
  });

  const calls = () => replicas.flatMap((replica) => replica.calls);
  const statuses = async (count: number) => {
    const answers = [];
    for (let call = 0; call < count; call += 1) {
      const answer = await fetch(`${proxy.url}/a`);
      await answer.text();
      answers.push(answer.status);
    }
    return answers;
  };

  it('asks the replicas by turns', async () => {
    expect(await statuses(6)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(replicas.map((replica) => replica.calls.length)).toEqual([3, 3]);
  });

  it('breaks no call when a replica is gone of which nobody has told it', async () => {
    replicas[0]?.stop();
    expect(await statuses(6)).toEqual([200, 200, 200, 200, 200, 200]);
  });

  it('says so when none is there', async () => {
    replicas.forEach((replica) => replica.stop());
    expect(await statuses(1)).toEqual([502]);
    replicas.forEach((_, index) => proxy.setUp(index, false));
    const answer = await fetch(proxy.url);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([502, '1']);
    expect(await answer.json()).toMatchObject({ error: 'Bad gateway' });
  });

  it('sends nothing twice: a call whose replica breaks the connection is 502', async () => {
    replicas.forEach((replica) => (replica.answer = (incoming) => incoming.socket.destroy()));
    expect(await statuses(2)).toEqual([502, 502]);
    expect(calls()).toHaveLength(2);
  });

  it('breaks an answer off where its replica does', async () => {
    replicas.forEach((replica) => {
      replica.answer = (_, response) => {
        response.write('half');
        setImmediate(() => response.destroy());
      };
    });
    await expect(fetch(proxy.url).then((response) => response.text())).rejects.toThrow();
  });

  it('replaces what a caller says of his address', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7' };
    await (await fetch(proxy.url, { headers })).text();
    const [call] = calls();
    expect(call?.headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1', host: new URL(proxy.url).host });
    expect(call?.headers.forwarded).toBeUndefined();
  });

  it('keeps the connection of a client open, though each call has its own to a replica', async () => {
    const answer = await fetch(proxy.url);
    await answer.text();
    expect(answer.headers.get('connection')).toBe('keep-alive');
    expect(calls()[0]?.headers.connection).toBe('close');
  });

  it('passes bodies on as they come, before they are whole', async () => {
    replicas.forEach((replica) => {
      replica.answer = (incoming, response) => incoming.on('end', () => response.end());
    });
    const outgoing = request(proxy.url, { method: 'POST' });
    outgoing.write('first');
    await until('it arrives', () => calls().length === 1);
    const [first] = (await once(calls()[0] as IncomingMessage, 'data')) as [Buffer];
    expect(first.toString()).toBe('first');
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>;
    outgoing.end();
    (await answered)[0].resume();
  });

  it('tells a replica that its client has gone', async () => {
    let isClosed = false;
    for (const replica of replicas) {
      replica.answer = (_, response) => {
        response.write('data: 1\n\n');
        response.on('close', () => (isClosed = true));
      };
    }
    const client = new AbortController();
    const { body } = await fetch(proxy.url, { signal: client.signal });
    await body?.getReader().read();
    client.abort();
    await until('the replica knows', () => isClosed);
  });

  describe('requests that ask for HTTP/2', () => {
    const ask = (agent: Agent, body: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = {
          connection: 'Upgrade, HTTP2-Settings',
          upgrade: 'h2c',
          'http2-settings': 'AAEAAEAAAAIAAAAB',
          'content-length': String(body.length),
        };
        request(`${proxy.url}/a`, { method: 'POST', headers, agent }, (response) => {
          let text = '';
          response.on('data', (part) => (text += String(part)));
          response.on('end', () => resolve(text));
        })
          .on('error', reject)
          .end(body);
      });

    it('are handed on as if they had not, however often a connection asks', async () => {
      const warnings: Error[] = [];
      const note = (warning: Error) => void warnings.push(warning);
      process.on('warning', note);
      replicas.forEach((replica) => {
        replica.answer = (incoming, response) => incoming.pipe(response);
      });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const bodies = Array.from({ length: 15 }, (_, index) => `body ${index}`);
      const answers = [];
      for (const body of bodies) {
        answers.push(await ask(agent, body));
      }
      agent.destroy();
      process.off('warning', note);
      expect(answers).toEqual(bodies);
      expect(calls().map(({ headers }) => headers.upgrade)).toEqual(bodies.map(() => undefined));
      expect(replicas.flatMap(({ upgrades }) => upgrades)).toEqual([]);
      expect(warnings).toEqual([]);
    });

    it('leave no connection to a replica behind', async () => {
      const agent = new Agent({ keepAlive: false });
      await Promise.all(['a', 'b', 'c'].map(async (body) => ask(agent, body)));
      await until('all are closed', () => replicas.every(({ connections }) => connections.size === 0));
    });
  });

  describe('upgrades', () => {
    const upgradeOf = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'X-Forwarded-For: 203.0.113.7\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: abc\r\n\r\n';
    const upgrade = (path: string): Socket => {
      const socket = connect(Number(new URL(proxy.url).port), '127.0.0.1');
      socket.write(upgradeOf(path));
      return socket;
    };
    const upgraded = async () => {
      await until('it arrives', () => replicas.some(({ upgrades }) => upgrades.length > 0));
      const [found] = replicas.flatMap(({ upgrades }) => upgrades);
      if (!found) {
        throw new Error('no upgrade has arrived');
      }
      return found;
    };
    const textOf = (socket: Socket) => {
      const said = { text: '' };
      socket.on('data', (bytes: Buffer) => (said.text += bytes.toString()));
      return said;
    };

    it('are handed on byte by byte in both directions, and end together', async () => {
      const client = upgrade('/api/ws/stream?token=t');
      const said = textOf(client);
      const { request: incoming, socket } = await upgraded();
      const heard = textOf(socket);
      expect([incoming.url, incoming.headers['x-forwarded-for']]).toEqual([
        '/api/ws/stream?token=t',
        '127.0.0.1',
      ]);
      socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nfrom the replica',
      );
      await until('the client hears it', () => said.text.includes('from the replica'));
      expect(said.text).toMatch(/^HTTP\/1\.1 101 /);
      client.write('from the client');
      await until('the replica hears it', () => heard.text === 'from the client');
      const ended = once(socket, 'end');
      client.destroy();
      await ended;
    });

    it('that are refused stay refused', async () => {
      const client = upgrade('/api/ws/stream');
      const said = textOf(client);
      const { socket } = await upgraded();
      socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
      await once(client, 'close');
      expect(said.text).toMatch(/^HTTP\/1\.1 401 [\s\S]*no$/);
    });

    it('are 502 where nobody is there', async () => {
      replicas.forEach((replica) => replica.stop());
      const client = upgrade('/api/ws/stream');
      const said = textOf(client);
      await once(client, 'close');
      expect(said.text).toMatch(/^HTTP\/1\.1 502 /);
    });

    it('whose client resets at once harm nobody, and leave no connection to a replica behind', async () => {
      for (let attempt = 0; attempt < 25; attempt += 1) {
        const client = upgrade('/api/ws/stream');
        await once(client, 'connect');
        client.resetAndDestroy();
      }
      expect(await statuses(2)).toEqual([200, 200]);
      await until('all are closed', () => replicas.every(({ connections }) => connections.size === 0));
    });

    it('whose client resets the refusal harm nobody', async () => {
      replicas.forEach((_, index) => proxy.setUp(index, false));
      const client = upgrade('/api/ws/stream');
      await once(client, 'data');
      client.resetAndDestroy();
      expect(await statuses(2)).toEqual([502, 502]);
    });

    it.each([
      ['the proxy', () => replicas.forEach((_, index) => proxy.setUp(index, false)), '502 Bad Gateway'],
      ['a replica', () => undefined, '401 Unauthorized'],
    ])(
      'that %s refuses are closed, though the client has more to say and never ends',
      async (_, set, status) => {
        set();
        const port = Number(new URL(proxy.url).port);
        const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
        client.on('error', () => undefined);
        const said = textOf(client);
        client.write(`${upgradeOf('/api/ws/stream')}x`);
        if (status.startsWith('401')) {
          const { socket } = await upgraded();
          socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno');
        }
        await once(client, 'end');
        expect(said.text).toContain(`HTTP/1.1 ${status}\r\n`);
        await until('the proxy has closed its side', () => {
          client.write('x');
          return client.closed;
        });
      },
    );

    it('that a replica breaks are broken off, with nothing written into the messages', async () => {
      const client = upgrade('/api/ws/stream');
      client.on('error', () => undefined);
      const said = textOf(client);
      const { socket } = await upgraded();
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
      await until('it is open', () => said.text.endsWith('\r\n\r\n'));
      const closed = once(client, 'close');
      socket.resetAndDestroy();
      await closed;
      expect(said.text).toMatch(/^HTTP\/1\.1 101 [^]*\r\n\r\n$/);
    });
  });
});

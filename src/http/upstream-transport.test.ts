import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TURNS_IN_100_MS, turnsDuring } from '../../test/support/event-loop-turns';
import { UnacceptingPort } from '../../test/support/processes/unaccepting-port';
import { until } from '../../test/support/until';
import {
  AnswerTooLarge,
  ConnectionFailed,
  FirstByteTimedOut,
  type UpstreamResponse,
  UpstreamTransport,
} from './upstream-transport';

const TIMES = { connectTimeoutMs: 20_000, firstByteTimeoutMs: 20_000, totalTimeoutMs: 20_000 };

describe('UpstreamTransport, while it connects', () => {
  const transports: UpstreamTransport[] = [];
  const made = (baseUrl: string, times: Partial<typeof TIMES> = {}) => {
    const transport = new UpstreamTransport({ baseUrl, apiKey: null, ...TIMES, ...times });
    transports.push(transport);
    return transport;
  };
  /** Aborts a request while it connects. Returns its error, and how many turns of the event loop it took to fail. */
  const aborted = async (transport: UpstreamTransport, isConnecting: () => boolean) => {
    const stop = new AbortController();
    const work = transport.post('/x', '{}', { signal: stop.signal }).catch((error: unknown) => error);
    await until('it connects', isConnecting);
    const turns = await turnsDuring(async () => {
      stop.abort(new Error('the caller has gone'));
      await work;
    });
    return { error: await work, turns };
  };
  afterEach(() => Promise.all(transports.splice(0).map((transport) => transport.close())));

  it('gives up within 100 ms of an abort where nobody accepts', async () => {
    const port = await UnacceptingPort.open();
    const { error, turns } = await aborted(made(port.baseUrl), () => true);
    expect(error).toMatchObject({ message: 'the caller has gone' });
    expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
    await port.close();
  });

  it('holds to its other times where nobody accepts', async () => {
    const port = await UnacceptingPort.open();
    const work = made(port.baseUrl, { firstByteTimeoutMs: 100 }).post('/x', '{}');
    const turns = await turnsDuring(() => expect(work).rejects.toBeInstanceOf(FirstByteTimedOut));
    expect(turns).toBeLessThanOrEqual(20 * TURNS_IN_100_MS);
    await port.close();
  });

  describe('to a server that says nothing', () => {
    let server: Server;
    const sockets = new Set<Socket>();
    beforeEach(async () => {
      server = createServer((socket) => {
        sockets.add(socket);
        socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
        socket.resume();
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    });
    afterEach(() => {
      server.close();
      sockets.forEach((socket) => socket.destroy());
    });
    const address = () => `127.0.0.1:${(server.address() as AddressInfo).port}`;

    it('closes the connection within 100 ms of an abort in the TLS handshake', async () => {
      const { error, turns } = await aborted(made(`https://${address()}`), () => sockets.size === 1);
      expect(error).toMatchObject({ message: 'the caller has gone' });
      expect(turns).toBeLessThanOrEqual(TURNS_IN_100_MS);
      await until('it is closed', () => sockets.size === 0);
    });

    it('leaves the calls alone that connect at the same time', async () => {
      const transport = made(`https://${address()}`);
      let hasEnded = false;
      const stop = new AbortController();
      void transport.post('/x', '{}', { signal: stop.signal }).catch(() => (hasEnded = true));
      await until('it connects', () => sockets.size === 1);
      await aborted(transport, () => sockets.size === 2);
      await until('one is closed', () => sockets.size === 1);
      expect(hasEnded).toBe(false);
      stop.abort();
      await until('both are closed', () => sockets.size === 0);
    });
  });
});

describe('UpstreamResponse', () => {
  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n';
  const piece = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
  const LAST = '0\r\n\r\n';
  let server: Server;
  let transport: UpstreamTransport;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.on('data', (data) => void (data.includes('POST') && socket.write(HEAD)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    transport = new UpstreamTransport({ baseUrl: `http://127.0.0.1:${port}`, apiKey: null, ...TIMES });
  });
  afterEach(async () => {
    await transport.close();
    sockets.forEach((socket) => socket.destroy());
    server.close();
  });

  async function opened(options: { signal?: AbortSignal } = {}) {
    const response = await transport.post('/x', '{}', options);
    const [socket] = sockets;
    if (!socket) {
      throw new Error('nobody has connected');
    }
    return { response, socket };
  }

  async function everythingIn(response: UpstreamResponse): Promise<{ text: string; error: unknown }> {
    let text = '';
    try {
      for (let chunk = await response.next(); chunk !== null; chunk = await response.next()) {
        text += chunk.toString();
      }
      return { text, error: null };
    } catch (error) {
      return { text, error };
    }
  }

  it('throws the error of a broken body after all that had arrived before it', async () => {
    const { response, socket } = await opened();
    socket.end(piece('one ') + piece('two ') + piece('three'));
    await once(socket, 'close');
    const { text, error } = await everythingIn(response);
    expect(text).toBe('one two three');
    expect(error).toBeInstanceOf(ConnectionFailed);
    expect(error).toMatchObject({ hadBody: true });
  });

  it('gives what has come before its caller went away, and then the reason', async () => {
    const stop = new AbortController();
    const { response, socket } = await opened({ signal: stop.signal });
    socket.write(piece('one'));
    expect(await response.beginning()).toBe('one');
    const reason = new Error('the caller has gone');
    stop.abort(reason);
    expect(await everythingIn(response)).toEqual({ text: 'one', error: reason });
    await until('the connection is closed', () => socket.destroyed);
  });

  it('reads the whole of a body, and uses its connection again', async () => {
    for (const text of ['first', 'second']) {
      const { response, socket } = await opened();
      socket.write(piece(text.slice(0, 2)) + piece(text.slice(2)) + LAST);
      expect((await response.read(100)).toString()).toBe(text);
      // undici lends the connection anew in the turn after the end.
      await new Promise(setImmediate);
    }
    expect(sockets).toHaveLength(1);
  });

  it('looks at the beginning behind blanks, which stay to be read', async () => {
    const { response, socket } = await opened();
    socket.write(piece(' \n'));
    socket.write(piece('{"a"') + piece(':1}') + LAST);
    await until('all has come', async () => (await response.beginning()).startsWith('{'));
    expect((await response.read(100)).toString()).toBe(' \n{"a":1}');
  });

  it('refuses a body that is too large, and closes the connection', async () => {
    const { response, socket } = await opened();
    socket.write(piece('123456'));
    await expect(response.read(5)).rejects.toBeInstanceOf(AnswerTooLarge);
    await until('the connection is closed', () => socket.destroyed);
  });

  it('lets the upstream wait for a reader that does not read, and loses nothing', async () => {
    const { response, socket } = await opened();
    const text = 'a'.repeat(64 * 1024);
    let written = 0;
    let hasToWait = false;
    while (!hasToWait && written < 1_000) {
      written += 1;
      hasToWait = !socket.write(piece(text));
      await new Promise(setImmediate);
    }
    expect(hasToWait).toBe(true);
    socket.write(LAST);
    expect((await response.read(1_000 * text.length)).length).toBe(written * text.length);
  });

  it('closes the connection when it is left early', async () => {
    const { response, socket } = await opened();
    socket.write(piece('one'));
    expect(String(await response.next())).toBe('one');
    response.discard();
    await until('the connection is closed', () => socket.destroyed);
  });
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { TURNS_IN_100_MS, turnsDuring } from '../../test/support/event-loop-turns';
import { UnacceptingPort } from '../../test/support/processes/unaccepting-port';
import { until } from '../../test/support/until';
import { FirstByteTimedOut } from './upstream-errors';
import { UpstreamTransport } from './upstream-transport';

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

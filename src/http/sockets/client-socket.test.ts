import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { until } from '../../../test/support/until';
import { UnsentBytes } from '../http-server';
import { ClientSocket } from './client-socket';
import { LATE_FRAMES_MAX } from './socket.limits';

const MEBIBYTE = 1024 * 1024;
const ACCOUNT_BYTES_MAX = MEBIBYTE;
/** Far more than the system keeps for a connection. */
const SENDS_MAX = 1000;

describe('a socket of a client', () => {
  let unsent: UnsentBytes;
  let server: WebSocketServer;
  const clients: WebSocket[] = [];
  beforeEach(async () => {
    unsent = new UnsentBytes(8 * ACCOUNT_BYTES_MAX);
    server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(server, 'listening');
  });
  afterEach(async () => {
    clients.splice(0).forEach((client) => client.terminate());
    await until('all is forgotten', () => unsent.bytes === 0);
    await new Promise((resolve) => server.close(resolve));
  });

  /** The two ends of a socket, and what the first stands on. */
  async function open(accountId: string): Promise<[ClientSocket, WebSocket, WebSocket]> {
    const { port } = server.address() as AddressInfo;
    const connected = once(server, 'connection') as Promise<[WebSocket]>;
    const client = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    clients.push(client);
    const [webSocket] = await connected;
    await once(client, 'open');
    const socket = new ClientSocket(webSocket, '/test', null, () => undefined, unsent.shareOf(accountId));
    return [socket, client, webSocket];
  }

  /** Sends until so many bytes wait, or the socket is closed; each message is smaller than any bound. */
  function fill(socket: ClientSocket, isEnough: () => boolean): void {
    const text = 'x'.repeat(60_000);
    for (let sends = 0; socket.isOpen && !isEnough(); sends += 1) {
      expect(sends).toBeLessThan(SENDS_MAX);
      socket.send(text);
    }
  }

  describe('knows what is left unread, which', () => {
    it('is counted for its account until it is read', async () => {
      const [socket, client] = await open('a');
      client.pause();
      fill(socket, () => unsent.isAccountFull('a'));
      expect([socket.isOpen, unsent.isAccountFull('b'), unsent.isProcessFull]).toEqual([true, false, false]);
      client.resume();
      await until('all is read', () => unsent.bytes === 0);
      expect(socket.isOpen).toBe(true);
    });

    it('is counted until the connection has closed', async () => {
      const [socket, client] = await open('a');
      client.pause();
      fill(socket, () => unsent.isAccountFull('a'));
      client.terminate();
      await until('it is forgotten', () => unsent.bytes === 0);
    });

    it('closes the socket once its account leaves too much, and none of the account that reads', async () => {
      const [[deaf, deafEnd], [reading, readingEnd]] = [await open('a'), await open('a')];
      deafEnd.pause();
      fill(deaf, () => unsent.bytes > 128 * 1024);
      const release = unsent.hold('a', ACCOUNT_BYTES_MAX);
      deaf.send('one more');
      expect(deaf.isOpen).toBe(false);
      const message = once(readingEnd, 'message');
      reading.send('hello');
      expect(String((await message)[0])).toBe('hello');
      expect(reading.isOpen).toBe(true);
      release();
      const closed = once(deafEnd, 'close');
      deafEnd.resume();
      expect((await closed)[0]).toBe(1013);
    });

    it('closes the socket once the process is full', async () => {
      const [socket, client] = await open('a');
      client.pause();
      fill(socket, () => unsent.bytes > 128 * 1024);
      const release = unsent.hold(null, 8 * ACCOUNT_BYTES_MAX);
      socket.send('one more');
      expect(socket.isOpen).toBe(false);
      release();
    });

    it('closes the socket at 2 MiB of its own, however much others may leave', async () => {
      unsent = new UnsentBytes(Infinity);
      const [socket, client] = await open('a');
      client.pause();
      fill(socket, () => false);
      expect(unsent.bytes).toBeGreaterThan(2 * MEBIBYTE);
      expect(unsent.bytes).toBeLessThan(2 * MEBIBYTE + 61_000);
    });

    it('is counted once while streams of the socket wait for it', async () => {
      const [socket, client] = await open('a');
      client.pause();
      fill(socket, () => unsent.bytes > 0);
      const { signal } = new AbortController();
      const text = 'x'.repeat(100_000);
      const before = unsent.bytes;
      const sent = [1, 2, 3].map(() => socket.sendInTime(text, signal));
      expect(unsent.bytes).toBeGreaterThanOrEqual(before + 300_000);
      expect(unsent.bytes).toBeLessThan(before + 301_000);
      client.resume();
      await Promise.all(sent);
    });
  });

  it('waits until the client has read, and no longer than it is open', async () => {
    const [[reading, readingEnd], [closed, closedEnd]] = [await open('a'), await open('b')];
    await reading.hasRead();
    const waited: string[] = [];
    for (const [socket, client, name] of [
      [reading, readingEnd, 'read'],
      [closed, closedEnd, 'closed'],
    ] as const) {
      const before = unsent.bytes;
      client.pause();
      fill(socket, () => unsent.bytes > before + 128 * 1024);
      void socket.hasRead().then(() => waited.push(name));
    }
    closedEnd.terminate();
    await until('the end is seen', () => waited.length === 1);
    expect(waited).toEqual(['closed']);
    expect(unsent.bytes).toBeGreaterThan(64 * 1024);
    readingEnd.resume();
    await until('it is read', () => waited.length === 2);
    expect(unsent.bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it('keeps a stream that waits for a client that reads nothing until its signal aborts or the client ends', async () => {
    const [socket, client] = await open('a');
    client.pause();
    fill(socket, () => unsent.bytes > 128 * 1024);
    const caller = new AbortController();
    const over: string[] = [];
    void socket.sendInTime('x', caller.signal).then(() => over.push('aborted'));
    void socket.sendInTime('x', new AbortController().signal).then(() => over.push('ended'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(over).toEqual([]);
    caller.abort();
    await until('the caller has it back', () => over.length === 1);
    expect(over).toEqual(['aborted']);
    client.terminate();
    await until('the end is seen', () => over.length === 2);
  });

  it('takes nothing after the close, and is not read any more once much has come', async () => {
    const [socket, client, webSocket] = await open('a');
    let taken = 0;
    socket.onFrame(() => {
      taken += 1;
      socket.close(1003, 'once');
    });
    // A client that does not answer the close.
    client.close = () => undefined;
    for (let frames = 0; frames <= LATE_FRAMES_MAX; frames += 1) {
      client.send('x');
    }
    client.ping();
    await until('it is not read', () => webSocket.isPaused);
    expect(taken).toBe(1);
  });

  it('reads the answer to a close, also where it was not read before', async () => {
    const [socket, client] = await open('a');
    socket.pause();
    socket.close(4401, 'over');
    const [code] = (await once(client, 'close')) as [number];
    expect(code).toBe(4401);
    await until('the answer is read', () => server.clients.size === 0);
  });

  it('takes a client for alive that can not answer a ping because it is not read', async () => {
    const [socket, client] = await open('a');
    socket.pause();
    socket.ping();
    await until('the ping has left', () => socket.isAlive);
    socket.resume();
    expect(socket.isAlive).toBe(true);
    client.pause();
    socket.ping();
    expect(socket.isAlive).toBe(false);
    client.resume();
    await until('the ping is answered', () => socket.isAlive);
  });

  it('does not take a client for alive that reads nothing, though it is not read either', async () => {
    const [socket, client] = await open('a');
    client.pause();
    fill(socket, () => unsent.bytes > 128 * 1024);
    socket.pause();
    socket.ping();
    expect(socket.isAlive).toBe(false);
    client.resume();
    await until('the ping has left', () => socket.isAlive);
    socket.resume();
  });
});

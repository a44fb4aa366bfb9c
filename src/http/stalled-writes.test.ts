import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StalledWrites } from './http-server';

const TIMEOUT_MS = 400;
const MIB = 1024 * 1024;
const ANSWER = Buffer.alloc(16 * MIB);
/** All but `performance` and `setInterval`. */
const REAL = [
  'Date',
  'hrtime',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
] as const;

describe('StalledWrites', () => {
  let server: Server;
  let open: Socket[];
  let answer: (response: ServerResponse) => void;
  beforeEach(async () => {
    open = [];
    server = createServer((_, response) => answer(response));
    new StalledWrites(server, TIMEOUT_MS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    open.forEach((socket) => socket.destroy());
    server.close();
    await once(server, 'close');
  });

  function ask(): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
    open.push(socket);
    return socket;
  }

  it('ends the connection of a client that does not read', async () => {
    answer = (response) => response.end(ANSWER);
    const connected = once(server, 'connection') as Promise<[Socket]>;
    ask().pause();
    const [socket] = await connected;
    await once(socket, 'close');
    expect(socket.bytesWritten).toBeGreaterThan(ANSWER.length);
  });

  it('leaves a connection on which there is nothing to send', async () => {
    let begun: ServerResponse | null = null;
    answer = (response) => {
      begun = response;
      response.write('first');
    };
    const socket = ask();
    await once(socket, 'data');
    await delay(2 * TIMEOUT_MS);
    const last = once(socket, 'data');
    (begun as ServerResponse | null)?.end('last');
    expect(String(await last)).toContain('last');
  });
});

describe('StalledWrites, by a clock that moves with what is read', () => {
  // On the real clock a busy machine may take longer for a piece of the answer than its client may rest.
  beforeEach(() => void jest.useFakeTimers({ doNotFake: [...REAL] }));
  afterEach(() => void jest.useRealTimers());

  it('leaves a client that reads slowly but goes on, although one write takes many times as long', async () => {
    const answerBytes = 64 * MIB;
    const server = createServer((_, response) => response.end(Buffer.alloc(answerBytes)));
    new StalledWrites(server, TIMEOUT_MS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const beganMs = performance.now();
    const receivedBytes = await new Promise<number>((resolve) => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      let received = 0;
      socket.on('data', ({ length }: Buffer) => {
        // The kernel takes several MiB of the server's at once, so that this many steps see no progress.
        if (Math.floor((received + length) / MIB) > Math.floor(received / MIB)) {
          jest.advanceTimersByTime(TIMEOUT_MS / 16);
        }
        received += length;
      });
      socket.on('close', () => resolve(received));
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    });
    expect(receivedBytes).toBeGreaterThan(answerBytes);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(4 * TIMEOUT_MS);
    server.close();
    await once(server, 'close');
  });
});

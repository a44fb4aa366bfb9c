import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StalledWrites } from './http-server';

const TIMEOUT_MS = 400;
const ANSWER = Buffer.alloc(16 * 1024 * 1024);

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

  it('leaves a client that reads slowly but goes on, although one write takes many times as long', async () => {
    answer = (response) => response.end(ANSWER);
    const socket = ask();
    let receivedBytes = 0;
    let pauses = 0;
    const ended = new Promise<void>((resolve, reject) => {
      socket.on('close', () => reject(new Error(`closed after ${receivedBytes} bytes`)));
      socket.on('data', (bytes: Buffer) => {
        receivedBytes += bytes.length;
        if (receivedBytes > ANSWER.length) {
          resolve();
        } else if (receivedBytes > (pauses + 1) * 1024 * 1024) {
          pauses += 1;
          socket.pause();
          void delay(TIMEOUT_MS / 4).then(() => socket.resume());
        }
      });
    });
    await ended;
    expect(pauses).toBeGreaterThan(12);
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

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Listens, and then its thread stands still: the kernel's short queue of connections is all that there is. */
const LISTENER = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });
`;
const QUEUE_LENGTH_MAX = 16;
const CONNECTS_WITHIN_MS = 200;

/**
 * A port on which a connection is neither accepted nor refused, as behind a firewall that drops packets: what a
 * connection time-out is for.
 */
export class UnacceptingPort {
  private constructor(
    private readonly worker: Worker,
    private readonly port: number,
    private readonly queued: readonly Socket[],
  ) {}

  static async open(): Promise<UnacceptingPort> {
    const worker = new Worker(LISTENER, { eval: true });
    const [port] = (await once(worker, 'message')) as [number];
    await delay(50);
    return new UnacceptingPort(worker, port, await fillQueue(port));
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/v1`;
  }

  async close(): Promise<void> {
    for (const socket of this.queued) {
      socket.destroy();
    }
    await this.worker.terminate();
  }
}

/** Connects until a connection hangs. */
async function fillQueue(port: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < QUEUE_LENGTH_MAX) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => socket.destroy());
    sockets.push(socket);
    await Promise.race([once(socket, 'connect'), delay(CONNECTS_WITHIN_MS)]);
    // Where this process had to wait for the processor, the timer is told before the connection is.
    await nextTurn();
    if (socket.connecting) {
      return sockets;
    }
  }
  throw new Error('the queue of connections does not fill up');
}

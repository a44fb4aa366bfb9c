import { once } from 'node:events';
import { createServer } from 'node:net';

const FIRST_PORT = 20_000;
const LAST_PORT = 30_000;

/**
 * A free TCP port of the loopback address, outside of the range that systems take for outgoing connections: while a
 * server is down, one of the many vain attempts to connect would otherwise sooner or later meet itself there and keep
 * the port. Another process may take it before the caller does.
 *
 * @throws Error when no port of ten thousand is free
 */
export async function quietPort(): Promise<number> {
  const start = Math.floor(Math.random() * (LAST_PORT - FIRST_PORT));
  for (let offset = 0; offset < LAST_PORT - FIRST_PORT; offset += 1) {
    const port = FIRST_PORT + ((start + offset) % (LAST_PORT - FIRST_PORT));
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(
      () => true,
      () => false,
    );
    if (isFree) {
      listener.close();
      await once(listener, 'close');
      return port;
    }
  }
  throw new Error('no port is free');
}

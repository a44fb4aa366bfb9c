import type { Server } from 'node:http';
import type { Socket } from 'node:net';

const LOOKS_PER_TIMEOUT = 4;

/** What a connection had written when it was last seen to move. */
interface Progress {
  /** How many bytes of the write under way the system has not taken yet. */
  queuedBytes: number;
  /** All that was ever given to the connection. */
  givenBytes: number;
  sinceMs: number;
}

/**
 * Ends connections whose client has stopped to read: those on which a write makes no progress for `timeoutMs`. A slow
 * client that goes on reading keeps its connection, however long that takes, and so does one for which nothing is
 * there to be sent. One timer looks at all connections, which costs nothing per answer; a connection is therefore ended
 * up to a quarter of the time late.
 */
export class StalledWrites {
  private readonly connections = new Map<Socket, Progress>();

  /** @param server must not listen yet, so that no connection is missed */
  constructor(
    server: Server,
    private readonly timeoutMs: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { queuedBytes: 0, givenBytes: 0, sinceMs: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.once('listening', () => {
      const timer = setInterval(() => this.look(), timeoutMs / LOOKS_PER_TIMEOUT);
      timer.unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  private look(): void {
    const nowMs = performance.now();
    for (const [socket, seen] of this.connections) {
      const queuedBytes = queuedBytesOf(socket);
      if (queuedBytes === 0) {
        seen.queuedBytes = 0;
        continue;
      }
      const givenBytes = socket.bytesWritten;
      if (queuedBytes !== seen.queuedBytes || givenBytes !== seen.givenBytes) {
        Object.assign(seen, { queuedBytes, givenBytes, sinceMs: nowMs });
      } else if (nowMs - seen.sinceMs >= this.timeoutMs) {
        socket.destroy();
      }
    }
  }
}

/**
 * The progress within one write is told by nothing public of a socket: `writableLength` and `bytesWritten` change with
 * whole writes only, and one write may be a mebibyte for a slow reader. Node's own socket time-outs read this too.
 */
function queuedBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections on which no request has arrived yet. Browsers, for example, open some in advance. The HTTP server of
 * Node does not count them as idle, so closing it would wait for their first request.
 */
export class UnusedConnections {
  private readonly sockets = new Set<Socket>();

  /** @param server must not listen yet, so that no connection is missed */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.sockets.delete(socket));
  }

  /** Closes these connections at once. */
  close(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }
}

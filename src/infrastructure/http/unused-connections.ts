import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections over which nothing was asked yet, such as browsers and fetch open in advance. To Node's server they are
 * not idle: closing the server would wait for their first request.
 */
export class UnusedConnections {
  private readonly sockets = new Set<Socket>();

  /** @param server before it listens */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }
}

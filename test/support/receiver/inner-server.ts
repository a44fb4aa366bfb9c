import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands for what is inside the operator's network: it takes every connection to this machine, and counts them. */
export class InnerServer {
  connectionCount = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on('connection', (socket) => {
      this.connectionCount += 1;
      this.sockets.add(socket);
      socket.on('error', () => undefined);
    });
  }

  /** On all addresses of this machine, of both kinds where it has both. */
  static async start(): Promise<InnerServer> {
    const server = createServer();
    const inner = new InnerServer(server);
    server.listen(0);
    await once(server, 'listening');
    return inner;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
  }
}

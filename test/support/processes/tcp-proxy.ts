import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What the network does to what is sent: passes it on, loses the answers, loses everything, or lets nobody connect.
 * In the last three a connection stays open until it is cut.
 */
export type NetworkState = 'whole' | 'losing answers' | 'losing everything' | 'refusing';

interface Connection {
  client: Socket;
  server: Socket;
  /** Whether something that the server said was lost. */
  hasLostAnswer: boolean;
}

/** A network between two processes that a test can break. */
export class TcpProxy {
  state: NetworkState = 'whole';
  private readonly connections = new Set<Connection>();

  private constructor(
    private readonly listener: Server,
    private readonly target: { host: string; port: number },
    readonly port: number,
  ) {}

  static async start(target: { host: string; port: number }): Promise<TcpProxy> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const proxy = new TcpProxy(listener, target, (listener.address() as AddressInfo).port);
    listener.on('connection', (client) => proxy.join(client));
    return proxy;
  }

  /** On how many connections an answer was lost. */
  get answersLost(): number {
    return [...this.connections].filter(({ hasLostAnswer }) => hasLostAnswer).length;
  }

  /** Ends all connections, and nobody listens on the port any more, as when a server is down. */
  async goAway(): Promise<void> {
    const closed = once(this.listener, 'close');
    this.listener.close();
    this.cut('end');
    await closed;
  }

  /** Listens again on the port that it has left. */
  async comeBack(): Promise<void> {
    this.listener.listen(this.port, '127.0.0.1');
    await once(this.listener, 'listening');
  }

  /** Ends all connections: in order, or by a reset that loses what is still on its way. */
  cut(way: 'end' | 'reset'): void {
    for (const { client, server } of this.connections) {
      for (const socket of [client, server]) {
        if (way === 'reset') {
          socket.resetAndDestroy();
        } else {
          socket.destroy();
        }
      }
    }
    this.connections.clear();
  }

  async stop(): Promise<void> {
    this.cut('end');
    if (this.listener.listening) {
      this.listener.close();
      await once(this.listener, 'close');
    }
  }

  private join(client: Socket): void {
    if (this.state === 'refusing') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.target);
    const connection: Connection = { client, server, hasLostAnswer: false };
    this.connections.add(connection);
    client.on('data', (bytes) => {
      if (this.state !== 'losing everything') {
        server.write(bytes);
      }
    });
    server.on('data', (bytes) => {
      if (this.state === 'whole') {
        client.write(bytes);
      } else {
        connection.hasLostAnswer = true;
      }
    });
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        other.destroy();
        this.connections.delete(connection);
      });
    }
  }
}

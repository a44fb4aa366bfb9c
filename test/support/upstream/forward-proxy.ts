import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

interface ProxiedRequest {
  /** `CONNECT host:port`, or a method and the whole URL. */
  readonly line: string;
  readonly authorization: string | undefined;
}

/** A proxy as companies have it: it connects, and forwards requests whose address is whole. */
export class ForwardProxy {
  readonly requests: ProxiedRequest[] = [];
  /** The status of the answer to CONNECT. */
  connectStatus = 200;
  /** Where a name leads, as `host:port`; a name that is not here is an address. */
  readonly hosts = new Map<string, string>();
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<ForwardProxy> {
    const server = createServer();
    const proxy = new ForwardProxy(server);
    server.on('connection', (socket) => {
      proxy.sockets.add(socket);
      socket.on('error', () => undefined);
    });
    server.on('connect', (incoming: IncomingMessage, socket: Socket) => proxy.connect(incoming, socket));
    server.on('request', (incoming, outgoing) => {
      proxy.note(incoming);
      const url = new URL(incoming.url ?? '');
      const [hostname, port] = proxy.addressOf(url.host).split(':');
      const headers = { ...incoming.headers };
      delete headers['proxy-authorization'];
      const { method } = incoming;
      const sent = request({ hostname, port, method, path: url.pathname + url.search, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      sent.on('error', () => outgoing.destroy());
      incoming.pipe(sent);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get lines(): string[] {
    return this.requests.map(({ line }) => line);
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    this.server.close();
    await once(this.server, 'close');
  }

  private connect(incoming: IncomingMessage, socket: Socket): void {
    this.note(incoming);
    if (this.connectStatus !== 200) {
      socket.end(`HTTP/1.1 ${this.connectStatus} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const [host = '', port] = this.addressOf(incoming.url ?? '').split(':');
    const far = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(socket).pipe(far);
    });
    far.on('error', () => socket.destroy());
    this.sockets.add(far);
  }

  private note({ method, url, headers }: IncomingMessage): void {
    this.requests.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'] });
  }

  private addressOf(host: string): string {
    return this.hosts.get(host) ?? host;
  }
}

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { createProxyServer, type ProxyServer } from 'httpxy';
import { closeLingering } from '../../src/http/request-body';
import { routeUpgrades, takeOver } from '../../src/http/sockets/upgrades';

const BETWEEN_CHECKS_MS = 500;
const ANSWERED_WITHIN_MS = 2_000;

/** One replica of the service behind the proxy. */
class Replica {
  /** Whether its process runs and has once been ready. */
  isUp = false;
  /** Whether it answered the last check. A new one counts as answering: its supervisor has just asked it. */
  isReady = true;

  constructor(readonly url: string) {}

  async check(): Promise<void> {
    const signal = AbortSignal.timeout(ANSWERED_WITHIN_MS);
    const status = await fetch(`${this.url}/health/ready`, { signal }).then(
      (answer) => answer.text().then(() => answer.status),
      () => null,
    );
    // Whoever answers, though it says that it is not ready, can say so to its callers better than the proxy.
    this.isReady = status !== null;
  }

  /** A connection for one call; null where nobody listens. */
  async connection(): Promise<Socket | null> {
    const { hostname, port } = new URL(this.url);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    // Whoever uses it listens too; but until then, and afterwards, an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    return isConnected ? socket : null;
  }
}

/** Hands out a connection that is there already, and closes it with itself whether it was used or not. */
class OneConnection extends Agent {
  constructor(private readonly socket: Socket) {
    super({ keepAlive: false });
  }

  override createConnection(): Socket {
    return this.socket;
  }

  override destroy(): void {
    this.socket.destroySoon();
    super.destroy();
  }
}

/** Where a call goes, and its connection. */
interface Way {
  target: string;
  agent: Agent;
}

/**
 * Hands every call to one of the replicas that answer, by turns. It keeps nothing back, neither of bodies nor of answers,
 * hands on upgrades as they are, and never sends a call twice: whether a broken call took effect only its
 * Idempotency-Key can tell.
 */
export class ReplicaProxy {
  private readonly replicas: Replica[];
  private readonly sockets = new Set<Socket>();
  /** Connections of upgrade requests whose answer has begun. */
  private readonly answered = new WeakSet<Socket>();
  private readonly checks: NodeJS.Timeout;
  private turn = 0;

  private constructor(
    private readonly server: Server,
    private readonly proxy: ProxyServer,
    urls: readonly string[],
  ) {
    this.replicas = urls.map((url) => new Replica(url));
    this.checks = setInterval(() => {
      this.replicas.filter(({ isUp }) => isUp).forEach((replica) => void replica.check());
    }, BETWEEN_CHECKS_MS);
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    server.on('request', (request, response) => void this.handOn(request, response));
    routeUpgrades(server);
    proxy.on('proxyReqWs', (outgoing, _request, socket) => {
      const begins = (): unknown => this.answered.add(socket);
      outgoing.once('upgrade', begins).once('response', begins);
    });
    proxy.on('error', (_error, _request, answer) => {
      this.refuse(answer, 'The replica broke the connection.');
    });
  }

  /** @param urls of the replicas; each is used once {@link setUp} has said so */
  static async listen(place: { host: string; port: number }, urls: readonly string[]): Promise<ReplicaProxy> {
    // Time limits are the replicas' own: a stream may last as long as they let it.
    const server = createServer({ requestTimeout: 0, headersTimeout: 60_000, maxHeaderSize: 65_536 });
    const proxy = createProxyServer({ prependPath: false });
    proxy.on('proxyRes', (answer) => {
      // That each connection to a replica ends with its call is nothing to the client.
      delete answer.headers.connection;
    });
    const replicaProxy = new ReplicaProxy(server, proxy, urls);
    server.listen(place.port, place.host);
    await once(server, 'listening').catch((error: unknown) => {
      clearInterval(replicaProxy.checks);
      throw error;
    });
    return replicaProxy;
  }

  get url(): string {
    const { address, family, port } = this.server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  /** @param index of the replica among the URLs */
  setUp(index: number, isUp: boolean): void {
    const replica = this.replicas[index];
    if (replica) {
      replica.isUp = isUp;
      replica.isReady = true;
    }
  }

  /** Takes no new calls. Resolves when those in flight have ended; {@link cut} ends them. */
  async drain(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeIdleConnections();
    await closed;
    clearInterval(this.checks);
    this.proxy.close();
  }

  cut(): void {
    this.sockets.forEach((socket) => socket.destroy());
  }

  private async handOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const way = await this.way();
    if (way === null) {
      this.refuse(response, 'No replica is ready.');
      return;
    }
    // Whoever has gone meanwhile asks for nothing any more, and httpxy would wait for his going for ever.
    if (request.socket.readable) {
      nameCaller(request);
      await this.send(request, response, way);
    }
    way.agent.destroy();
  }

  /** Resolves when the client has had his answer, or his connection as a WebSocket has ended. */
  private async send(request: IncomingMessage, response: ServerResponse, way: Way): Promise<void> {
    const { socket } = request;
    const head = takeOver(request, response);
    if (head === null) {
      delete request.headers.upgrade;
      const headers = { connection: 'close' };
      await this.proxy
        .web(request, response, { ...way, headers })
        .catch(() => this.refuse(response, 'The replica is away.'));
    } else {
      // Unread input would keep the connection, and the kernel would reset it before the last answer is read.
      socket.once('finish', () => closeLingering(socket.unpipe()));
      // As Node does it for other requests: who says goodbye before he is answered waits for no answer.
      socket.once('end', () => !this.answered.has(socket) && socket.destroy());
      await this.proxy
        .ws(request, socket, way, head)
        .catch(() => this.refuse(socket, 'The replica is away.'));
    }
  }

  /**
   * A connection to the next replica that takes one: for each call its own, because one that is kept may be closed by its
   * replica at the moment a call is sent on it. Until it is there nothing has been sent, so the next one may be asked.
   */
  private async way(): Promise<Way | null> {
    for (let tries = 0; tries < this.replicas.length; tries += 1) {
      const replica = this.next();
      const connection = await replica?.connection();
      if (replica && connection) {
        return { target: replica.url, agent: new OneConnection(connection) };
      }
      if (replica) {
        replica.isReady = false;
      }
    }
    return null;
  }

  /** Where none answers its checks, which a very busy machine may bring about, those are tried that run at least. */
  private next(): Replica | null {
    const running = this.replicas.filter(({ isUp }) => isUp);
    const answering = running.filter(({ isReady }) => isReady);
    const candidates = answering.length > 0 ? answering : running;
    this.turn += 1;
    return candidates[this.turn % candidates.length] ?? null;
  }

  /** An answer that has begun is broken off instead, so that nobody takes it for whole. */
  private refuse(answer: ServerResponse | Socket | undefined, message: string): void {
    const body = JSON.stringify({ error: 'Bad gateway', message });
    if (answer instanceof ServerResponse) {
      if (answer.headersSent) {
        answer.destroy();
        return;
      }
      answer.writeHead(502, { 'content-type': 'application/json', 'retry-after': '1' }).end(body);
    } else if (answer && this.answered.has(answer)) {
      answer.destroy();
    } else if (answer?.writable) {
      const head = 'HTTP/1.1 502 Bad Gateway\r\ncontent-type: application/json\r\nretry-after: 1\r\n';
      answer.end(`${head}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`);
    }
  }
}

/** In the place of what the caller says of himself, which nobody could believe. */
function nameCaller({ headers, socket }: IncomingMessage): void {
  delete headers.forwarded;
  headers['x-forwarded-for'] = socket.remoteAddress ?? '';
  headers['x-forwarded-proto'] = 'http';
  headers['x-forwarded-host'] = headers.host ?? '';
}

import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { react } from './upstream-reaction';
import type { Reaction, RecordedRequest } from './upstream-reaction';

/** Decides what becomes of a request; `count` is the number of requests before it. */
export type Script = (request: RecordedRequest, count: number) => Reaction | Promise<Reaction>;

/** What becomes of a connection before any request is read from it. */
export type Welcome = 'accept' | 'reset' | { readonly delayMs: number };

/**
 * An OpenAI-like server that does just what a test says, byte by byte, and remembers what it was asked. It has no idea
 * of models: the script answers every path.
 */
export class RawUpstream {
  readonly requests: RecordedRequest[] = [];
  welcome: Welcome = 'accept';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly listener: Server,
    private readonly http: HttpServer,
    public script: Script,
  ) {}

  /** @param port 0 for one that is free */
  static async start(script: Script, port = 0): Promise<RawUpstream> {
    const http = createHttpServer({ keepAliveTimeout: 60_000 });
    const listener = createServer({ noDelay: true });
    const upstream = new RawUpstream(listener, http, script);
    listener.on('connection', (socket) => void upstream.meet(socket));
    http.on('request', (incoming, outgoing) => {
      void upstream
        .record(incoming)
        .then(async (request) => react(outgoing, request, await upstream.script(request, request.count)))
        .catch(() => outgoing.destroy());
    });
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
    return upstream;
  }

  /** Where an OpenAI client would be pointed to. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.listener.address() as AddressInfo).port}/v1`;
  }

  /** The requests for answers of a model: all but those for lists of models. */
  get calls(): RecordedRequest[] {
    return this.requests.filter(({ path }) => !path.endsWith('/models'));
  }

  get lastCall(): RecordedRequest {
    const last = this.calls.at(-1);
    if (!last) {
      throw new Error('the upstream was not called');
    }
    return last;
  }

  /** How many connections are open now. */
  get connections(): number {
    return this.sockets.size;
  }

  /** From now on nobody can connect: the port is closed, and so are all connections. */
  async stop(): Promise<void> {
    for (const socket of this.sockets) {
      socket.destroy();
    }
    if (this.listener.listening) {
      this.listener.close();
      await once(this.listener, 'close');
    }
  }

  private async meet(socket: Socket): Promise<void> {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.welcome === 'reset') {
      socket.resetAndDestroy();
      return;
    }
    if (this.welcome !== 'accept') {
      await delay(this.welcome.delayMs);
    }
    this.http.emit('connection', socket);
  }

  private async record(incoming: IncomingMessage): Promise<RecordedRequest> {
    const request: RecordedRequest = {
      count: this.requests.length,
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      text: '',
      body: undefined,
      receivedAt: performance.now(),
      chunksWritten: 0,
      leftByClientAt: null,
      isOver: false,
    };
    this.requests.push(request);
    const parts: Buffer[] = [];
    for await (const part of incoming) {
      parts.push(part as Buffer);
    }
    request.text = Buffer.concat(parts).toString('utf8');
    request.body = parse(request.text);
    return request;
  }
}

/** The base URL of a port that nobody listens on. */
export async function refusingBaseUrl(): Promise<string> {
  const upstream = await RawUpstream.start(() => ({}));
  const { baseUrl } = upstream;
  await upstream.stop();
  return baseUrl;
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

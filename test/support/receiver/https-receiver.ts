import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { react, type ReceiverReaction } from './receiver-reaction';
import { TestAuthority } from './test-authority';

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** As it came. */
  body: Buffer;
  /** When it was here whole, by `performance.now()`. */
  atMs: number;
}

export interface ReceiverOptions {
  /** Its certificate's authority; by default one that all receivers of the file share. */
  authority?: TestAuthority;
  /** The names in its certificate. */
  names?: readonly string[];
  /** How long its certificate is valid, from a day ago on. */
  validForMs?: number;
}

/** A customer's receiver: a real HTTPS server on loopback that keeps what it gets and reacts as it is told. */
export class HttpsReceiver {
  readonly requests: ReceivedRequest[] = [];
  /** What it does to each request. */
  reaction: ReceiverReaction | ((request: ReceivedRequest) => ReceiverReaction) = {
    kind: 'answer',
    status: 204,
  };
  /** How many connections there have been. */
  connectionCount = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
    private readonly folder: string,
    /** The certificate of its authority in PEM. */
    readonly ca: string,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connectionCount += 1;
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket)).on('error', () => undefined);
    });
  }

  static async start({ authority, names, validForMs }: ReceiverOptions = {}): Promise<HttpsReceiver> {
    const issuer = authority ?? (await TestAuthority.shared());
    const certificate = await issuer.issue(names ?? ['localhost', '127.0.0.1', '::1'], validForMs);
    const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
    await writeFile(join(folder, 'ca.pem'), issuer.pem);
    const server = createServer({ ...certificate, keepAliveTimeout: 60_000 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const receiver = new HttpsReceiver(server, port, folder, issuer.pem);
    server.on('request', (request, response) => {
      void receiver.received(request).then(
        (reaction) => react(reaction, request, response),
        () => request.socket.destroy(),
      );
    });
    return receiver;
  }

  /** The connections that are open now. */
  get openConnections(): number {
    return this.sockets.size;
  }

  /** The file that holds {@link ca}, as long as the receiver is open. */
  get caFile(): string {
    return join(this.folder, 'ca.pem');
  }

  /** What a service needs to be set to so that it calls this receiver, and others of the same authority. */
  get environment(): Record<string, string> {
    return { ALLOW_INSECURE_WEBHOOKS: 'true', OUTBOUND_CA_FILE: this.caFile };
  }

  url(path = '/hook'): string {
    return `https://localhost:${this.port}${path}`;
  }

  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.sockets.forEach((socket) => socket.destroy());
    await closed;
    await rm(this.folder, { recursive: true });
  }

  private async received(message: IncomingMessage): Promise<ReceiverReaction> {
    const body = await buffer(message);
    const { method = '', url: path = '', headers } = message;
    const request = { method, path, headers, body, atMs: performance.now() };
    this.requests.push(request);
    return typeof this.reaction === 'function' ? this.reaction(request) : this.reaction;
  }
}

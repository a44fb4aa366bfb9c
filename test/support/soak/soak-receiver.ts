import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** So many of the events are refused the first time, and come again five seconds later. */
const REFUSED_EVENTS = 20;

/** A receiver of webhooks that believes nothing without the right signature, and is at times out of order. */
export class SoakReceiver {
  /** How many deliveries it has taken, those of one event counted each. */
  count = 0;
  /** How many it has refused although they were right. */
  refused = 0;
  /** Deliveries whose signature is not that of their webhook's secret. */
  readonly forged: string[] = [];
  private readonly taken = new Map<string, Set<string>>();
  private readonly seen = new Set<string>();
  private readonly secrets = new Map<string, string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SoakReceiver> {
    const server = createServer();
    const receiver = new SoakReceiver(server);
    server.on('request', (request, response) => {
      void receiver.receive(request, response).catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  urlOf(webhook: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${webhook}`;
  }

  /** @param webhook as in its URL */
  expect(webhook: string, secret: string): void {
    this.secrets.set(`/${webhook}`, secret);
  }

  /** The events that a webhook's URL has taken. */
  eventsOf(webhook: string): ReadonlySet<string> {
    return this.taken.get(`/${webhook}`) ?? new Set();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    const path = request.url ?? '';
    if (!this.isGenuine(path, body, String(request.headers['x-service-signature']))) {
      this.forged.push(`${path} ${String(request.headers['x-service-signature'])}`);
      response.writeHead(401).end();
      return;
    }
    const { event_id: id } = JSON.parse(body.toString()) as { event_id: string };
    if (!this.seen.has(id) && this.seen.size % REFUSED_EVENTS === 0) {
      this.seen.add(id);
      this.refused += 1;
      response.writeHead(500).end();
      return;
    }
    this.seen.add(id);
    this.count += 1;
    const taken = this.taken.get(path) ?? new Set();
    this.taken.set(path, taken.add(id));
    response.writeHead(204).end();
  }

  private isGenuine(path: string, body: Buffer, signature: string): boolean {
    const secret = this.secrets.get(path);
    if (secret === undefined) {
      return false;
    }
    const right = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    const shown = Buffer.from(signature);
    return shown.length === right.length && timingSafeEqual(shown, right);
  }
}

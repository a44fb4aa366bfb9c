import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Takes deliveries over plain HTTP on this machine, and remembers whose events they were. */
export class EventReceiver {
  /** How many deliveries have arrived, those of one event counted each. */
  count = 0;
  /** When the first delivery of each event arrived, on the clock of performance.now(). */
  readonly arrivedAtMs = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<EventReceiver> {
    const server = createServer();
    const receiver = new EventReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const event = JSON.parse(Buffer.concat(chunks).toString()) as { event_id: string };
        receiver.count += 1;
        if (!receiver.has(event.event_id)) {
          receiver.arrivedAtMs.set(event.event_id, performance.now());
        }
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  /** The events of which at least one delivery has arrived. */
  get eventIds(): string[] {
    return [...this.arrivedAtMs.keys()];
  }

  has(eventId: string): boolean {
    return this.arrivedAtMs.has(eventId);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

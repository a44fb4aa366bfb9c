import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Two price sources that agree on a price which the test sets. */
export class PriceServer {
  /** USD for one coin. */
  price: string;
  /** Whether the sources answer. */
  isUp = true;

  private constructor(
    private readonly server: Server,
    price: string,
  ) {
    this.price = price;
  }

  static async start(price: string): Promise<PriceServer> {
    const server = createServer();
    const prices = new PriceServer(server, price);
    server.on('request', (_, response) => {
      response.writeHead(prices.isUp ? 200 : 503, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ usd: prices.price }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return prices;
  }

  /** What PRICE_SOURCES has to be. */
  get sources(): string {
    const { port } = this.server.address() as AddressInfo;
    return JSON.stringify(
      ['one', 'other'].map((name) => ({
        name,
        url: `http://127.0.0.1:${port}/${name}/{currency}`,
        pointer: '/usd',
      })),
    );
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

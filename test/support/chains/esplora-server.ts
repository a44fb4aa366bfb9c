import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EsploraIndex, NotFound } from './esplora-index';

const PAGE = 25;
const MEMPOOL_MAX = 50;
const BLOCKS_PAGE = 10;

/**
 * The routes of Esplora's REST API that tell of addresses and blocks, answered from the RPC of a bitcoind: as API.md of
 * Blockstream/esplora describes them, hashes and errors in plain words.
 */
export class EsploraServer {
  /** How many requests came, of all kinds. */
  requests = 0;
  private readonly index: EsploraIndex;

  private constructor(
    private readonly server: Server,
    rpcUrl: string,
  ) {
    this.index = new EsploraIndex(rpcUrl);
  }

  static async start(rpcUrl: string): Promise<EsploraServer> {
    const server = createServer();
    const started = new EsploraServer(server, rpcUrl);
    server.on('request', (request, response) => void started.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/api`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    await this.index.close();
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    try {
      const answer = await this.answer((request.url ?? '').replace(/^\/api\//, '').split('/'));
      const isText = typeof answer === 'string';
      response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' });
      response.end(isText ? answer : JSON.stringify(answer));
    } catch (error) {
      const status = error instanceof NotFound ? 404 : 500;
      response.writeHead(status, { 'content-type': 'text/plain' }).end((error as Error).message);
    }
  }

  private async answer([route, id = '', part, kind, last]: string[]): Promise<unknown> {
    await this.index.refresh();
    switch (route) {
      case 'blocks':
        return id === 'tip' ? this.tip(part) : this.blocks(id);
      case 'block-height':
        return this.index.blockAt(Number(id)).id;
      case 'block':
        return this.index.block(id);
      case 'tx':
        return part === 'outspend' ? this.index.spending(`${id}:${kind}`) : this.index.transaction(id);
      case 'address':
        return this.transactions(id, kind, last);
      default:
        throw new NotFound('endpoint does not exist');
    }
  }

  private tip(what: string | undefined): unknown {
    const { height, id } = this.index.blockAt(this.index.tipHeight);
    return what === 'height' ? height : id;
  }

  private blocks(from: string): unknown {
    const newest = from === '' ? this.index.tipHeight : Number(from);
    const count = Math.min(newest + 1, BLOCKS_PAGE);
    return Array.from({ length: count }, (_, back) => this.index.blockAt(newest - back));
  }

  private transactions(address: string, kind: string | undefined, last: string | undefined): unknown {
    const all = this.index.transactionsOf(address);
    const waiting = all.filter(({ status }) => !status.confirmed).slice(0, MEMPOOL_MAX);
    const included = all.filter(({ status }) => status.confirmed);
    if (kind === 'mempool') {
      return waiting;
    }
    const start = last === undefined ? 0 : included.findIndex(({ txid }) => txid === last) + 1;
    const page = included.slice(start, start + PAGE);
    return kind === 'chain' ? page : [...waiting, ...page];
  }
}

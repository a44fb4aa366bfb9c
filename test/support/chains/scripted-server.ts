import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json as parsedBody } from 'node:stream/consumers';

/** What a server does to one request: an answer of any kind, half of one, one that never ends, or none. */
export type ScriptedReaction =
  { json: unknown; status?: number } | { text: string; status?: number } | 'cut' | 'endless' | 'silence';

/** A server that answers as a test tells it to. */
export class ScriptedServer {
  private constructor(
    private readonly server: Server,
    /** @param body is the JSON of a POST; undefined for a GET */
    public react: (path: string, body: unknown) => ScriptedReaction,
  ) {}

  static async start(react: ScriptedServer['react']): Promise<ScriptedServer> {
    const server = createServer();
    const scripted = new ScriptedServer(server, react);
    server.on('request', (request, response) => void scripted.serve(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return scripted;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = request.method === 'POST' ? await parsedBody(request) : undefined;
    const reaction = this.react(request.url ?? '', body);
    if (reaction === 'silence') {
      return;
    }
    if (reaction === 'cut') {
      response.writeHead(200, { 'content-length': 1_000 }).write('{"result": {"chain": "reg', () => {
        response.destroy();
      });
      return;
    }
    if (reaction === 'endless') {
      pour(response);
      return;
    }
    response.writeHead(reaction.status ?? 200);
    response.end('text' in reaction ? reaction.text : JSON.stringify(reaction.json));
  }
}

/** As fast as the other side reads. */
function pour(response: ServerResponse): void {
  const chunk = ' '.repeat(1024 * 1024);
  const more = (): void => {
    while (!response.destroyed && response.write(chunk)) {
      // The buffer has room for more.
    }
  };
  response.on('drain', more);
  more();
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';

type Answer = (method: string, params: unknown[]) => unknown;

/** What a script throws to make the server answer with an error of JSON-RPC. */
export class ScriptedRpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** A JSON-RPC server that does as its script says, or whatever `raw` does with the connection. */
export class ScriptedRpc {
  /** HTTP requests; a batch is one. */
  requests = 0;
  takesBatches = true;
  /** Answers instead of the script, as a server would that is broken. */
  raw: ((response: ServerResponse, body: string) => void) | null = null;

  private constructor(
    private readonly server: Server,
    public answer: Answer,
  ) {}

  static async start(answer: Answer): Promise<ScriptedRpc> {
    const server = createServer();
    const scripted = new ScriptedRpc(server, answer);
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
    this.requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks).toString();
    if (this.raw) {
      this.raw(response, body);
      return;
    }
    const calls = JSON.parse(body) as Call | Call[];
    const answer = await this.answerTo(calls);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  }

  private async answerTo(calls: Call | Call[]): Promise<unknown> {
    if (!Array.isArray(calls)) {
      return this.outcome(calls);
    }
    return this.takesBatches
      ? Promise.all(calls.map((call) => this.outcome(call)))
      : { error: { code: -32_600, message: 'Only method calls are supported' }, id: null };
  }

  private async outcome({ id, method, params }: Call): Promise<unknown> {
    try {
      return { jsonrpc: '2.0', id, result: await this.answer(method, params) };
    } catch (error) {
      const { code, message } = error as { code?: number; message: string };
      return { jsonrpc: '2.0', id, error: { code: code ?? -32_000, message } };
    }
  }
}

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

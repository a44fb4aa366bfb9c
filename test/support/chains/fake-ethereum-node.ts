import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcQuestion {
  id: number;
  method: string;
  params: unknown[];
}

type Answer = Record<string, unknown>;

const START_SECONDS = 1_700_000_000;

/** A server that answers as an Ethereum node does, until a test makes it answer something else. */
export class FakeEthereumNode {
  head = 1_000;
  chainId = '0x7a69';
  /** By address in lower case: the block in which it received so much. */
  readonly deposits = new Map<string, { block: number; wei: bigint }>();
  /** Takes the place of the answer to one question. */
  answer: (question: RpcQuestion) => Answer = (question) => this.honest(question);
  /** Takes the place of the whole answer to a request. */
  respond: (response: ServerResponse, questions: RpcQuestion[]) => void = (response, questions) =>
    this.send(response, questions.map(this.answer));
  readonly asked: RpcQuestion[][] = [];

  private constructor(private readonly server: ReturnType<typeof createServer>) {}

  static async start(): Promise<FakeEthereumNode> {
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const body = JSON.parse(text) as RpcQuestion | RpcQuestion[];
        const questions = Array.isArray(body) ? body : [body];
        node.asked.push(questions);
        if (Array.isArray(body)) {
          node.respond(response, questions);
        } else {
          node.send(response, node.answer(body));
        }
      });
    });
    const node = new FakeEthereumNode(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  send(response: ServerResponse, json: unknown, status = 200): void {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  }

  honest(question: RpcQuestion): Answer {
    return { jsonrpc: '2.0', id: question.id, result: this.resultOf(question) };
  }

  refused({ id }: RpcQuestion, code: number, message: string): Answer {
    return { jsonrpc: '2.0', id, error: { code, message } };
  }

  private resultOf({ method, params: [first, second] }: RpcQuestion): unknown {
    switch (method) {
      case 'eth_chainId':
        return this.chainId;
      case 'eth_getBlockByNumber':
        return this.block(String(first));
      case 'eth_getBalance': {
        const deposit = this.deposits.get(String(first).toLowerCase());
        return hex(deposit && deposit.block <= Number(second) ? deposit.wei : 0);
      }
      case 'eth_getTransactionCount':
        return '0x0';
      default:
        return null;
    }
  }

  private block(name: string): unknown {
    const number = name === 'latest' ? this.head : name === 'finalized' ? this.head - 80 : Number(name);
    return {
      number: hex(number),
      hash: `0x${number.toString(16).padStart(64, '0')}`,
      timestamp: hex(START_SECONDS + number * 12),
      transactions: [],
    };
  }
}

function hex(quantity: bigint | number): string {
  return `0x${quantity.toString(16)}`;
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { reportReady } from '../report-ready';

/** The receivers that one process is: each has a port of its own, and to the service they are 50 servers. */
const RECEIVERS = 50;

/** When which event came first, in the milliseconds of this machine's clock. */
const arrivals = new Map<string, number>();
/** How many requests came, those included that brought an event again. */
let posts = 0;
/** Who asked to be told when so many events have come. */
let waiting: { count: number; answer: ServerResponse } | null = null;
const urls: string[] = [];

/** Takes an event and answers at once that it did. */
function take(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  request.once('end', () => {
    posts += 1;
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) {
      arrivals.set(id, performance.timeOrigin + performance.now());
    }
    response.writeHead(204).end();
    sendIfEnough();
  });
}

/** What the benchmark asks: where the receivers are, to begin anew, and what has come once that is so many events. */
function control(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  if (pathname === '/arrived') {
    waiting = { count: Number(searchParams.get('count')), answer: response };
    sendIfEnough();
    return;
  }
  if (pathname === '/anew') {
    arrivals.clear();
    posts = 0;
  }
  response.end(JSON.stringify(urls));
}

function sendIfEnough(): void {
  if (waiting && arrivals.size >= waiting.count) {
    waiting.answer.end(JSON.stringify({ posts, arrivals: [...arrivals] }));
    waiting = null;
  }
}

async function listening(handle: RequestListener): Promise<string> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function main(): Promise<void> {
  while (urls.length < RECEIVERS) {
    urls.push(`${await listening(take)}/`);
  }
  reportReady(await listening(control));
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});

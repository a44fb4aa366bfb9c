import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../test/support/until';
import { boundedPipelining, IN_WORK_MAX, WAITING_MAX } from './http-server';

describe('boundedPipelining', () => {
  let server: Server;
  let client: Socket;
  let taken: { path: string; answer: ServerResponse }[];
  let received: string;
  /** What is done with a request once it begins. */
  let work: (request: IncomingMessage, response: ServerResponse) => void;

  beforeEach(async () => {
    taken = [];
    received = '';
    work = () => undefined;
    server = createServer(
      boundedPipelining((request, response) => {
        taken.push({ path: request.url ?? '', answer: response });
        work(request, response);
      }),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.on('data', (bytes: Buffer) => (received += bytes.toString('latin1').replaceAll(/x+/g, '')));
  });
  afterEach(async () => {
    client.destroy();
    server.close();
    await once(server, 'close');
  });

  const ask = (count: number, from = 0) =>
    client.write(
      Array.from({ length: count }, (_, index) => `GET /${from + index} HTTP/1.1\r\nhost: x\r\n\r\n`).join(
        '',
      ),
    );
  const answered = () => [...received.matchAll(/answer of (\/\d+)/g)].map(([, path]) => path);
  const paths = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);

  it('begins only a few requests at once, and answers all of them in their order', async () => {
    ask(40);
    await until('the first have begun', () => taken.length === IN_WORK_MAX);
    for (let count = 0; count < 40; count += 1) {
      expect(taken.length).toBeLessThanOrEqual(count + IN_WORK_MAX);
      taken[count]?.answer.end(`answer of ${taken[count]?.path ?? ''};`);
      const begun = Math.min(40, count + 1 + IN_WORK_MAX);
      await until('the next has begun', () => taken.length === begun);
    }
    await until('all are answered', () => answered().length === 40);
    expect(answered()).toEqual(paths(40));
  });

  it('begins one at a time where an answer is not read', async () => {
    work = ({ url }, response) => response.end(`answer of ${url};${'x'.repeat(8 * 1024 * 1024)}`);
    client.pause();
    ask(6);
    await until('one has begun', () => taken.length > 0);
    // A second connection is served in full, so the first one had its time.
    const other = connect((server.address() as AddressInfo).port, '127.0.0.1');
    other.write('GET /other HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    other.resume();
    await once(other, 'close');
    expect(taken.filter(({ path }) => path !== '/other').length).toBeLessThanOrEqual(2);
    client.resume();
    await until('all are answered', () => answered().length === 6);
  });

  it('does not read on while requests wait, and reads the bodies of those that come then', async () => {
    ask(100);
    await until('the first have begun', () => taken.length === IN_WORK_MAX);
    let body = '';
    const half = 'b'.repeat(10_000_000);
    client.write(`POST /last HTTP/1.1\r\nhost: x\r\ncontent-length: ${2 * half.length}\r\n\r\n${half}`);
    client.write(half);
    const { socket } = taken[0]?.answer.req ?? {};
    await until('as much is written as the system takes', async () => {
      const before = client.writableLength;
      await delay(50);
      return client.writableLength === before;
    });
    expect(socket?.bytesRead).toBeLessThan(1_000_000);
    work = (request, response) => {
      request.on('data', (bytes: Buffer) => (body += bytes.toString('latin1')));
      request.on('end', () => response.end(`answer of ${request.url};`));
    };
    taken.forEach(({ path, answer }) => answer.end(`answer of ${path};`));
    await until('the last is answered', () => received.includes('answer of /last'));
    expect(body.length).toBe(2 * half.length);
    ask(1, 77);
    await until('the connection goes on', () => received.includes('answer of /77'));
  });

  it('ends a connection that sends more than may wait, and begins none of those', async () => {
    const closed = once(client, 'close');
    ask(IN_WORK_MAX + WAITING_MAX + 1);
    await closed;
    expect(taken).toHaveLength(IN_WORK_MAX);
  });

  it('begins nothing more for a client that has gone', async () => {
    ask(10);
    await until('the first have begun', () => taken.length === IN_WORK_MAX);
    const gone = once(taken[0]?.answer.req.socket ?? client, 'close');
    client.destroy();
    await gone;
    await new Promise(setImmediate);
    expect(taken).toHaveLength(IN_WORK_MAX);
  });
});

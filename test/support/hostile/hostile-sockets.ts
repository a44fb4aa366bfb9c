import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../seeded-random';
import { AnswerReader } from './answer-reader';
import type { AnswerTally } from './answer-tally';
import type { HostileRequest } from './hostile-requests';

const ANSWERS_MS_MAX = 60_000;
const SLOW_STEP_MS = 200;
const HUGE_BYTES = 2 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, ' ');
const NOT_HTTP = [
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'GET / HTTP/9.9\r\n\r\n',
  'GET\r\n\r\n',
  `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  `GET / HTTP/1.1\r\nhost: x\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
  'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n',
  'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'POST /api/auth/login HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
  'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
  '\0\0\0\0',
];

/** What a client does that keeps to no rules: on sockets of its own, byte by byte. */
export class HostileSockets {
  private readonly port: number;

  constructor(
    url: string,
    private readonly tally: AnswerTally,
    private readonly random: SeededRandom,
  ) {
    this.port = Number(new URL(url).port);
  }

  /** Sends all requests in one write and reads what comes. */
  async pipeline(requests: readonly HostileRequest[]): Promise<void> {
    const socket = this.open(requests.length);
    const read = this.readAnswers(socket, requests);
    socket.write(Buffer.concat(requests.map(bytesOf)));
    await read;
  }

  /** Sends all requests in one write, reads nothing of the answers and leaves after a while. */
  async leaveUnread(requests: readonly HostileRequest[], forMs: number): Promise<void> {
    const socket = this.open(requests.length);
    socket.pause();
    socket.write(Buffer.concat(requests.map(bytesOf)));
    await isOver(socket, forMs);
    this.tally.unanswered();
  }

  /** Sends a request in small pieces, with pauses, and gives up after a while. */
  async dawdle(request: HostileRequest, forMs: number): Promise<void> {
    const socket = this.open(1);
    socket.resume();
    const bytes = bytesOf(request);
    const steps = Math.ceil(forMs / SLOW_STEP_MS);
    const pieceBytes = Math.max(1, Math.floor(bytes.length / steps / 2));
    for (let sent = 0; sent < steps * pieceBytes && !socket.destroyed; sent += pieceBytes) {
      socket.write(bytes.subarray(sent, sent + pieceBytes));
      await delay(SLOW_STEP_MS);
    }
    socket.destroy();
    this.tally.unanswered();
  }

  /** Sends a body beyond every bound, announced in its head or in chunks. */
  async oversize(request: HostileRequest): Promise<void> {
    const socket = this.open(1);
    const read = this.readAnswers(socket, [request]);
    const isChunked = this.random.next() < 0.5;
    const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${HUGE_BYTES}`;
    socket.write(headOf(request, [length]));
    for (let sent = 0; sent < HUGE_BYTES && socket.writable; sent += PIECE.length) {
      const piece = isChunked
        ? Buffer.concat([Buffer.from(`${PIECE.length.toString(16)}\r\n`), PIECE, Buffer.from('\r\n')])
        : PIECE;
      if (!socket.write(piece)) {
        await drained(socket);
      }
    }
    socket.write(isChunked ? '0\r\n\r\n' : '');
    await read;
  }

  /** Sends what is no request, or half of one, and may break the connection in the middle of it. */
  async babble(request: HostileRequest): Promise<void> {
    const socket = this.open(1);
    const chance = this.random.next();
    const bytes = bytesOf(request);
    const half = bytes.subarray(0, this.random.between(1, bytes.length));
    socket.resume().write(chance < 0.6 ? Buffer.from(this.random.pick(NOT_HTTP), 'latin1') : half);
    await isOver(socket, 100);
    if (chance > 0.8) {
      socket.resetAndDestroy();
    }
    this.tally.unanswered();
  }

  private open(calls: number): Socket {
    this.tally.calls += calls;
    return connect({ port: this.port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
  }

  /** Resolves with the last of the answers, or when the connection is over. */
  private async readAnswers(socket: Socket, requests: readonly HostileRequest[]): Promise<void> {
    const reader = new AnswerReader(requests.map(({ method }) => method));
    let answered = 0;
    socket.on('data', (bytes: Buffer) => {
      for (const { status, body } of reader.push(bytes)) {
        this.tally.answered(status, body, `${nameOf(requests[answered])}, on a socket`);
        answered += 1;
      }
      if (answered >= requests.length) {
        socket.destroy();
      }
    });
    if (!(await isOver(socket, ANSWERS_MS_MAX))) {
      this.tally.fault(`${nameOf(requests[answered])}: no answer within ${ANSWERS_MS_MAX} ms, on a socket`);
    }
    for (let missing = answered; missing < requests.length; missing += 1) {
      this.tally.unanswered();
    }
  }
}

function nameOf(request: HostileRequest | undefined): string {
  return `${request?.method} ${request?.path}`;
}

function bytesOf(request: HostileRequest): Buffer {
  const length = request.body === null ? [] : [`content-length: ${request.body.length}`];
  return Buffer.concat([headOf(request, length), request.body ?? Buffer.alloc(0)]);
}

function headOf({ method, path, headers }: HostileRequest, more: string[]): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, 'host: x', ...lines, ...more, '\r\n'].join('\r\n'),
    'latin1',
  );
}

/** Whether the connection ended by itself; after the time it is ended. */
async function isOver(socket: Socket, afterMs: number): Promise<boolean> {
  const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
  const timer = new AbortController();
  const late = delay(afterMs, false, { signal: timer.signal }).catch(() => true);
  const isClosed = await Promise.race([closed, late]);
  timer.abort();
  socket.destroy();
  return isClosed;
}

async function drained(socket: Socket): Promise<void> {
  await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
}

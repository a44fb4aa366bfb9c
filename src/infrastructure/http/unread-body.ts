import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './read-body';

/** An unread rest up to this size is read and thrown away, so that the connection serves the next request. */
const DISCARDED_BYTES_MAX = 64 * 1024;
/** What one connection may still send while it ends, and for how long. */
const LINGERING_BYTES_MAX = 4 * 1024 * 1024;
const LINGERING_MS_MAX = 2_000;
/** What all ending connections together may send between two looks: 32 MiB a second cost a tenth of a core. */
const LOOKED_EVERY_MS = 25;
const BYTES_A_LOOK = 800 * 1024;
/** What one connection hands over at a time. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Called before an answer leaves. Where much of the request's body is unread, the connection ends after the answer:
 * Node would otherwise read on for as long as the client sends.
 */
export function closeIfUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.readableEnded || unreadBytesMax(raw) <= DISCARDED_BYTES_MAX) {
    return;
  }
  const { socket } = raw;
  reply.header('connection', 'close');
  // A body that somebody has begun to read is not read to its end by Node, so that its connection waits for its turn.
  raw.pause();
  raw.read(0);
  // Node calls this after the last byte of such an answer.
  socket.destroySoon = () => endGently(socket, raw);
}

/** Whether the connection was ended by our side, so that nothing that still arrives may be served. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return socket.writableEnded;
}

/**
 * Ends a connection whose peer may still be sending. Closed at once, it would be reset, and the peer could lose an
 * answer that it has not read yet. So only our side is ended, and what still arrives is thrown away, up to 4 MiB and
 * 2 seconds (RFC 9112, section 9.6). All such connections take turns, because many that send at once would keep the
 * process from everything else.
 * @param body the body that is still arriving, paused; the connection itself where what arrives is no HTTP
 */
export function endGently(socket: Socket, body: Readable = socket): void {
  if (socket.destroyed) {
    return;
  }
  const bytesReadMax = socket.bytesRead + LINGERING_BYTES_MAX;
  const timer = setTimeout(() => socket.destroy(), LINGERING_MS_MAX);
  socket.once('close', () => clearTimeout(timer));
  socket.end();
  body.on('data', (chunk: Buffer) => {
    if (socket.bytesRead > bytesReadMax) {
      socket.destroy();
    } else {
      turns.spend(body, chunk.length);
    }
  });
  turns.wait(body);
}

/** Whose bytes are thrown away next, in the order in which they came. */
class DiscardTurns {
  private readonly waiting = new Set<Readable>();
  private bytesLeft = BYTES_A_LOOK;
  private timer: NodeJS.Timeout | null = null;

  wait(source: Readable): void {
    source.pause();
    this.waiting.add(source);
    this.timer ??= setInterval(() => this.look(), LOOKED_EVERY_MS);
  }

  spend(source: Readable, bytes: number): void {
    this.bytesLeft -= bytes;
    if (this.bytesLeft <= 0) {
      this.wait(source);
    }
  }

  private look(): void {
    if (this.waiting.size === 0) {
      clearInterval(this.timer ?? undefined);
      this.timer = null;
    }
    this.bytesLeft = BYTES_A_LOOK;
    for (const source of [...this.waiting].slice(0, BYTES_A_LOOK / CHUNK_BYTES)) {
      this.waiting.delete(source);
      source.resume();
    }
  }
}

const turns = new DiscardTurns();

function unreadBytesMax(request: IncomingMessage): number {
  if (!hasBody(request)) {
    return 0;
  }
  return request.headers['transfer-encoding'] === undefined
    ? Number(request.headers['content-length'])
    : Infinity;
}

import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './read-body';

/** An unread rest up to this size is read and thrown away, so that the connection serves the next request. */
const DISCARDED_BYTES_MAX = 64 * 1024;
const LINGERING_BYTES_MAX = 4 * 1024 * 1024;
const LINGERING_MS_MAX = 2_000;
const LOOKED_EVERY_MS = 50;

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
  // Node calls this after the last byte of such an answer.
  socket.destroySoon = () => endGently(socket);
}

/** Whether the connection was ended by our side, so that nothing that still arrives may be served. */
export function isEnding({ socket }: IncomingMessage): boolean {
  return socket.writableEnded;
}

/**
 * Ends a connection whose peer may still be sending. Closed at once, it would be reset, and the peer could lose an
 * answer that it has not read yet. So only our side is ended, and what still arrives is thrown away, up to 4 MiB and
 * 2 seconds (RFC 9112, section 9.6).
 */
export function endGently(socket: Socket): void {
  if (socket.destroyed) {
    return;
  }
  const bytesReadMax = socket.bytesRead + LINGERING_BYTES_MAX;
  const deadlineMs = performance.now() + LINGERING_MS_MAX;
  const timer = setInterval(() => {
    if (socket.bytesRead > bytesReadMax || performance.now() > deadlineMs) {
      socket.destroy();
    }
  }, LOOKED_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
  socket.end();
}

function unreadBytesMax(request: IncomingMessage): number {
  if (!hasBody(request)) {
    return 0;
  }
  return request.headers['transfer-encoding'] === undefined
    ? Number(request.headers['content-length'])
    : Infinity;
}

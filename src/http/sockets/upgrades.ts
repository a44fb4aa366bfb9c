import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { CLOSE_WITHIN_MS } from './socket.limits';

/** What follows the head of an upgrade request on its connection. */
const HEADS = new WeakMap<IncomingMessage, Buffer>();

/**
 * Gives requests to upgrade to WebSocket to the server's ordinary handler, so that a path answers them as it answers any
 * request, until it takes the connection over by {@link takeOver}. Requests to upgrade to anything else are served as if
 * they had not asked: Java's HTTP client asks for HTTP/2 in its first request, and Node would drop that.
 * @param server must not listen yet
 */
export function routeUpgrades(server: Server): void {
  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    const socket = stream as Socket;
    guard(socket);
    if (isUnanswered(socket)) {
      // It was sent behind a request that is still in work, whose answer would be lost.
      socket.destroy();
    } else if (!isWebSocket(request)) {
      giveBack(server, request, socket, head);
    } else {
      HEADS.set(request, head);
      const response = new ServerResponse(request);
      response.shouldKeepAlive = false;
      response.assignSocket(socket);
      response.once('finish', () => {
        response.detachSocket(socket);
        closeOnceEnded(socket);
        socket.end();
      });
      server.emit('request', request, response);
    }
  });
}

/** Whether a request asks to become a WebSocket, which only GET may (RFC 6455, section 4.1). */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Takes the connection of an upgrade request from its answer, which must not have begun.
 * @returns the bytes that were read behind the request's head; null for a request that did not come as an upgrade
 */
export function takeOver(request: IncomingMessage, response: ServerResponse): Buffer | null {
  const head = HEADS.get(request);
  if (!head || !response.socket) {
    return null;
  }
  response.detachSocket(response.socket);
  return head;
}

/**
 * Sees to it that a connection closes once its own side is ended. What the client still sends is thrown away: left unread it
 * would keep the connection for ever, and have the kernel reset it before the last answer is read. Who does not end his side
 * within {@link CLOSE_WITHIN_MS} is cut off.
 */
export function closeOnceEnded(socket: Socket): void {
  socket.once('finish', () => {
    socket.unpipe();
    socket.resume();
    const cut = setTimeout(() => socket.destroy(), CLOSE_WITHIN_MS);
    socket.once('close', () => clearTimeout(cut));
  });
}

/** Node has taken its own listener away, and an error without any would end the process. */
function guard(socket: Socket): void {
  socket.off('error', destroyThis);
  socket.on('error', destroyThis);
}

function destroyThis(this: Socket): void {
  this.destroy();
}

/** Node keeps the present answer of a connection on it, and takes no second. */
function isUnanswered(socket: Socket): boolean {
  return Boolean((socket as { _httpMessage?: unknown })._httpMessage);
}

/** Lets the server read the request once more, without its wish. */
function giveBack(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') {
      lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // Whoever watches connections is told of this one anew, and would listen once more for each wish.
  socket.removeAllListeners('close').removeAllListeners('timeout');
  server.emit('connection', socket);
}

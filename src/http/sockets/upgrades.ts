import { ServerResponse, type IncomingMessage, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { closeLingering } from '../request-body';

const HEADS = new WeakMap<IncomingMessage, Buffer>();

/** Ignores other upgrades: Java's client asks for HTTP/2, which Node would drop. Call before listening. */
export function routeUpgrades(server: Server): void {
  // Node 20 does not ask this, and is given its requests back.
  Object.assign(server, { shouldUpgradeCallback: isWebSocket });
  server.on('upgrade', (request: IncomingMessage, stream, head) => {
    const socket = stream as Socket;
    // Node has removed its listener, and an error without one would end the process.
    socket.off('error', destroyThis).on('error', destroyThis);
    if (isUnanswered(socket)) {
      // Upgrading would lose an earlier request's answer.
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
        closeLingering(socket);
      });
      server.emit('request', request, response);
    }
  });
}

/** Only GET may (RFC 6455, section 4.1). */
export function isWebSocket({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Call before the answer begins. @returns the bytes behind the head; null for no upgrade */
export function takeOver(request: IncomingMessage, response: ServerResponse): Buffer | null {
  const head = HEADS.get(request);
  if (!head || !response.socket) {
    return null;
  }
  response.detachSocket(response.socket);
  return head;
}

function destroyThis(this: Socket): void {
  this.destroy();
}

function isUnanswered(socket: Socket): boolean {
  return Boolean((socket as { _httpMessage?: unknown })._httpMessage);
}

/** Lets the server parse the request again, without the upgrade. */
function giveBack(server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (name.toLowerCase() !== 'upgrade') {
      lines.push(`${name}: ${request.rawHeaders[index + 1]}`);
    }
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  // Connection listeners run again and would be added twice.
  socket.removeAllListeners('close').removeAllListeners('timeout');
  server.emit('connection', socket);
}

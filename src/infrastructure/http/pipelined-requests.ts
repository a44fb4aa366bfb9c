import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests of one connection may be in work, that is, not yet answered to the last byte. */
export const IN_WORK_MAX = 4;
/** No further request of a connection begins while so many bytes of its answers wait for their reader. */
const UNSENT_BYTES_MAX = 256 * 1024;
/**
 * From so many waiting requests on, the connection is not read. It is read before that, because only reading tells that
 * a client has gone.
 */
const WAITING_UNREAD_FROM = 16;
/** Node parses all that has arrived at once: up to 64 KiB, which may be two thousand requests. */
export const WAITING_MAX = 512;
/** Each request in work may watch its connection a few times, which is no leak. */
const LISTENERS_MAX = 64;

/**
 * Lets a client send requests without waiting for answers (pipelining), but not have them all worked on at once: they
 * begin in their order, and the connection is not read while many wait. Without this bound, one that reads no answers
 * could fill the memory with them. A connection that is ended takes those that wait with it; they have cost nothing.
 */
export function boundedPipelining(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  // One function for all answers: a closure for each would be made by every call.
  function goOn(this: ServerResponse): void {
    connections.get(this.req.socket)?.goOn(this);
  }
  return (request, response) => {
    const { socket } = request;
    let connection = connections.get(socket);
    if (!connection) {
      connection = new Connection(socket, (next, answer) => {
        answer.on('close', goOn);
        handle(next, answer);
      });
      connections.set(socket, connection);
    }
    connection.take(request, response);
  };
}

class Connection {
  private readonly inWork = new Set<ServerResponse>();
  private readonly waiting: [IncomingMessage, ServerResponse][] = [];

  constructor(
    private readonly socket: Socket,
    private readonly begin: RequestListener,
  ) {
    socket.setMaxListeners(LISTENERS_MAX);
    // Node goes on reading by itself after each request, and where an answer has been taken.
    socket.on('resume', () => {
      if (this.waiting.length >= WAITING_UNREAD_FROM) {
        socket.pause();
      }
    });
    socket.once('close', () => this.waiting.splice(0));
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    if (this.waiting.length === 0 && this.hasRoom()) {
      this.inWork.add(response);
      this.begin(request, response);
    } else if (this.waiting.length < WAITING_MAX) {
      this.waiting.push([request, response]);
      if (this.waiting.length === WAITING_UNREAD_FROM) {
        this.socket.pause();
      }
    } else {
      this.socket.destroy();
    }
  }

  /** Begins those that wait, as far as there is room, once an answer has ended. */
  goOn(ended: ServerResponse): void {
    const { socket, waiting } = this;
    this.inWork.delete(ended);
    if (waiting.length === 0) {
      return;
    }
    const wasUnread = waiting.length >= WAITING_UNREAD_FROM;
    while (!socket.destroyed && this.hasRoom()) {
      const next = waiting.shift();
      if (!next) {
        break;
      }
      this.inWork.add(next[1]);
      this.begin(...next);
    }
    if (wasUnread && waiting.length < WAITING_UNREAD_FROM) {
      socket.resume();
    }
  }

  private hasRoom(): boolean {
    return (
      this.inWork.size === 0 || (this.inWork.size < IN_WORK_MAX && this.unsentBytes() < UNSENT_BYTES_MAX)
    );
  }

  /** An answer that still waits for an earlier one of its connection holds its bytes itself. */
  private unsentBytes(): number {
    let bytes = this.socket.writableLength;
    for (const response of this.inWork) {
      bytes += response.socket ? 0 : response.writableLength;
    }
    return bytes;
  }
}

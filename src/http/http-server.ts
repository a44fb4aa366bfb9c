import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';

/**
 * The connections on which no request has arrived yet. Browsers, for example, open some in advance. The HTTP server of
 * Node does not count them as idle, so closing it would wait for their first request.
 */
export class UnusedConnections {
  private readonly sockets = new Set<Socket>();

  /** @param server must not listen yet, so that no connection is missed */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.sockets.delete(socket));
  }

  /** Closes these connections at once. */
  close(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }
}

const LOOKS_PER_TIMEOUT = 4;

/** What a connection had written when it was last seen to move. */
interface Progress {
  /** How many bytes of the write under way the system has not taken yet. */
  queuedBytes: number;
  /** All that was ever given to the connection. */
  givenBytes: number;
  sinceMs: number;
}

/**
 * Ends connections whose client has stopped to read: those on which a write makes no progress for `timeoutMs`. A slow
 * client that goes on reading keeps its connection, however long that takes, and so does one for which nothing is
 * there to be sent. One timer looks at all connections, which costs nothing per answer; a connection is therefore ended
 * up to a quarter of the time late.
 */
export class StalledWrites {
  private readonly connections = new Map<Socket, Progress>();

  /** @param server must not listen yet, so that no connection is missed */
  constructor(
    server: Server,
    private readonly timeoutMs: number,
  ) {
    server.on('connection', (socket: Socket) => {
      this.connections.set(socket, { queuedBytes: 0, givenBytes: 0, sinceMs: 0 });
      socket.once('close', () => this.connections.delete(socket));
    });
    server.once('listening', () => {
      const timer = setInterval(() => this.look(), timeoutMs / LOOKS_PER_TIMEOUT);
      timer.unref();
      server.once('close', () => clearInterval(timer));
    });
  }

  private look(): void {
    const nowMs = performance.now();
    for (const [socket, seen] of this.connections) {
      const queuedBytes = queuedBytesOf(socket);
      if (queuedBytes === 0) {
        seen.queuedBytes = 0;
        continue;
      }
      const givenBytes = socket.bytesWritten;
      if (queuedBytes !== seen.queuedBytes || givenBytes !== seen.givenBytes) {
        Object.assign(seen, { queuedBytes, givenBytes, sinceMs: nowMs });
      } else if (nowMs - seen.sinceMs >= this.timeoutMs) {
        socket.destroy();
      }
    }
  }
}

/**
 * The progress within one write is told by nothing public of a socket: `writableLength` and `bytesWritten` change with
 * whole writes only, and one write may be a mebibyte for a slow reader. Node's own socket time-outs read this too.
 */
function queuedBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}

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

/** What Fastify gives to whoever makes its server; these two it would otherwise set itself. */
interface ServerTimes {
  keepAliveTimeout?: number;
  requestTimeout?: number;
}

/**
 * Makes the servers of Fastify: Node's own, which works on a few requests of a connection at once and ends connections
 * whose client does not read.
 *
 * @param stalledWriteTimeoutMs how long a write may make no progress
 */
export function boundedServers(
  stalledWriteTimeoutMs: number,
): (handle: RequestListener, options: ServerTimes & { http?: ServerOptions | null }) => Server {
  return (handle, { http, keepAliveTimeout, requestTimeout }) => {
    const server = createServer(http ?? {}, boundedPipelining(handle));
    // Node would cut what is beyond its own number of them without a word. Who gets the request refuses it (request-head.ts),
    // and the 16 KiB of a head bound how many there can be.
    server.maxHeadersCount = 0;
    server.keepAliveTimeout = keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = requestTimeout ?? server.requestTimeout;
    new StalledWrites(server, stalledWriteTimeoutMs);
    return server;
  };
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { TooManyUnreadAnswers } from '../errors/api-errors';

export function isUnderV1(url: string): boolean {
  return /^\/+v1(?:[/?#]|$)/.test(url);
}

const MODELS = '/v1/models/';

/** Clients of /v1 add slashes and write model ids with slashes. */
export function plainPath(url: string): string {
  if (!isUnderV1(url)) {
    return url;
  }
  const queryAt = url.search(/[?#]|$/);
  const path = url.slice(0, queryAt).replaceAll(/\/{2,}/g, '/');
  const isModel = path.startsWith(MODELS);
  const model = isModel ? path.slice(MODELS.length).replace(/\/$/, '').replaceAll('/', '%2F') : '';
  return (isModel ? MODELS + model : path) + url.slice(queryAt);
}

/** An IPv6 address's /64, since a customer holds at least one; without the port that some proxies write. */
export function addressBlock(written: string): string {
  // Brackets tell an IPv6 port from the groups: `[2001:db8::1]:443`.
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(written) ?? [];
  const address = ipv4 ?? ipv6 ?? written;
  if (!isIPv6(address)) {
    return address;
  }
  const [withoutZone = ''] = address.split('%');
  const known = ipaddr.process(withoutZone);
  return known instanceof ipaddr.IPv6
    ? `${known.parts
        .slice(0, 4)
        .map((part) => part.toString(16))
        .join(':')}::/64`
    : known.toString();
}

/** Browsers connect in advance. Node does not count these as idle, and its close would wait. */
export class UnusedConnections {
  private readonly sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    server.on('request', ({ socket }) => this.sockets.delete(socket));
  }

  close(): void {
    for (const socket of this.sockets) {
      socket.destroy();
    }
  }
}

const LOOKS_PER_TIMEOUT = 4;

interface Progress {
  queuedBytes: number;
  givenBytes: number;
  sinceMs: number;
}

/** Ends a write without any progress, up to a quarter of the time late. A slow reader is not cut off. */
export class StalledWrites {
  private readonly connections = new Map<Socket, Progress>();

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

/** `writableLength` and `bytesWritten` change with whole writes only. Node's time-outs read this too. */
function queuedBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return handle?.writeQueueSize ?? socket.writableLength;
}

/** Requests of a connection not answered to the last byte. */
export const IN_WORK_MAX = 4;
/** With more unsent bytes no further request begins. */
const UNSENT_BYTES_MAX = 256 * 1024;
/** Then reading stops. Until then it goes on, because only reading notices that a client is gone. */
const WAITING_UNREAD_FROM = 16;
/** Node parses a whole read: up to 64 KiB, which may be two thousand requests. */
export const WAITING_MAX = 512;
/** Each request in work may add a few listeners, which is no leak. */
const LISTENERS_MAX = 64;

/** On the socket: a WeakMap would cost every request more. */
const LATEST = Symbol('latest answer');

interface WatchedSocket extends Socket {
  [LATEST]?: ServerResponse;
}

export function latestAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as WatchedSocket)[LATEST];
}

/** Bounds simultaneous and waiting requests: a client that reads no answers could fill the memory. */
export function boundedPipelining(handle: RequestListener): RequestListener {
  const connections = new WeakMap<Socket, Connection>();
  // One function for all: a closure for each answer would cost every call.
  function goOn(this: ServerResponse): void {
    connections.get(this.req.socket)?.goOn(this);
  }
  return (request, response) => {
    const { socket }: { socket: WatchedSocket } = request;
    socket[LATEST] = response;
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
    // Node resumes by itself after each request, and when an answer was taken.
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

  /** An answer behind an earlier one holds its own bytes. */
  private unsentBytes(): number {
    let bytes = this.socket.writableLength;
    for (const response of this.inWork) {
      bytes += response.socket ? 0 : response.writableLength;
    }
    return bytes;
  }
}

interface ServerTimes {
  keepAliveTimeout?: number;
  requestTimeout?: number;
}

export function boundedServers(
  stalledWriteTimeoutMs: number,
): (handle: RequestListener, options: ServerTimes & { http?: ServerOptions | null }) => Server {
  return (handle, { http, keepAliveTimeout, requestTimeout }) => {
    const server = createServer(http ?? {}, boundedPipelining(handle));
    // Node would silently drop further headers. The adapter refuses them, and 16 KiB bound their number.
    server.maxHeadersCount = 0;
    server.keepAliveTimeout = keepAliveTimeout ?? server.keepAliveTimeout;
    server.requestTimeout = requestTimeout ?? server.requestTimeout;
    new StalledWrites(server, stalledWriteTimeoutMs);
    return server;
  };
}

const ACCOUNT_SHARE = 8;

export interface UnsentShare {
  count(bytes: number): void;
  isFull(): boolean;
}

/** Unsent answers are in memory about three times. Beyond a bound no new work begins. */
export class UnsentBytes {
  private readonly ofAccounts = new Map<string, number>();
  private total = 0;

  /** @param processBytesMax for all answers; one account may have an eighth */
  constructor(private readonly processBytesMax: number) {}

  get bytes(): number {
    return this.total;
  }

  get isProcessFull(): boolean {
    return this.total > this.processBytesMax;
  }

  isAccountFull(accountId: string): boolean {
    return (this.ofAccounts.get(accountId) ?? 0) > this.processBytesMax / ACCOUNT_SHARE;
  }

  /** @throws TooManyUnreadAnswers */
  refuseMore(accountId: string | null): void {
    if (accountId !== null && this.isAccountFull(accountId)) {
      throw new TooManyUnreadAnswers('account');
    }
    if (this.isProcessFull) {
      throw new TooManyUnreadAnswers('everybody');
    }
  }

  /** @param accountId null for unknown callers @returns ends the counting; only its first call counts */
  hold(accountId: string | null, bytes: number): () => void {
    let held = bytes;
    this.add(accountId, held);
    return () => {
      this.add(accountId, -held);
      held = 0;
    };
  }

  shareOf(accountId: string): UnsentShare {
    let counted = 0;
    return {
      count: (bytes) => {
        if (bytes !== counted) {
          this.add(accountId, bytes - counted);
          counted = bytes;
        }
      },
      isFull: () => this.isProcessFull || this.isAccountFull(accountId),
    };
  }

  private add(accountId: string | null, bytes: number): void {
    this.total += bytes;
    if (accountId !== null) {
      const sum = (this.ofAccounts.get(accountId) ?? 0) + bytes;
      if (sum === 0) {
        this.ofAccounts.delete(accountId);
      } else {
        this.ofAccounts.set(accountId, sum);
      }
    }
  }
}

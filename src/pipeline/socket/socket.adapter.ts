import type { INestApplicationContext } from '@nestjs/common';
import type { WsMessageHandler } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { lastValueFrom, type Observable } from 'rxjs';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import { ApiError } from '../../core/errors/api-error';
import { ValidationFailed } from '../../core/errors/request-errors';
import { isObject, parsedJson } from '../../infrastructure/json/json-object';
import {
  CLOSE_CODES,
  CLOSE_WITHIN_MS,
  FRAGMENTS_MAX,
  FRAME_BYTES_MAX,
  PIECES_OF_FRAME_MAX,
  WAITING_MESSAGES_MAX,
} from '../../infrastructure/sockets/socket-bounds';
import { SocketMetrics } from '../../infrastructure/sockets/socket-metrics';
import { AccountRates } from './account-rates';
import { SocketErrors } from './socket-errors';
import type { OpenSocket } from './socket-holder';
import { SocketRoutes } from './socket-routes';

/** The types of ws do not know `closeTimeout` yet: after how many milliseconds who does not answer a close is cut off. */
const SERVER_OPTIONS: ServerOptions & { closeTimeout: number } = {
  noServer: true,
  maxPayload: FRAME_BYTES_MAX,
  maxFragments: FRAGMENTS_MAX,
  maxBufferedChunks: PIECES_OF_FRAME_MAX,
  closeTimeout: CLOSE_WITHIN_MS,
  perMessageDeflate: false,
  skipUTF8Validation: false,
};

/**
 * Nest's adapter for WebSockets, with what the service does otherwise: a socket is opened by a route of the HTTP server,
 * messages are chosen by their member `action`, those of one socket are handled one after the other, and every frame that
 * no handler takes is answered with an error.
 */
export class SocketAdapter extends WsAdapter {
  /** What counts a received message, by path. */
  private readonly received = new Map<string, () => void>();

  constructor(private readonly application: INestApplicationContext) {
    super(application);
  }

  override create(_port: number, { path }: { path: string }): WebSocketServer {
    const server = new WebSocketServer(SERVER_OPTIONS);
    const metrics = this.application.get(SocketMetrics, { strict: false });
    this.received.set(path, metrics.counter(path, 'received'));
    this.application.get(SocketRoutes, { strict: false }).serve(path, server);
    return server;
  }

  override bindClientDisconnect(client: unknown, callback: () => void): void {
    (client as OpenSocket).onClose(callback);
  }

  override bindMessageHandlers(
    client: unknown,
    handlers: WsMessageHandler[],
    transform: (data: unknown) => Observable<unknown>,
  ): void {
    const socket = client as OpenSocket;
    const byAction = new Map(handlers.map(({ message, callback }) => [message, callback]));
    const errors = this.application.get(SocketErrors, { strict: false });
    const count = this.received.get(socket.path);
    const accountRate = this.application.get(AccountRates, { strict: false }).of(socket);
    const queue = new MessageQueue(socket, async (message) => {
      const callback = byAction.get(message.action as string);
      if (callback) {
        await lastValueFrom(transform(callback(message, message.action)), { defaultValue: undefined });
      } else {
        const choices = [...byAction.keys()].join(', ');
        errors.tell(
          socket,
          message,
          new ValidationFailed([{ field: 'action', message: `must be one of ${choices}` }]),
        );
      }
    });
    socket.onFrame((bytes, isBinary) => {
      count?.();
      if (isBinary) {
        socket.close(CLOSE_CODES.unsupported, 'frames are JSON texts');
        return;
      }
      const message: unknown = parsedJson(bytes.toString());
      if (!socket.rate.take(performance.now(), accountRate)) {
        errors.tell(
          socket,
          message,
          new ApiError(429, 'Too many messages', 'Messages come too fast.', { fields: { retry_after: 1 } }),
        );
        if (socket.rate.isFlooded) {
          socket.close(CLOSE_CODES.tooManyMessages, 'messages come too fast');
        }
      } else if (isObject(message)) {
        queue.add(message);
      } else {
        errors.tell(
          socket,
          null,
          new ValidationFailed([{ field: 'body', message: 'must be a JSON object' }]),
        );
      }
    });
  }

  /** Tells clients that the service goes, and ends the connections of those that do not answer. */
  override async close(server: WebSocketServer): Promise<void> {
    const open = [...server.clients] as WebSocket[];
    const closed = Promise.all(open.map((client) => new Promise((resolve) => client.once('close', resolve))));
    open.forEach((client) => client.close(CLOSE_CODES.goingAway, 'the service shuts down'));
    const timer = setTimeout(() => open.forEach((client) => client.terminate()), CLOSE_WITHIN_MS);
    await closed;
    clearTimeout(timer);
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  override dispose(): Promise<void> {
    return Promise.resolve();
  }
}

type Message = Record<string, unknown>;

/** The messages of one socket, one after the other. While many wait, the socket is not read. */
class MessageQueue {
  private readonly waiting: Message[] = [];
  private isWorking = false;
  private isPaused = false;

  constructor(
    private readonly socket: OpenSocket,
    private readonly handle: (message: Message) => Promise<void>,
  ) {}

  add(message: Message): void {
    this.waiting.push(message);
    if (this.waiting.length >= WAITING_MESSAGES_MAX && !this.isPaused) {
      this.isPaused = true;
      this.socket.pause();
    }
    if (!this.isWorking) {
      this.isWorking = true;
      void this.work();
    }
  }

  /** What a handler throws is answered by its filter. */
  private async work(): Promise<void> {
    for (let message = this.waiting.shift(); message; message = this.waiting.shift()) {
      if (this.isPaused && this.waiting.length < WAITING_MESSAGES_MAX / 2) {
        this.isPaused = false;
        this.socket.resume();
      }
      if (this.socket.isOpen) {
        const end = this.socket.begin();
        await this.handle(message).catch(() => undefined);
        end();
      }
    }
    this.isWorking = false;
  }
}

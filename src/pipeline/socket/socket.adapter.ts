import type { INestApplicationContext } from '@nestjs/common';
import type { WsMessageHandler } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';
import { lastValueFrom, type Observable } from 'rxjs';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import { ValidationFailed } from '../../core/errors/request-errors';
import {
  CLOSE_CODES,
  CLOSE_WITHIN_MS,
  FRAGMENTS_MAX,
  FRAME_BYTES_MAX,
  PIECES_OF_FRAME_MAX,
} from '../../infrastructure/sockets/socket-bounds';
import { SocketMetrics } from '../../infrastructure/sockets/socket-metrics';
import { IncomingFrames } from './incoming-frames';
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
    const count = this.received.get(socket.path) ?? (() => undefined);
    this.application.get(IncomingFrames, { strict: false }).take(socket, count, async (message) => {
      const callback = byAction.get(message.action as string);
      if (callback) {
        // What a handler throws is answered by its filter.
        await lastValueFrom(transform(callback(message, message.action)), { defaultValue: undefined }).catch(
          () => undefined,
        );
      } else {
        const choices = [...byAction.keys()].join(', ');
        errors.tell(
          socket,
          message,
          new ValidationFailed([{ field: 'action', message: `must be one of ${choices}` }]),
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

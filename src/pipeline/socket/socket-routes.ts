import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { WebSocket, WebSocketServer } from 'ws';
import { ApiError } from '../../core/errors/api-error';
import { ShuttingDown } from '../../core/errors/service-errors';
import { UnsentBytes } from '../../infrastructure/http/unsent-bytes';
import { ClientSocket } from '../../infrastructure/sockets/client-socket';
import { SocketMetrics } from '../../infrastructure/sockets/socket-metrics';
import { isWebSocket, takeOver } from '../../infrastructure/sockets/upgrades';
import { Handshakes } from './handshakes';
import { OpenSockets } from './open-sockets';
import type { SocketHolder } from './socket-holder';

/** RFC 6455, section 4.1: sixteen bytes in base64. */
const KEY = /^[+/0-9A-Za-z]{22}==$/;
const VERSION = '13';

/** The HTTP routes that become WebSockets. Everything that is refused is refused as HTTP, before the upgrade. */
@Injectable()
export class SocketRoutes {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly handshakes: Handshakes,
    private readonly sockets: OpenSockets,
    private readonly metrics: SocketMetrics,
    private readonly unsent: UnsentBytes,
  ) {}

  /** Opens sockets of a path, and emits each as a connection of this server. */
  serve(path: string, webSockets: WebSocketServer): void {
    const sent = this.metrics.counter(path, 'sent');
    this.host.httpAdapter.getInstance<FastifyInstance>().get(path, async (request, reply) => {
      refuseOthers(request);
      const holder = await this.handshakes.admit(request, reply);
      this.sockets.refuseBeyondBound(holder.accountId);
      this.open(request, reply, webSockets, (webSocket) => {
        const unsent = this.unsent.shareOf(holder.accountId);
        const socket = new ClientSocket<SocketHolder>(webSocket, path, holder, sent, unsent);
        webSockets.emit('connection', socket);
        this.sockets.add(socket);
      });
      return reply;
    });
  }

  private open(
    request: FastifyRequest,
    reply: FastifyReply,
    webSockets: WebSocketServer,
    opened: (webSocket: WebSocket) => void,
  ): void {
    const { raw } = request;
    const socket: Socket = raw.socket;
    const head = takeOver(raw, reply.raw);
    if (head === null) {
      throw new ShuttingDown();
    }
    reply.hijack();
    webSockets.handleUpgrade(raw, socket, head, opened);
  }
}

/** @throws ApiError for a request that can't become a WebSocket */
function refuseOthers({ raw, headers }: FastifyRequest): void {
  const isAsked = isWebSocket(raw) && headers['sec-websocket-version'] === VERSION;
  if (!isAsked) {
    throw new ApiError(426, 'Upgrade Required', 'This path is a WebSocket.', {
      headers: { Upgrade: 'websocket', Connection: 'Upgrade', 'Sec-WebSocket-Version': VERSION },
    });
  }
  if (!KEY.test(headers['sec-websocket-key'] ?? '')) {
    throw new ApiError(400, 'Bad Request', 'Sec-WebSocket-Key is not valid.');
  }
}

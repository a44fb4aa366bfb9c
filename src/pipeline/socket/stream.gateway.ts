import { UseFilters } from '@nestjs/common';
import { SubscribeMessage, WebSocketGateway, type OnGatewayDisconnect } from '@nestjs/websockets';
import { StreamCancel, StreamGenerate } from '../../../generated/dto/sockets';
import { readMessage } from './read-message';
import { SocketErrorFilter } from './socket-error.filter';
import type { OpenSocket } from './socket-holder';
import { StreamCalls } from './stream-calls';

/** Calls whose answers are streamed, several at once on one socket. */
@UseFilters(SocketErrorFilter)
@WebSocketGateway({ path: '/api/ws/stream' })
export class StreamGateway implements OnGatewayDisconnect<OpenSocket> {
  constructor(private readonly calls: StreamCalls) {}

  @SubscribeMessage('generate')
  generate(socket: OpenSocket, message: unknown): void {
    this.calls.begin(socket, readMessage(StreamGenerate, message));
  }

  @SubscribeMessage('cancel')
  cancel(socket: OpenSocket, message: unknown): void {
    this.calls.cancel(socket, readMessage(StreamCancel, message).id);
  }

  handleDisconnect(socket: OpenSocket): void {
    this.calls.leave(socket);
  }
}

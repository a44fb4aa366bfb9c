import { UseFilters } from '@nestjs/common';
import {
  type OnGatewayConnection,
  type OnGatewayDisconnect,
  SubscribeMessage,
  WebSocketGateway,
} from '@nestjs/websockets';
import { readMessage } from '../../contract/request-validator';
import { UnsentBytes } from '../../http/http-server';
import { CLOSE_CODES } from '../../http/sockets/socket.limits';
import type { OpenSocket } from '../../pipeline/socket/open-sockets';
import { SocketErrors } from '../../pipeline/socket/socket.adapter';
import { eventText, memberText } from './local-room';
import type { EnteredRoom } from './room';
import { RoomVisitor, RoomVisits } from './room-sessions';

@UseFilters(SocketErrors)
@WebSocketGateway({ path: '/api/ws/collaborate' })
export class CollaborateGateway implements OnGatewayConnection<OpenSocket>, OnGatewayDisconnect<OpenSocket> {
  private readonly visitors = new WeakMap<OpenSocket, RoomVisitor>();

  constructor(
    private readonly visits: RoomVisits,
    private readonly unsent: UnsentBytes,
  ) {}

  handleConnection(socket: OpenSocket): void {
    const listener = {
      send: (text: string) => socket.send(text),
      lost: () => socket.close(CLOSE_CODES.restart, 'join again'),
    };
    this.visitors.set(socket, new RoomVisitor(socket.holder.accountId, listener));
  }

  handleDisconnect(socket: OpenSocket): void {
    void this.visits.go(this.visitorOf(socket));
  }

  @SubscribeMessage('join')
  async join(socket: OpenSocket, sent: unknown): Promise<void> {
    const { id, room, data, last_version: lastVersion, last_seq: lastSeq } = readMessage('RoomJoin', sent);
    if (!(await hasRoom(socket))) {
      return;
    }
    this.unsent.refuseMore(socket.holder.accountId);
    const visit = {
      name: room,
      presence: data ?? {},
      lastVersion: lastVersion ?? null,
      lastSeq: lastSeq ?? null,
    };
    await this.visits.join(this.visitorOf(socket), visit, (memberId, entered) =>
      socket.send(joinedText({ id: id ?? null, room, memberId }, socket.holder.accountId, entered)),
    );
  }

  @SubscribeMessage('leave')
  async leave(socket: OpenSocket, sent: unknown): Promise<void> {
    const { id, room } = readMessage('RoomLeave', sent);
    await this.visits.leave(this.visitorOf(socket), room);
    acknowledge(socket, { id, room });
  }

  @SubscribeMessage('message')
  async message(socket: OpenSocket, sent: unknown): Promise<void> {
    const { id, room, data, idempotency_key: key } = readMessage('RoomMessage', sent);
    const { seq } = await this.visits.say(this.visitorOf(socket), room, data, key ?? null);
    acknowledge(socket, { id, room, seq });
  }

  @SubscribeMessage('presence')
  async presence(socket: OpenSocket, sent: unknown): Promise<void> {
    const { id, room, data } = readMessage('RoomSetPresence', sent);
    await this.visits.setPresence(this.visitorOf(socket), room, data);
    acknowledge(socket, { id, room });
  }

  @SubscribeMessage('update')
  async update(socket: OpenSocket, sent: unknown): Promise<void> {
    const {
      id,
      room,
      data,
      base_version: baseVersion,
      idempotency_key: key,
    } = readMessage('RoomUpdate', sent);
    if (!(await hasRoom(socket))) {
      return;
    }
    const change = { baseVersion, idempotencyKey: key ?? null };
    const { seq, version } = await this.visits.change(this.visitorOf(socket), room, data, change);
    acknowledge(socket, { id, room, seq, version: version ?? 0 });
  }

  @SubscribeMessage('ping')
  ping(socket: OpenSocket, sent: unknown): void {
    const { id } = readMessage('RoomPing', sent);
    acknowledge(socket, { id });
  }

  private visitorOf(socket: OpenSocket): RoomVisitor {
    const visitor = this.visitors.get(socket);
    if (!visitor) {
      throw new Error('a socket sent a message before it was open');
    }
    return visitor;
  }
}

/** A reading client would otherwise be closed for one large answer, a whole state. @returns whether it is open */
async function hasRoom(socket: OpenSocket): Promise<boolean> {
  await socket.hasRead();
  return socket.isOpen;
}

function acknowledge(
  socket: OpenSocket,
  done: { id: string | undefined; room?: string; seq?: number; version?: number },
): void {
  if (done.id !== undefined) {
    socket.send(JSON.stringify({ type: 'ack', ...done }));
  }
}

function joinedText(
  { id, room, memberId }: { id: string | null; room: string; memberId: string },
  accountId: string,
  { seq, version, state, members, missed }: EnteredRoom,
): string {
  const events = (missed ?? []).map((event) => eventText({ accountId, name: room }, event));
  const head = JSON.stringify({ type: 'joined', id, room, member_id: memberId, seq, version }).slice(0, -1);
  const lists = `"members":[${members.map(memberText).join(',')}],"missed":[${events.join(',')}]`;
  return `${head},${lists},"state":${missed === null ? state : 'null'}}`;
}

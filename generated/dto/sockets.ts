// Generated from openapi/ by `npm run generate`. Do not edit.
import { IsIn, IsInt, IsString, Max, Min, ValidateIf } from 'class-validator';
import { MatchesSchema } from '../../src/contract/validate-dto';
import type * as types from '../types';

/** Begins a call whose answer is streamed. A socket may have eight of them under way. */
@MatchesSchema('StreamGenerate')
export class StreamGenerate implements types.StreamGenerate {
  /** What to do. */
  @IsIn(['generate'])
  @IsString()
  action!: 'generate';

  /** Chosen by the client; the answers to the message carry it. */
  @MatchesSchema('StreamGenerate/properties/id')
  id!: types.StreamGenerate['id'];

  /** The operationId of any operation of the OpenAPI document that answers with server-sent events too. */
  @MatchesSchema('StreamGenerate/properties/operation')
  operation!: types.StreamGenerate['operation'];

  /** The body that the operation takes over HTTP; `stream` is set to true. */
  @MatchesSchema('StreamGenerate/properties/payload')
  payload!: types.StreamGenerate['payload'];

  /** A message that is sent again under the same key within 24 hours, also on another socket, is not done again: its answer is that of the first. A room forgets a key sooner once 20,000 messages and updates have followed it there. Another message under the same key is refused with 422. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('StreamGenerate/properties/idempotency_key')
  idempotency_key?: types.StreamGenerate['idempotency_key'];
}

/** Ends a call that is under way. What was delivered is charged, as when a client leaves over HTTP; `done` tells how much. A call that has ended is answered with 404. */
@MatchesSchema('StreamCancel')
export class StreamCancel implements types.StreamCancel {
  /** What to do. */
  @IsIn(['cancel'])
  @IsString()
  action!: 'cancel';

  /** Chosen by the client; the answers to the message carry it. */
  @MatchesSchema('StreamCancel/properties/id')
  id!: types.StreamCancel['id'];
}

/** Enters a room. Who was there before tells what it has seen by `last_seq` or `last_version`, and gets the messages and updates that it missed; where these are not all kept, the whole state. */
@MatchesSchema('RoomJoin')
export class RoomJoin implements types.RoomJoin {
  /** What to do. */
  @IsIn(['join'])
  @IsString()
  action!: 'join';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomJoin/properties/id')
  id?: types.RoomJoin['id'];

  /** A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms. */
  @MatchesSchema('RoomJoin/properties/room')
  room!: types.RoomJoin['room'];

  /** What a member tells of itself, such as a name or a cursor; at most 4 KiB as JSON. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomJoin/properties/data')
  data?: types.RoomJoin['data'];

  /** The version of the state that the client has. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(0)
  @Max(9007199254740991)
  @IsInt()
  last_version?: number;

  /** Of the last message or update that the client saw; tells more exactly than `last_version`. */
  @ValidateIf((_, value) => value !== undefined)
  @Min(0)
  @Max(9007199254740991)
  @IsInt()
  last_seq?: number;
}

/** Leaves a room. */
@MatchesSchema('RoomLeave')
export class RoomLeave implements types.RoomLeave {
  /** What to do. */
  @IsIn(['leave'])
  @IsString()
  action!: 'leave';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomLeave/properties/id')
  id?: types.RoomLeave['id'];

  /** A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms. */
  @MatchesSchema('RoomLeave/properties/room')
  room!: types.RoomLeave['room'];
}

/** Says something to all members, in the order of the room; the sender gets it too. */
@MatchesSchema('RoomMessage')
export class RoomMessage implements types.RoomMessage {
  /** What to do. */
  @IsIn(['message'])
  @IsString()
  action!: 'message';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomMessage/properties/id')
  id?: types.RoomMessage['id'];

  /** A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms. */
  @MatchesSchema('RoomMessage/properties/room')
  room!: types.RoomMessage['room'];

  /** Anything; the service does not look at it. */
  @MatchesSchema('RoomMessage/properties/data')
  data!: types.RoomMessage['data'];

  /** A message that is sent again under the same key within 24 hours, also on another socket, is not done again: its answer is that of the first. A room forgets a key sooner once 20,000 messages and updates have followed it there. Another message under the same key is refused with 422. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomMessage/properties/idempotency_key')
  idempotency_key?: types.RoomMessage['idempotency_key'];
}

/** Replaces what the member tells of itself. Others may get only the latest of several. */
@MatchesSchema('RoomSetPresence')
export class RoomSetPresence implements types.RoomSetPresence {
  /** What to do. */
  @IsIn(['presence'])
  @IsString()
  action!: 'presence';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomSetPresence/properties/id')
  id?: types.RoomSetPresence['id'];

  /** A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms. */
  @MatchesSchema('RoomSetPresence/properties/room')
  room!: types.RoomSetPresence['room'];

  /** What a member tells of itself, such as a name or a cursor; at most 4 KiB as JSON. */
  @MatchesSchema('RoomSetPresence/properties/data')
  data!: types.RoomSetPresence['data'];
}

/** Changes the shared state by a JSON merge patch (RFC 7396). Refused with 409 and the present state where the state has another version than `base_version`; of two updates of the same version exactly one wins. Refused with 429 while the account's updates have read and written too much of states: 8 MiB a second on a replica, 16 MiB at once. Refused with 409 without a state, as a message is, where the account stores as many bytes in all as it may. */
@MatchesSchema('RoomUpdate')
export class RoomUpdate implements types.RoomUpdate {
  /** What to do. */
  @IsIn(['update'])
  @IsString()
  action!: 'update';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomUpdate/properties/id')
  id?: types.RoomUpdate['id'];

  /** A room of the account; it is made when somebody joins it first. Rooms of other accounts with the same name are other rooms. */
  @MatchesSchema('RoomUpdate/properties/room')
  room!: types.RoomUpdate['room'];

  /** The merge patch. A member that is null is removed. The state may have 256 KiB as JSON, and 10,000 names of members. */
  @MatchesSchema('RoomUpdate/properties/data')
  data!: types.RoomUpdate['data'];

  /** The version of the room's state. It grows by one with each update; 0 is the empty state. */
  @Min(0)
  @Max(9007199254740991)
  @IsInt()
  base_version!: number;

  /** A message that is sent again under the same key within 24 hours, also on another socket, is not done again: its answer is that of the first. A room forgets a key sooner once 20,000 messages and updates have followed it there. Another message under the same key is refused with 422. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomUpdate/properties/idempotency_key')
  idempotency_key?: types.RoomUpdate['idempotency_key'];
}

/** Asks whether the service is there. It answers with `ack`. */
@MatchesSchema('RoomPing')
export class RoomPing implements types.RoomPing {
  /** What to do. */
  @IsIn(['ping'])
  @IsString()
  action!: 'ping';

  /** Chosen by the client; the answers to the message carry it. */
  @ValidateIf((_, value) => value !== undefined)
  @MatchesSchema('RoomPing/properties/id')
  id?: types.RoomPing['id'];
}

/** Which class a message has, by the path of its socket and its action. */
export const socketActions = {
  stream: { generate: StreamGenerate, cancel: StreamCancel },
  collaborate: { join: RoomJoin, leave: RoomLeave, message: RoomMessage, presence: RoomSetPresence, update: RoomUpdate, ping: RoomPing },
} as const;

/** What the service sends on stream. */
export type StreamAnswer = types.StreamStart | types.StreamDelta | types.StreamDone | types.SocketError;

/** What the service sends on collaborate. */
export type CollaborateAnswer = types.RoomJoined | types.RoomMemberJoined | types.RoomMemberLeft | types.RoomPresenceChanged | types.RoomMessageSent | types.RoomUpdated | types.RoomAck | types.SocketError;

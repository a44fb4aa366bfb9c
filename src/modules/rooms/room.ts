import { apiError, ServiceUnavailable } from '../../errors/api-errors';
import type { ConcurrencyBounds } from '../../runtime/concurrency-limit';

export interface RoomKey {
  readonly accountId: string;
  readonly name: string;
}

export interface RoomPlace {
  readonly seq: number;
  /** The version that an update made; null for a message. */
  readonly version: number | null;
}

/** Something that was said or changed. `data` is JSON text. */
export interface RoomEvent extends RoomPlace {
  readonly memberId: string;
  readonly data: string;
  readonly createdAt: Date;
}

/** Somebody in a room. `presence` is JSON text. */
export interface RoomMemberRow {
  readonly id: string;
  readonly presence: string;
  readonly joinedAt: Date;
}

export interface RoomMembersNow {
  readonly members: readonly RoomMemberRow[];
  /** Another one where somebody else is there, or tells something else of itself. */
  readonly print: string;
}

/** A room as it is when somebody enters. `state` is JSON text. */
export interface EnteredRoom {
  readonly seq: number;
  readonly version: number;
  readonly state: string;
  readonly members: RoomMemberRow[];
  /** What was missed; null where not all of it is kept, or it is too much. */
  readonly missed: RoomEvent[] | null;
}

/** The text that stands for a room in maps and signals. Ids have no space. */
export function textOf({ accountId, name }: RoomKey): string {
  return `${accountId} ${name}`;
}

export const ROOMS_PER_ACCOUNT_MAX = 200;
/** Members of one room, on all replicas. */
export const MEMBERS_PER_ROOM_MAX = 100;
export const ROOMS_PER_SOCKET_MAX = 20;
export const STATE_BYTES_MAX = 256 * 1024;
/** Of what a member tells of itself, as JSON. */
export const PRESENCE_BYTES_MAX = 4 * 1024;
export const STATE_DEPTH_MAX = 64;
/** Names of members in a state: each update parses and writes all of them, at one or two microseconds each. */
export const STATE_NAMES_MAX = 10_000;
/** Messages and updates of a room that are kept for who comes back. */
export const EVENTS_KEPT_MAX = 200;
export const EVENTS_KEPT_MS = 24 * 60 * 60 * 1000;
/** How long the idempotency key of a message or an update is remembered. */
export const KEYS_KEPT_MS = 24 * 60 * 60 * 1000;
/** Messages and updates of a room after which a key is forgotten sooner: the storage of a room has to have an end. */
export const KEYS_KEPT_MAX = 20_000;
/** Of states that updates of one account read and write in one process, on average over time. */
export const STATE_BYTES_PER_SECOND_MAX = 8 * 1024 * 1024;
/** The same at once, after a time of silence. */
export const STATE_BYTES_AT_ONCE_MAX = 16 * 1024 * 1024;
/** Of the texts of what was missed; who missed more gets the state. */
export const MISSED_BYTES_MAX = 512 * 1024;
export const ROOM_KEPT_MS = 90 * 24 * 60 * 60 * 1000;
export const STRANDED_AFTER_MS = 60 * 1000;
/** The share of the connections to the database that visits to rooms may hold: the ledger needs the others. */
const VISITS_SHARE_OF_POOL = 1 / 5;
const VISIT_WAIT_MS_MAX = 5_000;
/** A visit holds a connection and waits with it for a room's lock: an account has half, and keeps nobody out. */
export function visitTurns(poolSizeMax: number): ConcurrencyBounds {
  const atOnceMax = Math.max(1, Math.floor(poolSizeMax * VISITS_SHARE_OF_POOL));
  return {
    atOnceMax,
    accountAtOnceMax: Math.max(1, Math.floor(atOnceMax / 2)),
    waitMsMax: VISIT_WAIT_MS_MAX,
  };
}
/** Of one process: reads of what was said that are under way. */
export const EVENT_READS_AT_ONCE_MAX = 3;
/** Rooms whose members are read together, one read after the other; they have 8 MiB of presence at most. */
export const ROOMS_PER_MEMBER_READ_MAX = 20;
/** How often a replica looks whether it missed a signal, where signals are known to be lost. */
export const LOOKED_EVERY_MS = 1_000;
/** Of LOOKED_EVERY_MS: how often a replica says that it is alive, and looks where it hears signals too. */
export const LOOKS_PER_HEARTBEAT = 5;
/** A replica that has not said for so long that it is alive is dead, and its members are gone. */
export const REPLICA_LEASE_SECONDS = 15;

/** 409: the state has another version than the one that an update was made for. */
export class StaleVersion extends apiError(
  409,
  'Conflict',
  (version: number, _state: unknown) =>
    `The state has version ${version}; apply your change to it and send it again.`,
  (version, state) => ({ fields: { version, state } }),
) {}

/** 429: the account's updates have read and written more of states than they may. */
export class StatesTooFast extends apiError(
  429,
  'Too many messages',
  (_retryAfterSeconds: number) => 'Updates of large states come too fast.',
  (retryAfterSeconds) => ({ fields: { retry_after: retryAfterSeconds } }),
) {}

export class NotInRoom extends apiError(409, 'Conflict', () => 'Join the room first.') {}

/** 503: so much is done in rooms that a visit has waited too long for its turn. Nothing was done. */
export class RoomsBusy extends ServiceUnavailable {
  constructor() {
    super('Too much is being done in rooms; send this message again.', 1);
  }
}

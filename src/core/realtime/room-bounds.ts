import type { TurnBounds } from '../../infrastructure/turns/account-turns';

/** Rooms of one account. */
export const ROOMS_PER_ACCOUNT_MAX = 200;
/** Members of one room, on all replicas. */
export const MEMBERS_PER_ROOM_MAX = 100;
/** Of one socket. */
export const ROOMS_PER_SOCKET_MAX = 20;
/** Of a room's state as JSON. */
export const STATE_BYTES_MAX = 256 * 1024;
/** Of what a member tells of itself, as JSON. */
export const PRESENCE_BYTES_MAX = 4 * 1024;
/** How deep a state may be nested. */
export const STATE_DEPTH_MAX = 64;
/** Names of members in a state: each update parses and writes all of them, at one or two microseconds each. */
export const STATE_NAMES_MAX = 10_000;
/** Messages and updates of a room that are kept for who comes back. */
export const EVENTS_KEPT_MAX = 200;
/** How long they are kept at most. */
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
/** How long a room is kept that nobody enters. */
export const ROOM_KEPT_MS = 90 * 24 * 60 * 60 * 1000;
/** How long a member whose replica holds no lease is left alone. */
export const STRANDED_AFTER_MS = 60 * 1000;
/** The share of the connections to the database that visits to rooms may hold: the ledger needs the others. */
const VISITS_SHARE_OF_POOL = 1 / 5;
/** How long a visit waits for its turn before it is refused. */
const VISIT_WAIT_MS_MAX = 5_000;
/**
 * What visitors do in rooms at once in one process, those of all accounts in turns; each holds a connection to the database,
 * and waits with it where others have locked the room. An account has half of the places, so that one which waits for its
 * own room keeps nobody out. How much waits the bounds of sockets and their messages say.
 * @param poolSizeMax how many connections the process has
 */
export function visitTurns(poolSizeMax: number): TurnBounds {
  const atOnceMax = Math.max(1, Math.floor(poolSizeMax * VISITS_SHARE_OF_POOL));
  return {
    atOnceMax,
    accountAtOnceMax: Math.max(1, Math.floor(atOnceMax / 2)),
    waitingMax: Infinity,
    accountWaitingMax: Infinity,
    waitingBytesMax: Infinity,
    accountWaitingBytesMax: Infinity,
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

import { createHash } from 'node:crypto';
import { Global, Injectable, Module } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import { lockAccount } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { countOf, deleteInBatches, inBatches } from '../../database/bounded-statements';
import { brokenUniqueness } from '../../database/driver-errors';
import { Conflict, Unprocessable } from '../../errors/api-errors';
import { Clock } from '../../runtime/clock';
import { timed } from '../../work/timers';
import {
  type EnteredRoom,
  EVENTS_KEPT_MS,
  type RoomEvent,
  type RoomKey,
  type RoomMemberRow,
  type RoomPlace,
} from './room';
import { beginningOf, FORGET_ROOMS, forgetEmptyRoom, MEMBERS, rowsOf } from './room-members.repository';

const ROOMS_PER_ACCOUNT_MAX = 200;
const MEMBERS_PER_ROOM_MAX = 100;
const EVENTS_KEPT_MAX = 200;
const KEYS_KEPT_MS = 24 * 60 * 60 * 1000;
/** Beyond this many events a key is forgotten sooner, because a room's storage has to be bounded. */
export const KEYS_KEPT_MAX = 20_000;
/** Of missed events; whoever missed more gets the state. */
const MISSED_BYTES_MAX = 512 * 1024;
const ROOM_KEPT_MS = 90 * 24 * 60 * 60 * 1000;
const STRANDED_AFTER_MS = 60 * 1000;

const SWEEP_BATCHES = { sizeMax: 1_000, batchesMax: 20 };
/** Keys outlive their events, so most end only by the sweep; their rows are small. */
const KEY_BATCHES = { sizeMax: 5_000, batchesMax: 60 };

export interface Entry {
  readonly memberId: string;
  readonly replicaId: string;
  readonly presence: string;
  readonly lastVersion: number | null;
  readonly lastSeq: number | null;
}

export interface NewEvent {
  readonly memberId: string;
  readonly data: string;
  readonly idempotencyKey: string | null;
}

interface StoredEvent {
  readonly place: RoomPlace;
  /** Null where the place is that of an earlier message with the same key. */
  readonly event: RoomEvent | null;
}

@Injectable()
export class Rooms {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
  ) {}

  /** The lock keeps events from falling between the state and the first delivery. @throws Conflict where it is full */
  async enter(room: RoomKey, entry: Entry): Promise<EnteredRoom> {
    const now = this.clock.now();
    const own = [room.accountId, room.name];
    return this.databases.of(room.accountId).transaction(async (manager) => {
      const row = (await lock(manager, room)) ?? (await make(manager, room, now));
      const members: RoomMemberRow[] = await manager.query(MEMBERS, own);
      if (members.length >= MEMBERS_PER_ROOM_MAX) {
        throw new Conflict(`The room has ${MEMBERS_PER_ROOM_MAX} members.`);
      }
      await manager.query(
        `INSERT INTO room_members (account_id, room, member_id, replica_id, presence, joined_at)
         VALUES ($1, $2, $3, $4, $5, $6)`,
        [...own, entry.memberId, entry.replicaId, entry.presence, now],
      );
      await manager.query('UPDATE rooms SET used_at = $3 WHERE account_id = $1 AND name = $2', [...own, now]);
      return {
        ...row,
        members: [...members, { id: entry.memberId, presence: entry.presence, joinedAt: now }],
        missed: await missedBy(manager, room, entry, row.seq),
      };
    });
  }

  async state({ accountId, name }: RoomKey): Promise<{ version: number; state: string } | null> {
    const [row]: RoomRow[] = await this.databases.of(accountId).query(ROOM, [accountId, name]);
    return row ?? null;
  }

  /** Null where the last day has none. @throws Unprocessable where it differs in content or kind */
  async earlier(
    { accountId, name }: RoomKey,
    kind: 'message' | 'update',
    { idempotencyKey, data }: Pick<NewEvent, 'idempotencyKey' | 'data'>,
  ): Promise<RoomPlace | null> {
    if (idempotencyKey === null) {
      return null;
    }
    const values = [accountId, name, idempotencyKey];
    const [row]: (RoomPlace & { dataHash: Buffer })[] = await this.databases
      .of(accountId)
      .query(EARLIER, values);
    if (!row) {
      return null;
    }
    const { dataHash, ...place } = row;
    const hash = createHash('sha256').update(data).digest();
    if ((place.version === null) !== (kind === 'message') || !dataHash.equals(hash)) {
      throw new Unprocessable('This idempotency_key was used for another message.');
    }
    return place;
  }

  async say(room: RoomKey, event: NewEvent): Promise<StoredEvent> {
    const stored = await this.change(room, event, null);
    if (!stored) {
      throw new Conflict('The room is gone; join it again.');
    }
    return stored;
  }

  /** Null where the state has another version. An idempotency key that is just being stored is refused by the index. */
  async change(
    room: RoomKey,
    event: NewEvent,
    next: { baseVersion: number; state: string } | null,
  ): Promise<StoredEvent | null> {
    const kind = next ? 'update' : 'message';
    const earlier = await this.earlier(room, kind, event);
    if (earlier) {
      return { place: earlier, event: null };
    }
    const { memberId, data, idempotencyKey } = event;
    const values = [room.accountId, room.name, memberId, data, idempotencyKey, this.clock.now()];
    const database = this.databases.of(room.accountId);
    try {
      const [made]: RoomEvent[] = await (next
        ? database.query(CHANGE, [...values, next.baseVersion, next.state])
        : database.query(SAY, values));
      return made ? { place: made, event: made } : null;
    } catch (error) {
      const known = brokenUniqueness(error) ? await this.earlier(room, kind, event) : null;
      if (!known) {
        throw error;
      }
      return { place: known, event: null };
    }
  }

  async since({ accountId, name }: RoomKey, seq: number): Promise<RoomEvent[]> {
    return this.databases.of(accountId).query(SINCE, [accountId, name, seq, EVENTS_KEPT_MAX]);
  }

  async places(rooms: readonly RoomKey[]): Promise<(RoomKey & { seq: number })[]> {
    return rowsOf(this.databases, PLACES, rooms);
  }

  /** Deletes old events and keys, stranded members, and rooms that nobody entered for 90 days. */
  async sweep(now: Date, signal?: AbortSignal): Promise<void> {
    await this.databases.inEach((database) => this.sweepOf(database, now, signal));
  }

  private async sweepOf(database: DataSource, now: Date, signal?: AbortSignal): Promise<void> {
    const bounds = { ...SWEEP_BATCHES, signal };
    const before = (keptMs: number) => new Date(now.getTime() - keptMs);
    await deleteInBatches(database, FORGET_EVENTS, before(EVENTS_KEPT_MS), bounds);
    await deleteInBatches(database, FORGET_KEYS, before(KEYS_KEPT_MS), { ...KEY_BATCHES, signal });
    await deleteInBatches(database, FORGET_STRANDED, before(STRANDED_AFTER_MS), bounds);
    await inBatches(bounds, async (sizeMax) => {
      const forgotten = [before(ROOM_KEPT_MS), sizeMax];
      const [row]: { rooms: string }[] = await database.query(FORGET_ROOMS, forgotten);
      return Number(row?.rooms);
    });
  }
}

async function lock(manager: EntityManager, { accountId, name }: RoomKey): Promise<RoomRow | undefined> {
  const [row]: RoomRow[] = await manager.query(`${ROOM} FOR NO KEY UPDATE`, [accountId, name]);
  return row;
}

async function make(manager: EntityManager, room: RoomKey, now: Date): Promise<RoomRow> {
  // Without the lock two new rooms would not count each other.
  await lockAccount(manager, room.accountId);
  const rooms = await countOf(manager, 'rooms WHERE account_id = $1', [room.accountId]);
  const made = await lock(manager, room);
  if (made) {
    return made;
  }
  if (rooms >= ROOMS_PER_ACCOUNT_MAX && !(await forgetEmptyRoom(manager, room.accountId, now))) {
    throw new Conflict(
      `The account has ${ROOMS_PER_ACCOUNT_MAX} rooms. One whose state is {} makes place for another once nobody is there and ` +
        'nobody has come, said or changed anything for a day.',
    );
  }
  const { seq, version } = await beginningOf(manager, room.accountId);
  await manager.query(
    `INSERT INTO rooms (account_id, name, seq, version, state, used_at) VALUES ($1, $2, $3, $4, '{}', $5)`,
    [room.accountId, room.name, seq, version, now],
  );
  return { seq, version, state: '{}' };
}

/** Null where the state has to be sent: to newcomers, and where missed events are no longer all kept. */
async function missedBy(
  manager: EntityManager,
  room: RoomKey,
  { lastVersion, lastSeq }: Entry,
  seq: number,
): Promise<RoomEvent[] | null> {
  const from = lastSeq ?? (await placeOf(manager, room, lastVersion));
  if (from === null || from > seq || seq - from > EVENTS_KEPT_MAX) {
    return null;
  }
  const values = [room.accountId, room.name, from, MISSED_BYTES_MAX];
  const missed: RoomEvent[] = await manager.query(MISSED, values);
  return missed.length === seq - from ? missed : null;
}

async function placeOf(
  manager: EntityManager,
  room: RoomKey,
  version: number | null,
): Promise<number | null> {
  const [row]: { seq: number }[] = await manager.query(
    'SELECT seq::float8 AS seq FROM room_events WHERE account_id = $1 AND room = $2 AND version = $3',
    [room.accountId, room.name, version],
  );
  return row?.seq ?? (version === 0 ? 0 : null);
}

type RoomRow = Pick<EnteredRoom, 'seq' | 'version' | 'state'>;

/** A bigint would come as text. No room has more places than a number can count. */
const PLACE = 'seq::float8 AS seq, version::float8 AS version';

const ROOM = `SELECT ${PLACE}, state FROM rooms WHERE account_id = $1 AND name = $2`;

const COLUMNS = `${PLACE}, member_id AS "memberId", data, created_at AS "createdAt"`;

const EVENTS = `SELECT ${COLUMNS} FROM room_events WHERE account_id = $1 AND room = $2 AND room_events.seq > $3`;

const SINCE = `${EVENTS} ORDER BY room_events.seq LIMIT $4`;

const PLACES = `
  SELECT account_id AS "accountId", name, seq::float8 AS seq FROM rooms
  JOIN unnest($1::uuid[], $2::text[]) AS wanted (account_id, name) USING (account_id, name)`;

/** Empty where too large, so that a process never holds more than the bound. */
const MISSED = `
  ${EVENTS}
    AND (SELECT sum(octet_length(data)) FROM room_events WHERE account_id = $1 AND room = $2 AND seq > $3) <= $4
  ORDER BY room_events.seq`;

const DATA_HASH = `sha256(convert_to(data, 'UTF8'))`;
const keyHash = (key: string) => `sha256(convert_to(${key}, 'UTF8'))`;

/** A key stands with its event while that is kept, and then in room_keys. */
const EARLIER = `
  SELECT ${PLACE}, ${DATA_HASH} AS "dataHash" FROM room_events
  WHERE account_id = $1 AND room = $2 AND idempotency_key = $3
  UNION ALL
  SELECT ${PLACE}, data_hash FROM room_keys
  WHERE account_id = $1 AND room = $2 AND key_hash = ${keyHash('$3')}`;

/** The change of its place locks the room's row, so places follow the order of commits. */
const append = (change: string, where: string) => `
  WITH place AS (
    UPDATE rooms SET seq = seq + 1, used_at = $6${change}
    WHERE account_id = $1 AND name = $2${where} RETURNING seq, version
  ), forgotten AS (
    DELETE FROM room_events USING place
    WHERE account_id = $1 AND room = $2 AND room_events.seq <= place.seq - ${EVENTS_KEPT_MAX}
    RETURNING room_events.*
  ), remembered AS (
    INSERT INTO room_keys (account_id, room, key_hash, seq, version, data_hash, created_at)
    SELECT account_id, room, ${keyHash('idempotency_key')}, seq, version, ${DATA_HASH}, created_at
    FROM forgotten WHERE idempotency_key IS NOT NULL
    ON CONFLICT DO NOTHING
  ), forgotten_keys AS (
    DELETE FROM room_keys USING place
    WHERE account_id = $1 AND room = $2 AND room_keys.seq <= place.seq - ${KEYS_KEPT_MAX}
  )
  INSERT INTO room_events (account_id, room, seq, version, member_id, data, idempotency_key, created_at)
  SELECT $1, $2, seq, ${change === '' ? 'NULL::bigint' : 'version'}, $3, $4, $5, $6 FROM place
  RETURNING ${COLUMNS}`;

const SAY = append('', '');
const CHANGE = append(', version = version + 1, state = $8', ' AND version = $7');

const FORGET_EVENTS = `
  DELETE FROM room_events WHERE (account_id, room, seq) IN (
    SELECT account_id, room, seq FROM room_events WHERE created_at <= $1 LIMIT $2)`;

const FORGET_KEYS = `
  DELETE FROM room_keys WHERE (account_id, room, key_hash) IN (
    SELECT account_id, room, key_hash FROM room_keys WHERE created_at <= $1 LIMIT $2)`;

// An entry committed just after its replica's lease ended is found by no other statement.
const FORGET_STRANDED = `
  DELETE FROM room_members WHERE (account_id, room, member_id) IN (
    SELECT account_id, room, member_id FROM room_members AS m WHERE joined_at <= $1
      AND NOT EXISTS (SELECT FROM room_replicas AS r WHERE r.replica_id = m.replica_id)
    LIMIT $2)`;

@Global()
@Module({ providers: [Rooms], exports: [Rooms] })
export class RealtimeModule {}

export const ROOM_TIMERS = [
  timed({
    name: 'OldRoomEvents',
    everyMs: 60_000,
    of: Rooms,
    work: (rooms, { now, signal }) => rooms.sweep(now, signal),
  }),
];

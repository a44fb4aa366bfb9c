import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDatabases } from '../../database/account-databases';
import {
  type EnteredRoom,
  EVENTS_KEPT_MS,
  type RoomKey,
  type RoomMemberRow,
  type RoomMembersNow,
  textOf,
} from './room';

/** A replica silent for longer is dead, and its members are gone. */
export const REPLICA_LEASE_SECONDS = 15;

/** Leases use the database's clock, because those of replicas differ. */
@Injectable()
export class RoomMembers {
  constructor(private readonly databases: AccountDatabases) {}

  async of(rooms: readonly RoomKey[]): Promise<Map<string, RoomMembersNow>> {
    const rows = await rowsOf<RoomMemberRow & PrintRow>(this.databases, MEMBERS_OF_ROOMS, rooms);
    const found = new Map<string, { members: RoomMemberRow[]; print: string }>();
    for (const { accountId, name, print, ...member } of rows) {
      const room = textOf({ accountId, name });
      const members = found.get(room)?.members ?? [];
      members.push(member);
      found.set(room, { members, print });
    }
    return found;
  }

  async prints(rooms: readonly RoomKey[]): Promise<Map<string, string>> {
    const rows = await rowsOf<PrintRow>(this.databases, PRINTS_OF_ROOMS, rooms);
    return new Map(rows.map(({ print, ...room }) => [textOf(room), print]));
  }

  async setPresence({ accountId, name }: RoomKey, memberId: string, presence: string): Promise<void> {
    await this.databases.of(accountId).query(TELL, [accountId, name, memberId, presence]);
  }

  async leave({ accountId, name }: RoomKey, memberId: string): Promise<void> {
    await this.databases.of(accountId).query(LEAVE, [accountId, name, memberId]);
  }

  /** In each schema, so that members can be joined with it. */
  async begin(replicaId: string): Promise<void> {
    await this.databases.inEach((database) => database.query(BEGIN, [replicaId, REPLICA_LEASE_SECONDS]));
  }

  /** False where others took the replica for dead. */
  async prolong(replicaId: string): Promise<boolean> {
    const prolonged = await this.databases.inEach((database) =>
      database.query<[unknown, number]>(PROLONG, [replicaId, REPLICA_LEASE_SECONDS]),
    );
    return prolonged.every(([, count]) => count === 1);
  }

  async end(replicaId: string): Promise<RoomKey[]> {
    return this.change(END, [replicaId]);
  }

  async removeDead(): Promise<RoomKey[]> {
    return this.change(REMOVE_DEAD, []);
  }

  async besides(replicaId: string, known: readonly string[]): Promise<string[]> {
    const rows: { member_id: string }[] = await this.databases.everyone.query(
      'SELECT member_id FROM room_members WHERE replica_id = $1 AND member_id <> ALL ($2::uuid[])',
      [replicaId, known],
    );
    return rows.map(({ member_id }) => member_id);
  }

  async remove(replicaId: string, memberIds: readonly string[]): Promise<RoomKey[]> {
    return memberIds.length === 0 ? [] : this.change(REMOVE, [replicaId, memberIds]);
  }

  private async change(statement: string, values: unknown[]): Promise<RoomKey[]> {
    const rows = await this.databases.inEach((database) => database.query<RoomKey[]>(statement, values));
    return rows.flat();
  }
}

type PrintRow = RoomKey & { print: string };

export const NO_MEMBERS: RoomMembersNow = { members: [], print: '' };

export async function rowsOf<Row>(
  databases: AccountDatabases,
  statement: string,
  rooms: readonly RoomKey[],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [database, together] of databases.split(rooms)) {
    const values = [together.map(({ accountId }) => accountId), together.map(({ name }) => name)];
    rows.push(...(await database.query<Row[]>(statement, values)));
  }
  return rows;
}

export const MEMBERS = `
  SELECT member_id AS id, presence, joined_at AS "joinedAt" FROM room_members JOIN room_replicas USING (replica_id)
  WHERE account_id = $1 AND room = $2 AND alive_until > now() ORDER BY joined_at, member_id`;

const OF_ROOMS = `
  FROM room_members JOIN unnest($1::uuid[], $2::text[]) AS wanted (account_id, room) USING (account_id, room)
    JOIN room_replicas USING (replica_id)
  WHERE alive_until > now()`;

// A sum, so that order does not matter.
const PRINT = 'sum(hashtextextended(member_id::text || presence, 0))';

const MEMBERS_OF_ROOMS = `
  SELECT account_id AS "accountId", room AS name, member_id AS id, presence, joined_at AS "joinedAt",
    ${PRINT} OVER (PARTITION BY account_id, room) AS print
  ${OF_ROOMS} ORDER BY joined_at, member_id`;

const PRINTS_OF_ROOMS = `
  SELECT account_id AS "accountId", room AS name, ${PRINT} AS print ${OF_ROOMS} GROUP BY account_id, room`;

const ONE_MEMBER = 'account_id = $1 AND room = $2 AND member_id = $3';
const TELL = `UPDATE room_members SET presence = $4 WHERE ${ONE_MEMBER}`;
const LEAVE = `DELETE FROM room_members WHERE ${ONE_MEMBER}`;

const BEGIN = `
  INSERT INTO room_replicas (replica_id, alive_until) VALUES ($1, now() + $2 * interval '1 second')
  ON CONFLICT (replica_id) DO NOTHING`;

const PROLONG = `UPDATE room_replicas SET alive_until = now() + $2 * interval '1 second' WHERE replica_id = $1`;

const removing = (condition: string) => `
  removed AS (DELETE FROM room_members WHERE ${condition} RETURNING account_id, room)
  SELECT DISTINCT account_id AS "accountId", room AS name FROM removed`;

const ending = (condition: string) => `
  WITH gone AS (DELETE FROM room_replicas WHERE ${condition} RETURNING replica_id),
  ${removing('replica_id IN (SELECT replica_id FROM gone)')}`;

/** Members left by a crash in between are removed by `Rooms.sweep`. */
const END = ending('replica_id = $1');
const REMOVE_DEAD = ending('alive_until <= now()');
const REMOVE = `WITH ${removing('replica_id = $1 AND member_id = ANY ($2::uuid[])')}`;

type RoomBeginning = Pick<EnteredRoom, 'seq' | 'version'>;

/** A new room begins after the places and versions of the account's deleted rooms, so that none is taken for seen. */
export async function beginningOf(manager: EntityManager, accountId: string): Promise<RoomBeginning> {
  const [row]: RoomBeginning[] = await manager.query(
    'SELECT (seq + 1)::float8 AS seq, (version + 1)::float8 AS version FROM forgotten_rooms WHERE account_id = $1',
    [accountId],
  );
  return row ?? { seq: 0, version: 0 };
}

/** The least recently used room without members and kept events. */
export async function forgetEmptyRoom(
  manager: EntityManager,
  accountId: string,
  now: Date,
): Promise<boolean> {
  const before = new Date(now.getTime() - EVENTS_KEPT_MS);
  const [row]: { rooms: string }[] = await manager.query(FORGET_EMPTY, [before, accountId]);
  return Number(row?.rooms) > 0;
}

const NOBODY_IS_THERE = `
  NOT EXISTS (SELECT FROM room_members AS m WHERE m.account_id = rooms.account_id AND m.room = rooms.name)`;

// Chosen once: Postgres may ask a subselect again for each room, which then skips the deleted ones and chooses others.
// The outer statement compares the time again, because it sees a locked row as it became. One order of writing prevents
// deadlocks.
const forgetting = (chosen: string) => `
  WITH chosen AS MATERIALIZED (
    SELECT account_id, name FROM rooms WHERE used_at <= $1 AND ${NOBODY_IS_THERE} ${chosen}
  ), gone AS (
    DELETE FROM rooms WHERE used_at <= $1 AND (account_id, name) IN (SELECT account_id, name FROM chosen)
    RETURNING account_id, seq, version
  ), kept AS (
    INSERT INTO forgotten_rooms (account_id, seq, version)
    SELECT account_id, max(seq), max(version) FROM gone GROUP BY account_id ORDER BY account_id
    ON CONFLICT (account_id) DO UPDATE SET
      seq = greatest(forgotten_rooms.seq, excluded.seq),
      version = greatest(forgotten_rooms.version, excluded.version)
  )
  SELECT count(*) AS rooms FROM gone`;

export const FORGET_ROOMS = forgetting('LIMIT $2');

const FORGET_EMPTY = forgetting(
  `AND account_id = $2 AND state = '{}' ORDER BY used_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
);

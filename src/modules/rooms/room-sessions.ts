import { type BeforeApplicationShutdown, Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions';
import { ApiError, apiError, Conflict, ServiceUnavailable, Unprocessable } from '../../errors/api-errors';
import { COUNTS_MAX, JsonCounts } from '../../http/json-text';
import { FairConcurrencyLimit } from '../../runtime/concurrency-limit';
import { newId } from '../../runtime/ids';
import { isObject, type JsonObject } from '../../runtime/json';
import type { RoomListener } from './local-room';
import { LocalRooms } from './local-rooms';
import { type EnteredRoom, type RoomKey, type RoomPlace } from './room';
import { RoomMembers } from './room-members.repository';
import { RoomSignals } from './room-signals';
import { type Entry, type NewEvent, Rooms } from './rooms.repository';

const ROOMS_PER_SOCKET_MAX = 20;
const STATE_BYTES_MAX = 256 * 1024;
const PRESENCE_BYTES_MAX = 4 * 1024;
const STATE_DEPTH_MAX = 64;
/** Names of members in a state: each update parses and writes all, at one or two microseconds each. */
const STATE_NAMES_MAX = 10_000;
/** Of states that one account's updates read and write in one process, on average. */
export const STATE_BYTES_PER_SECOND_MAX = 8 * 1024 * 1024;
/** The burst after a pause. */
export const STATE_BYTES_AT_ONCE_MAX = 16 * 1024 * 1024;

class StaleVersion extends apiError(
  409,
  'Conflict',
  (version: number, _state: unknown) =>
    `The state has version ${version}; apply your change to it and send it again.`,
  (version, state) => ({ fields: { version, state } }),
) {}

export class StatesTooFast extends apiError(
  429,
  'Too many messages',
  (_retryAfterSeconds: number) => 'Updates of large states come too fast.',
  (retryAfterSeconds) => ({ fields: { retry_after: retryAfterSeconds } }),
) {}

class NotInRoom extends apiError(409, 'Conflict', () => 'Join the room first.') {}

/** Neither argument is changed. A member `__proto__` is like any other. Source: RFC 7396, section 2. */
export function mergePatch(target: unknown, patch: JsonObject): JsonObject {
  // A map has no prototype that a member's name could mean.
  const members = new Map<string, unknown>(isObject(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      members.delete(name);
    } else {
      members.set(name, isObject(value) ? mergePatch(members.get(name), value) : value);
    }
  }
  return Object.fromEntries(members);
}

export function isDeeperThan(value: unknown, depthMax: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return false;
  }
  return depthMax === 0 || Object.values(value).some((inner) => isDeeperThan(inner, depthMax - 1));
}

const FILLED_WITHIN_MS = (STATE_BYTES_AT_ONCE_MAX / STATE_BYTES_PER_SECOND_MAX) * 1000;

/** A state's size is known only after reading: an update may overdraw the bucket, and later ones wait. */
export class StateRates {
  /** When each account's bucket is full again; the last charged stands last. */
  private readonly fullAtMs = new Map<string, number>();

  get accountCount(): number {
    return this.fullAtMs.size;
  }

  admit(accountId: string, nowMs: number): void {
    const overdrawnMs = (this.fullAtMs.get(accountId) ?? nowMs) - nowMs - FILLED_WITHIN_MS;
    if (overdrawnMs > 0) {
      throw new StatesTooFast(Math.ceil(overdrawnMs / 1000));
    }
  }

  charge(accountId: string, bytes: number, nowMs: number): void {
    const fullAtMs = Math.max(this.fullAtMs.get(accountId) ?? nowMs, nowMs);
    this.fullAtMs.delete(accountId);
    this.fullAtMs.set(accountId, fullAtMs + (bytes / STATE_BYTES_PER_SECOND_MAX) * 1000);
    this.forgetFull(nowMs);
  }

  /** Buckets refill within seconds of the last charge, so order of charge is nearly order of refill. */
  private forgetFull(nowMs: number): void {
    for (const [accountId, fullAtMs] of this.fullAtMs) {
      if (fullAtMs > nowMs) {
        return;
      }
      this.fullAtMs.delete(accountId);
    }
  }
}

export class RoomVisitor {
  readonly rooms = new Map<string, string>();
  hasGone = false;

  constructor(
    readonly accountId: string,
    readonly listener: RoomListener,
  ) {}

  room(name: string): RoomKey {
    return { accountId: this.accountId, name };
  }

  memberIn(name: string): string {
    const memberId = this.rooms.get(name);
    if (memberId === undefined) {
      throw new NotInRoom();
    }
    return memberId;
  }
}

/** Of the database connections: the ledger needs the others. */
const VISITS_SHARE_OF_POOL = 1 / 5;
const VISIT_WAIT_MS_MAX = 5_000;

/** One visit per visitor at a time, and few in all, so that connections are left. 503 where no turn comes. */
@Injectable()
export class RoomVisits implements BeforeApplicationShutdown {
  private readonly turns: FairConcurrencyLimit;
  private readonly stateRates = new StateRates();

  constructor(
    private readonly stored: Rooms,
    private readonly localRooms: LocalRooms,
    database: DataSource,
  ) {
    const { poolSize = 1 } = database.options as PostgresDataSourceOptions;
    const atOnceMax = Math.max(1, Math.floor(poolSize * VISITS_SHARE_OF_POOL));
    // A visit holds a connection while it waits for a room's lock, so an account gets only half of them.
    const accountAtOnceMax = Math.max(1, Math.floor(atOnceMax / 2));
    const bounds = { atOnceMax, accountAtOnceMax, waitMsMax: VISIT_WAIT_MS_MAX };
    const busy = () => new ServiceUnavailable('Too much is being done in rooms; send this message again.', 1);
    this.turns = new FairConcurrencyLimit(bounds, busy);
  }

  beforeApplicationShutdown(): void {
    this.turns.close();
  }

  /** @param entered is called before the visitor gets anything else of the room */
  async join(
    visitor: RoomVisitor,
    { name, presence, ...seen }: Pick<Entry, 'lastVersion' | 'lastSeq'> & { name: string; presence: object },
    entered: (memberId: string, room: EnteredRoom) => void,
  ): Promise<void> {
    if (visitor.rooms.has(name)) {
      throw new Conflict('This socket is in the room already.');
    }
    if (visitor.rooms.size >= ROOMS_PER_SOCKET_MAX) {
      throw new Conflict(`A socket may be in ${ROOMS_PER_SOCKET_MAX} rooms.`);
    }
    const memberId = newId();
    const entry = { memberId, presence: presenceText(presence), ...seen };
    await this.turns.within(visitor.accountId, () =>
      this.localRooms.enter(visitor.room(name), entry, visitor.listener, (room) => {
        visitor.rooms.set(name, memberId);
        entered(memberId, room);
      }),
    );
    if (visitor.hasGone) {
      await this.leave(visitor, name);
    }
  }

  /** The visitor gets nothing more of the room, though others may learn only by a heartbeat. @throws NotInRoom */
  async leave(visitor: RoomVisitor, name: string): Promise<void> {
    const memberId = visitor.memberIn(name);
    const room = visitor.room(name);
    visitor.rooms.delete(name);
    this.localRooms.forget(room, memberId);
    const turn = this.turns.within(visitor.accountId, () => this.localRooms.leave(room, memberId));
    await turn.catch(() => undefined);
  }

  async go(visitor: RoomVisitor): Promise<void> {
    visitor.hasGone = true;
    await Promise.all([...visitor.rooms.keys()].map((name) => this.leave(visitor, name)));
  }

  async setPresence(visitor: RoomVisitor, name: string, presence: object): Promise<void> {
    const memberId = visitor.memberIn(name);
    const text = presenceText(presence);
    await this.turns.within(visitor.accountId, () =>
      this.localRooms.setPresence(visitor.room(name), memberId, text),
    );
  }

  async say(
    visitor: RoomVisitor,
    name: string,
    data: object,
    idempotencyKey: string | null,
  ): Promise<RoomPlace> {
    const memberId = visitor.memberIn(name);
    const room = visitor.room(name);
    const said = { memberId, data: JSON.stringify(data), idempotencyKey };
    return this.turns.within(visitor.accountId, async () => {
      const { place, event } = await this.stored.say(room, said);
      if (event) {
        this.localRooms.publish(room, event);
      }
      return place;
    });
  }

  /** A small patch makes the database write all of the state. @throws NotInRoom, StaleVersion, StatesTooFast */
  async change(
    visitor: RoomVisitor,
    name: string,
    patch: JsonObject,
    { baseVersion, idempotencyKey }: { baseVersion: number; idempotencyKey: string | null },
  ): Promise<RoomPlace> {
    const memberId = visitor.memberIn(name);
    const room = visitor.room(name);
    const event = { memberId, data: JSON.stringify(patch), idempotencyKey };
    return this.turns.within(visitor.accountId, () => this.changeOnce(room, event, patch, baseVersion));
  }

  private async changeOnce(
    room: RoomKey,
    event: NewEvent,
    patch: JsonObject,
    baseVersion: number,
  ): Promise<RoomPlace> {
    this.stateRates.admit(room.accountId, performance.now());
    const present = await this.present(room);
    if (present.version !== baseVersion) {
      return this.earlierOrStale(room, event);
    }
    const state = changedState(present.state, patch);
    this.charge(room, state);
    const stored = await this.stored.change(room, event, { baseVersion, state });
    if (!stored) {
      return this.earlierOrStale(room, event);
    }
    if (stored.event) {
      this.localRooms.publish(room, stored.event);
    }
    return stored.place;
  }

  /** A retry finds the version that its first try made. @throws StaleVersion where there was no first try */
  private async earlierOrStale(room: RoomKey, event: NewEvent): Promise<RoomPlace> {
    const earlier = await this.stored.earlier(room, 'update', event);
    if (earlier) {
      return earlier;
    }
    const { version, state } = await this.present(room);
    throw new StaleVersion(version, JSON.parse(state));
  }

  private async present(room: RoomKey): Promise<{ version: number; state: string }> {
    const present = await this.stored.state(room);
    if (!present) {
      throw new Conflict('The room is gone; join it again.');
    }
    this.charge(room, present.state);
    return present;
  }

  private charge({ accountId }: RoomKey, state: string): void {
    this.stateRates.charge(accountId, Buffer.byteLength(state), performance.now());
  }
}

function changedState(state: string, patch: JsonObject): string {
  const changed = mergePatch(JSON.parse(state), patch);
  if (isDeeperThan(changed, STATE_DEPTH_MAX)) {
    throw new Unprocessable(`The state would be nested deeper than ${STATE_DEPTH_MAX} levels.`);
  }
  const text = JSON.stringify(changed);
  if (Buffer.byteLength(text) > STATE_BYTES_MAX) {
    throw new ApiError(413, 'Payload Too Large', `The state would have more than ${STATE_BYTES_MAX} bytes.`);
  }
  const fault = new JsonCounts({ ...COUNTS_MAX, names: STATE_NAMES_MAX }).take(Buffer.from(text));
  if (fault) {
    throw new Unprocessable(`The state ${fault.message}.`);
  }
  return text;
}

function presenceText(presence: object): string {
  const text = JSON.stringify(presence);
  if (Buffer.byteLength(text) > PRESENCE_BYTES_MAX) {
    throw new ApiError(413, 'Payload Too Large', `Presence may have ${PRESENCE_BYTES_MAX} bytes as JSON.`);
  }
  return text;
}

/** Needed only where members enter: it listens to signals. */
@Module({
  providers: [RoomMembers, RoomSignals, RoomVisits, LocalRooms],
  exports: [RoomVisits],
})
export class RoomVisitsModule {}

import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { errorText } from '../../errors/api-errors';
import { newId } from '../../runtime/ids';
import { LocalRoom, type RoomListener } from './local-room';
import { type EnteredRoom, type RoomEvent, type RoomKey, textOf } from './room';
import { NO_MEMBERS, RoomMembers } from './room-members.repository';
import { type RoomChange, RoomSignals, type RoomWatcher } from './room-signals';
import { type Entry, Rooms } from './rooms.repository';

const EVENT_READS_AT_ONCE_MAX = 3;
/** Per read, one after the other; they have 8 MiB of presence at most. */
const ROOMS_PER_MEMBER_READ_MAX = 20;
/** How often a replica checks for missed signals, where signals are known to be lost. */
export const LOOKED_EVERY_MS = 1_000;
/** In units of LOOKED_EVERY_MS: the interval of heartbeats, and of checks while signals arrive. */
export const LOOKS_PER_HEARTBEAT = 5;

/** In the order in which rooms changed, few at once. A change during a room's read is read next. */
export class RoomReads {
  private readonly logger = new Logger('Rooms');
  private readonly waiting = new Map<string, RoomKey>();
  private readonly beingRead = new Set<string>();
  private underWay = 0;

  /** @param read rooms that it fails for are read again a second later */
  constructor(
    private readonly bounds: { readonly atOnceMax: number; readonly roomsMax: number },
    private readonly read: (rooms: RoomKey[]) => Promise<void>,
  ) {}

  ask(room: RoomKey): void {
    this.waiting.set(textOf(room), room);
    this.begin();
  }

  private begin(): void {
    while (this.underWay < this.bounds.atOnceMax) {
      const rooms = this.next();
      if (rooms.length === 0) {
        return;
      }
      void this.run(rooms);
    }
  }

  private next(): RoomKey[] {
    const rooms: RoomKey[] = [];
    for (const [text, room] of this.waiting) {
      if (rooms.length === this.bounds.roomsMax) {
        break;
      }
      if (!this.beingRead.has(text)) {
        this.waiting.delete(text);
        rooms.push(room);
      }
    }
    return rooms;
  }

  private async run(rooms: RoomKey[]): Promise<void> {
    this.underWay += 1;
    rooms.forEach((room) => this.beingRead.add(textOf(room)));
    try {
      await this.read(rooms);
    } catch (error) {
      this.logger.warn({ message: 'rooms could not be read', count: rooms.length, error: errorText(error) });
      setTimeout(() => rooms.forEach((room) => this.ask(room)), LOOKED_EVERY_MS).unref();
    }
    rooms.forEach((room) => this.beingRead.delete(textOf(room)));
    this.underWay -= 1;
    this.begin();
  }
}

/** A signal says that a room changed; Postgres says what. The process also checks by itself: signals may be lost. */
@Injectable()
export class LocalRooms implements OnModuleInit, BeforeApplicationShutdown, RoomWatcher {
  private readonly logger = new Logger('Rooms');
  private readonly rooms = new Map<string, LocalRoom>();
  private readonly entering = new Set<string>();
  private readonly reads = {
    events: new RoomReads({ atOnceMax: EVENT_READS_AT_ONCE_MAX, roomsMax: 1 }, (rooms) =>
      this.readEvents(rooms),
    ),
    members: new RoomReads({ atOnceMax: 1, roomsMax: ROOMS_PER_MEMBER_READ_MAX }, (rooms) =>
      this.readMembers(rooms),
    ),
  };
  private replicaId = newId();
  private lease: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private ticks = 0;
  private isBeatDue = false;
  private beating: Promise<void> | null = null;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly stored: Rooms,
    private readonly members: RoomMembers,
    private readonly signals: RoomSignals,
  ) {}

  onModuleInit(): void {
    this.signals.watch(this);
    this.timer = setInterval(() => void this.tick(), LOOKED_EVERY_MS).unref();
  }

  /** Members leave at once, instead of when the lease ends. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer ?? undefined);
    await Promise.all([this.beating, this.looking]);
    if (this.lease) {
      await this.attempt('the lease could not be ended', async () => {
        this.notifyAll(await this.members.end(this.replicaId));
      });
    }
  }

  /** @param entered is called before the member gets anything else of the room */
  async enter(
    room: RoomKey,
    entry: Omit<Entry, 'replicaId'>,
    listener: RoomListener,
    entered: (room: EnteredRoom) => void,
  ): Promise<void> {
    const { memberId } = entry;
    const { replicaId } = this;
    this.entering.add(memberId);
    try {
      this.lease ??= this.members.begin(replicaId);
      await this.lease.catch((error: unknown) => {
        this.lease = null;
        throw error;
      });
      const found = await this.stored.enter(room, { ...entry, replicaId });
      if (replicaId !== this.replicaId) {
        // Others took this process for dead meanwhile: none of them sees the member.
        listener.lost();
        return;
      }
      const key = textOf(room);
      const local = this.rooms.get(key) ?? new LocalRoom(room, found.members);
      this.rooms.set(key, local);
      entered(found);
      local.add(memberId, listener, found);
    } finally {
      this.entering.delete(memberId);
    }
    this.membersChanged(room);
    this.changed(room, 'events');
  }

  /** Without a leave in the database the next heartbeat removes the member. */
  forget(room: RoomKey, memberId: string): void {
    const key = textOf(room);
    const local = this.rooms.get(key);
    local?.remove(memberId);
    if (local?.isEmpty) {
      this.rooms.delete(key);
    }
  }

  async leave(room: RoomKey, memberId: string): Promise<void> {
    await this.attempt('a member could not be removed', () => this.members.leave(room, memberId));
    this.membersChanged(room);
  }

  async setPresence(room: RoomKey, memberId: string, presence: string): Promise<void> {
    await this.members.setPresence(room, memberId, presence);
    this.membersChanged(room);
  }

  /** Delivers an event stored by this process, at once where its members have all earlier ones. */
  publish(room: RoomKey, event: RoomEvent): void {
    const local = this.rooms.get(textOf(room));
    if (local && local.seq === event.seq - 1) {
      local.deliver([event], local.seq);
    } else {
      this.changed(room, 'events');
    }
    this.signals.notify(room, 'events');
  }

  changed(room: RoomKey, change: RoomChange): void {
    if (this.rooms.has(textOf(room))) {
      this.reads[change].ask(room);
    }
  }

  missed(): void {
    this.rooms.forEach(({ key }) => this.changed(key, 'members'));
    void this.attempt('what was missed could not be looked for', () => this.lookForEvents());
  }

  async tick(): Promise<void> {
    this.ticks += 1;
    const isFifth = this.ticks % LOOKS_PER_HEARTBEAT === 0;
    this.isBeatDue ||= isFifth;
    if (this.isBeatDue) {
      this.beating ??= this.attempt('a heartbeat failed', () => this.beat()).finally(
        () => (this.beating = null),
      );
    }
    if (isFifth || !this.signals.areHeard) {
      this.looking ??= this.attempt('a look at the rooms failed', () => this.look()).finally(
        () => (this.looking = null),
      );
    }
    await Promise.all([this.beating, this.looking]);
  }

  async look(): Promise<void> {
    await this.lookForEvents();
    await this.lookForMembers();
  }

  async beat(): Promise<void> {
    // One that is still being written cannot be prolonged, which would look as if others had ended it.
    await this.lease;
    const isAlive = this.lease === null || (await this.members.prolong(this.replicaId));
    this.isBeatDue = false;
    if (!isAlive) {
      this.lose();
    } else if (this.lease) {
      await this.removeGone();
    }
  }

  private async lookForEvents(): Promise<void> {
    for (const place of await this.stored.places(this.keys())) {
      const local = this.rooms.get(textOf(place));
      if (local && local.seq < place.seq) {
        this.changed(place, 'events');
      }
    }
  }

  /** A signal of members may be lost: its process may have died before sending it. */
  private async lookForMembers(): Promise<void> {
    const rooms = this.keys();
    const prints = await this.members.prints(rooms);
    for (const room of rooms) {
      const text = textOf(room);
      if (this.rooms.get(text)?.print !== (prints.get(text) ?? NO_MEMBERS.print)) {
        this.changed(room, 'members');
      }
    }
  }

  private async removeGone(): Promise<void> {
    const unknown = await this.members.besides(this.replicaId, this.known());
    // Members that entered during the query are known by now; others never will be.
    const known = new Set(this.known());
    const gone = unknown.filter((memberId) => !known.has(memberId));
    this.notifyAll(await this.members.remove(this.replicaId, gone));
    this.notifyAll(await this.members.removeDead());
  }

  private known(): string[] {
    return [...this.rooms.values()].flatMap(({ memberIds }) => memberIds).concat(...this.entering);
  }

  /** Others took this process for dead and removed its members, which have to enter again. */
  private lose(): void {
    const rooms = [...this.rooms.values()];
    this.rooms.clear();
    this.replicaId = newId();
    this.lease = null;
    rooms.forEach((room) => room.lose());
  }

  private membersChanged(room: RoomKey): void {
    this.changed(room, 'members');
    this.signals.notify(room, 'members');
  }

  private notifyAll(rooms: readonly RoomKey[]): void {
    rooms.forEach((room) => this.membersChanged(room));
  }

  private async readEvents(rooms: readonly RoomKey[]): Promise<void> {
    for (const room of rooms) {
      const local = this.rooms.get(textOf(room));
      if (local && !local.isEmpty) {
        const from = local.seq;
        local.deliver(await this.stored.since(room, from), from);
      }
    }
  }

  private async readMembers(rooms: readonly RoomKey[]): Promise<void> {
    const locals = rooms.flatMap((room) => this.rooms.get(textOf(room)) ?? []);
    const members = await this.members.of(locals.map(({ key }) => key));
    locals.forEach((local) => local.sendMembers(members.get(textOf(local.key)) ?? NO_MEMBERS));
  }

  private keys(): RoomKey[] {
    return [...this.rooms.values()].map(({ key }) => key);
  }

  private async attempt(failure: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.logger.warn({ message: failure, error: errorText(error) });
    }
  }
}

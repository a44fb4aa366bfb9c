import type { RoomEvent, RoomKey, RoomMemberRow, RoomMembersNow } from './room';

/** Who is told what happens in a room: a socket of this process. */
export interface RoomListener {
  /** @param text a message of the service, as JSON */
  send(text: string): void;
  /** The member is in the room no more: its process was taken for dead, or can't tell it all that was said. */
  lost(): void;
}

interface LocalMember {
  readonly listener: RoomListener;
  /** The place of what it was told last. */
  seq: number;
}

/** A room as far as its members in this process are concerned: what they have been told of it. */
export class LocalRoom {
  private readonly members = new Map<string, LocalMember>();
  /** Who is known to be in the room, on all replicas, and what each tells of itself. */
  private known: ReadonlyMap<string, string>;
  private knownPrint: string | null = null;

  constructor(
    readonly key: RoomKey,
    members: readonly RoomMemberRow[],
  ) {
    this.known = presencesOf(members);
  }

  /** The place up to which all members have been told; infinite where there are none. */
  get seq(): number {
    return Math.min(...[...this.members.values()].map(({ seq }) => seq));
  }

  /** The print of the members that were told of last; null before the first. */
  get print(): string | null {
    return this.knownPrint;
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  get memberIds(): string[] {
    return [...this.members.keys()];
  }

  add(memberId: string, listener: RoomListener, seq: number): void {
    this.members.set(memberId, { listener, seq });
  }

  remove(memberId: string): void {
    this.members.delete(memberId);
  }

  /**
   * Tells of all that is kept of what happened after a place, in its order; each member is told each event once. Whoever
   * entered meanwhile at an earlier place is left to the next read. A member that some of it is not kept for is lost: told
   * the rest, it would never learn that something is missing.
   */
  tell(events: readonly RoomEvent[], from: number): void {
    const told = events.map((event) => ({ seq: event.seq, text: eventText(this.key, event) }));
    for (const [memberId, member] of this.members) {
      const unheard = member.seq < from ? [] : told.filter(({ seq }) => seq > member.seq);
      if (unheard[0] && unheard[0].seq > member.seq + 1) {
        this.members.delete(memberId);
        member.listener.lost();
        continue;
      }
      for (const { seq, text } of unheard) {
        member.seq = seq;
        member.listener.send(text);
      }
    }
  }

  /**
   * Tells who has come, who has left, and who tells something else of itself.
   * @param print of these members, by which the next look knows whether there are others
   */
  tellMembers({ members, print }: RoomMembersNow): void {
    const room = this.key.name;
    const now = presencesOf(members);
    for (const member of members) {
      const before = this.known.get(member.id);
      if (before === undefined) {
        this.sayOf(member.id, `{"type":"member_joined","room":"${room}","member":${memberText(member)}}`);
      } else if (before !== member.presence) {
        this.say(`{"type":"presence","room":"${room}","member_id":"${member.id}","data":${member.presence}}`);
      }
    }
    for (const id of this.known.keys()) {
      if (!now.has(id)) {
        this.sayOf(id, JSON.stringify({ type: 'member_left', room, member_id: id }));
      }
    }
    this.known = now;
    this.knownPrint = print;
  }

  lose(): void {
    this.members.forEach(({ listener }) => listener.lost());
  }

  private say(text: string): void {
    this.members.forEach(({ listener }) => listener.send(text));
  }

  /** To all but the one that it is about. */
  private sayOf(memberId: string, text: string): void {
    for (const [id, { listener }] of this.members) {
      if (id !== memberId) {
        listener.send(text);
      }
    }
  }
}

function presencesOf(members: readonly RoomMemberRow[]): Map<string, string> {
  return new Map(members.map(({ id, presence }) => [id, presence]));
}

/** Data and presence are JSON texts that were valid when they came, and names of rooms need no escapes. */
export function eventText({ name }: RoomKey, { seq, version, memberId, data, createdAt }: RoomEvent): string {
  const kind = version === null ? '"message"' : '"update"';
  const made = version === null ? '' : `"version":${version},`;
  return `{"type":${kind},"room":"${name}","seq":${seq},${made}"member_id":"${memberId}","data":${data},"created_at":"${createdAt.toISOString()}"}`;
}

export function memberText({ id, presence, joinedAt }: RoomMemberRow): string {
  return `{"id":"${id}","presence":${presence},"joined_at":"${joinedAt.toISOString()}"}`;
}

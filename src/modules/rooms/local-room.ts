import { isDeepStrictEqual } from 'node:util';
import type { EnteredRoom, RoomEvent, RoomKey, RoomMemberRow, RoomMembersNow } from './room';

export interface RoomListener {
  send(text: string): void;
  /** The member has left: its process counts as dead, or cannot deliver all events. */
  lost(): void;
}

interface LocalMember {
  readonly listener: RoomListener;
  seq: number;
  /** Members present at its entry, where others know different ones; null once it got the difference. */
  found: Presences | null;
}

type Presences = ReadonlyMap<string, string>;

interface MemberChange {
  readonly text: string;
  readonly except: string | null;
}

export class LocalRoom {
  private readonly members = new Map<string, LocalMember>();
  /** The members known on all replicas, with their presence. */
  private known: Presences;
  print: string | null = null;

  constructor(
    readonly key: RoomKey,
    members: readonly RoomMemberRow[],
  ) {
    this.known = presencesOf(members);
  }

  /** The place up to which all members have every event; infinite where there are no members. */
  get seq(): number {
    return Math.min(...[...this.members.values()].map(({ seq }) => seq));
  }

  get isEmpty(): boolean {
    return this.members.size === 0;
  }

  get memberIds(): string[] {
    return [...this.members.keys()];
  }

  add(
    memberId: string,
    listener: RoomListener,
    { seq, members }: Pick<EnteredRoom, 'seq' | 'members'>,
  ): void {
    const found = presencesOf(members);
    const known = new Map(this.known).set(memberId, found.get(memberId) ?? '{}');
    this.members.set(memberId, { listener, seq, found: isDeepStrictEqual(found, known) ? null : found });
  }

  remove(memberId: string): void {
    this.members.delete(memberId);
  }

  /** Each event once. A member behind `from` waits for the next read, or is lost where events are no longer kept. */
  deliver(events: readonly RoomEvent[], from: number): void {
    const messages = events.map((event) => ({ seq: event.seq, text: eventText(this.key, event) }));
    for (const [memberId, member] of this.members) {
      const unheard = member.seq < from ? [] : messages.filter(({ seq }) => seq > member.seq);
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

  /** A member missing in `members` entered after they were read, and gets the difference next time. */
  sendMembers({ members, print }: RoomMembersNow): void {
    const now = presencesOf(members);
    const changes = this.changesSince(this.known, members);
    for (const [id, member] of this.members) {
      if (member.found === null) {
        sendChanges(id, member, changes);
      } else if (now.has(id)) {
        sendChanges(id, member, this.changesSince(member.found, members));
        member.found = null;
      }
    }
    this.known = now;
    this.print = print;
  }

  lose(): void {
    this.members.forEach(({ listener }) => listener.lost());
  }

  private changesSince(before: Presences, members: readonly RoomMemberRow[]): MemberChange[] {
    const room = this.key.name;
    const there = new Set(members.map(({ id }) => id));
    return [
      ...members.flatMap((member) => this.newsOf(member, before.get(member.id))),
      ...[...before.keys()]
        .filter((id) => !there.has(id))
        .map((id) => ({ text: JSON.stringify({ type: 'member_left', room, member_id: id }), except: id })),
    ];
  }

  private newsOf(member: RoomMemberRow, before: string | undefined): MemberChange[] {
    const room = this.key.name;
    if (before === undefined) {
      const text = `{"type":"member_joined","room":"${room}","member":${memberText(member)}}`;
      return [{ text, except: member.id }];
    }
    const text = `{"type":"presence","room":"${room}","member_id":"${member.id}","data":${member.presence}}`;
    return before === member.presence ? [] : [{ text, except: null }];
  }
}

function sendChanges(id: string, { listener }: LocalMember, changes: readonly MemberChange[]): void {
  for (const { text, except } of changes) {
    if (id !== except) {
      listener.send(text);
    }
  }
}

function presencesOf(members: readonly RoomMemberRow[]): Map<string, string> {
  return new Map(members.map(({ id, presence }) => [id, presence]));
}

/** Data and presence are valid JSON texts, and names of rooms need no escapes. */
export function eventText({ name }: RoomKey, { seq, version, memberId, data, createdAt }: RoomEvent): string {
  const kind = version === null ? '"message"' : '"update"';
  const made = version === null ? '' : `"version":${version},`;
  return `{"type":${kind},"room":"${name}","seq":${seq},${made}"member_id":"${memberId}","data":${data},"created_at":"${createdAt.toISOString()}"}`;
}

export function memberText({ id, presence, joinedAt }: RoomMemberRow): string {
  return `{"id":"${id}","presence":${presence},"joined_at":"${joinedAt.toISOString()}"}`;
}

import { LocalRoom } from './local-room';
import type { RoomEvent, RoomMemberRow } from './room';

const KEY = { accountId: 'a', name: 'board' };

function eventsFrom(first: number, last: number): RoomEvent[] {
  return Array.from({ length: last - first + 1 }, (_, place) => ({
    seq: first + place,
    version: null,
    memberId: 'm',
    data: '{}',
    createdAt: new Date(0),
  }));
}

/** A room, and what each of its members has been told. */
function localRoom() {
  const room = new LocalRoom(KEY, []);
  const enter = (memberId: string, seq: number) => {
    const told: number[] = [];
    const member = { told, isLost: false };
    const listener = {
      send: (text: string) => told.push((JSON.parse(text) as { seq: number }).seq),
      lost: () => (member.isLost = true),
    };
    room.add(memberId, listener, { seq, members: [] });
    return member;
  };
  return { room, enter };
}

/** Members by their ids, each with what it tells of itself. */
function rows(presences: Record<string, string>): RoomMemberRow[] {
  return Object.entries(presences).map(([id, text]) => ({
    id,
    presence: `{"is":"${text}"}`,
    joinedAt: new Date(0),
  }));
}

/** A room in which `there` are, and what who enters it then is told of members. */
function roomOf(there: Record<string, string>) {
  const room = new LocalRoom(KEY, rows(there));
  const enter = (id: string, found: Record<string, string>) => {
    const told: string[] = [];
    const send = (text: string) => {
      const { type, member_id, member } = JSON.parse(text) as Record<string, string> & {
        member?: { id: string };
      };
      told.push(`${type} ${member_id ?? member?.id}`);
    };
    room.add(id, { send, lost: () => undefined }, { seq: 0, members: rows(found) });
    return told;
  };
  return {
    room,
    enter,
    read: (now: Record<string, string>) => room.sendMembers({ members: rows(now), print: '' }),
  };
}

describe('a room in this process', () => {
  it('tells each member each event once, whenever it came', () => {
    const { room, enter } = localRoom();
    const [early, late] = [enter('early', 0), enter('late', 2)];
    room.deliver(eventsFrom(1, 3), 0);
    room.deliver(eventsFrom(2, 4), 1);
    expect([early.told, late.told]).toEqual([
      [1, 2, 3, 4],
      [3, 4],
    ]);
    expect(room.seq).toBe(4);
  });

  it('loses a member for whom not all is kept, tells it nothing more, and keeps the others', () => {
    const { room, enter } = localRoom();
    const [behind, there] = [enter('behind', 0), enter('there', 2)];
    room.deliver(eventsFrom(3, 202), 0);
    expect([behind.isLost, behind.told]).toEqual([true, []]);
    expect([there.isLost, there.told.length]).toEqual([false, 200]);
    expect([room.memberIds, room.seq]).toEqual([['there'], 202]);
  });

  it('leaves who entered during a read at an earlier place to the next one', () => {
    const { room, enter } = localRoom();
    const there = enter('there', 5);
    const during = enter('during', 3);
    room.deliver(eventsFrom(6, 7), 5);
    expect([there.told, during.told, during.isLost]).toEqual([[6, 7], [], false]);
    room.deliver(eventsFrom(4, 7), room.seq);
    expect([there.told, during.told]).toEqual([
      [6, 7],
      [4, 5, 6, 7],
    ]);
  });

  it('tells who enters of those who left or changed while it was told whom it finds', () => {
    const { enter, read } = roomOf({ a: 'here', b: 'here', c: 'here' });
    const a = enter('a', { a: 'here', b: 'here', c: 'here' });
    read({ a: 'here', c: 'there' });
    const late = enter('late', { a: 'here', b: 'here', c: 'here', late: 'here' });
    read({ a: 'here', c: 'there', late: 'here' });
    expect(a).toEqual(['presence c', 'member_left b', 'member_joined late']);
    expect(late).toEqual(['presence c', 'member_left b']);
    read({ a: 'here', late: 'here' });
    expect([a.at(-1), late.at(-1)]).toEqual(['member_left c', 'member_left c']);
  });

  it('tells who enters nothing that is older than whom it finds', () => {
    const { enter, read } = roomOf({ a: 'here' });
    const a = enter('a', { a: 'here' });
    const late = enter('late', { a: 'here', b: 'here', late: 'here' });
    read({ a: 'here' });
    read({ a: 'here', b: 'here', late: 'here' });
    expect([a, late]).toEqual([['member_joined b', 'member_joined late'], []]);
  });
});

import { Logger } from '@nestjs/common';
import { LOOKS_PER_HEARTBEAT, LocalRooms } from './local-rooms';
import type { RoomMembers } from './room-members.repository';
import type { RoomSignals } from './room-signals';
import type { Rooms } from './rooms.repository';

const ROOM = { accountId: 'a', name: 'board' };
const ENTRY = { memberId: 'm', presence: '{}', lastVersion: null, lastSeq: null };

/** The rooms of a process that hears no signals, and whose looks at what was said end when the test says so. */
async function slowRooms() {
  const ends: (() => void)[] = [];
  const beats = { count: 0, fault: null as Error | null };
  const stored = {
    enter: () => Promise.resolve({ seq: 0, version: 0, state: '{}', members: [], missed: null }),
    since: () => Promise.resolve([]),
    places: () => new Promise((resolve) => ends.push(() => resolve([]))),
  };
  const members = {
    begin: () => Promise.resolve(),
    prolong: () => {
      beats.count += 1;
      return beats.fault ? Promise.reject(beats.fault) : Promise.resolve(true);
    },
    besides: () => Promise.resolve([]),
    remove: () => Promise.resolve([]),
    removeDead: () => Promise.resolve([]),
    of: () => Promise.resolve(new Map()),
    prints: () => Promise.resolve(new Map()),
  };
  const signals = { areHeard: false, watch: () => undefined, notify: () => undefined };
  const localRooms = new LocalRooms(
    stored as unknown as Rooms,
    members as unknown as RoomMembers,
    signals as unknown as RoomSignals,
  );
  await localRooms.enter(ROOM, ENTRY, { send: () => undefined, lost: () => undefined }, () => undefined);
  const tick = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      void localRooms.tick();
      await new Promise(setImmediate);
    }
  };
  return { beats, ends, tick };
}

describe('the heartbeat of the rooms of a process', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not starved by looks that take long', async () => {
    const { beats, ends, tick } = await slowRooms();
    await tick(LOOKS_PER_HEARTBEAT);
    expect(ends).toHaveLength(1);
    expect(beats.count).toBe(1);
    await tick(LOOKS_PER_HEARTBEAT);
    expect(beats.count).toBe(2);
  });

  it('is tried again a second after it failed', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { beats, tick } = await slowRooms();
    beats.fault = new Error('away');
    await tick(LOOKS_PER_HEARTBEAT + 1);
    expect(beats.count).toBe(2);
    beats.fault = null;
    await tick(2);
    expect(beats.count).toBe(3);
  });
});

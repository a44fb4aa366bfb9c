import { Logger } from '@nestjs/common';
import { LOOKS_PER_HEARTBEAT, LocalRooms } from './local-rooms';
import type { RoomMembers } from './room-members.repository';
import type { RoomSignals } from './room-signals';
import type { Rooms } from './rooms.repository';

const ROOM = { accountId: 'a', name: 'board' };
const ENTRY = { memberId: 'm', presence: '{}', lastVersion: null, lastSeq: null };

/** The rooms of a process that hears no signals, and whose looks at what was said end when the test says so. */
function slowRooms(leaseWritten = Promise.resolve()) {
  const ends: (() => void)[] = [];
  const beats = { count: 0, fault: null as Error | null };
  const leases = new Set<string>();
  const outcomes: string[] = [];
  const stored = {
    enter: (_: object, { replicaId }: { replicaId: string }) => {
      outcomes.push(leases.has(replicaId) ? 'under a lease' : 'without a lease');
      return Promise.resolve({ seq: 0, version: 0, state: '{}', members: [], missed: null });
    },
    since: () => Promise.resolve([]),
    places: () => new Promise((resolve) => ends.push(() => resolve([]))),
  };
  const members = {
    begin: (replicaId: string) => leaseWritten.then(() => leases.add(replicaId)),
    prolong: (replicaId: string) => {
      beats.count += 1;
      return beats.fault ? Promise.reject(beats.fault) : Promise.resolve(leases.has(replicaId));
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
  const listener = { send: () => undefined, lost: () => void outcomes.push('lost') };
  const enter = () => localRooms.enter(ROOM, ENTRY, listener, () => outcomes.push('entered'));
  const tick = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      void localRooms.tick();
      await new Promise(setImmediate);
    }
  };
  return { beats, ends, tick, enter, leases, outcomes };
}

describe('the heartbeat of the rooms of a process', () => {
  afterEach(() => jest.restoreAllMocks());

  it('is not starved by looks that take long', async () => {
    const { beats, ends, tick, enter } = slowRooms();
    await enter();
    await tick(LOOKS_PER_HEARTBEAT);
    expect(ends).toHaveLength(1);
    expect(beats.count).toBe(1);
    await tick(LOOKS_PER_HEARTBEAT);
    expect(beats.count).toBe(2);
  });

  it('is tried again a second after it failed', async () => {
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { beats, tick, enter } = slowRooms();
    await enter();
    beats.fault = new Error('away');
    await tick(LOOKS_PER_HEARTBEAT + 1);
    expect(beats.count).toBe(2);
    beats.fault = null;
    await tick(2);
    expect(beats.count).toBe(3);
  });

  it('waits for the lease that is being written for the first member', async () => {
    let write: () => void = () => undefined;
    const { tick, enter, outcomes } = slowRooms(new Promise((resolve) => (write = resolve)));
    const entered = enter();
    await tick(LOOKS_PER_HEARTBEAT);
    write();
    await entered;
    await tick(1);
    expect(outcomes).toEqual(['under a lease', 'entered']);
  });

  it('lets nobody enter in the moment in which others are found to have taken the process for dead', async () => {
    const { tick, enter, leases, outcomes } = slowRooms();
    await enter();
    leases.clear();
    await tick(LOOKS_PER_HEARTBEAT - 1);
    const beaten = tick(1);
    await enter();
    await beaten;
    expect(outcomes.slice(2).sort()).toEqual(['lost', 'lost', 'without a lease']);
  });
});

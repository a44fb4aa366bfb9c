import type { DataSource } from 'typeorm';
import type { JsonObject } from '../../runtime/json';
import type { LocalRooms } from './local-rooms';
import { RoomVisitor, RoomVisits } from './room-sessions';
import type { Rooms } from './rooms.repository';

const POOL_SIZE_MAX = 20;
const VISIT = { presence: {}, lastVersion: null, lastSeq: null };
const WAIT_MS_MAX = 5_000;

describe('visits to rooms', () => {
  /** What has reached the database, and ends when it is told to. */
  let begun: string[];
  let ends: (() => void)[];
  let forgotten: string[];
  let state: string;
  let visits: RoomVisits;
  beforeEach(() => {
    begun = [];
    ends = [];
    forgotten = [];
    state = '{}';
    const work = (name: string) => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const localRooms = {
      enter: async ({ accountId }: { accountId: string }, _: object, __: object, entered: () => void) => {
        await work(`${accountId} enters`);
        entered();
      },
      forget: ({ accountId }: { accountId: string }) => forgotten.push(accountId),
      leave: ({ accountId }: { accountId: string }) => work(`${accountId} leaves`),
    };
    const stored = { state: () => Promise.resolve({ version: 1, state }) };
    const database = { options: { poolSize: POOL_SIZE_MAX } };
    visits = new RoomVisits(
      stored as unknown as Rooms,
      localRooms as unknown as LocalRooms,
      database as unknown as DataSource,
    );
  });
  afterEach(() => jest.useRealTimers());

  const visitor = (accountId: string) =>
    new RoomVisitor(accountId, { send: () => undefined, lost: () => undefined });
  const join = (who: RoomVisitor, name = 'room') => visits.join(who, { name, ...VISIT }, () => undefined);
  const end = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };

  it('hold a fifth of the connections, and those of one account half of that', async () => {
    const all = ['a', 'a', 'a', 'b', 'b', 'b', 'c'].map((accountId) => join(visitor(accountId)));
    expect(begun).toEqual(['a enters', 'a enters', 'b enters', 'b enters']);
    await end();
    expect(begun.at(-1)).toBe('c enters');
    while (ends.length > 0) {
      await end();
    }
    await Promise.all(all);
    expect(begun).toHaveLength(7);
  });

  it('are refused with 503 where their turn does not come in time, and nothing is done then', async () => {
    jest.useFakeTimers();
    const late = visitor('c');
    const held = ['a', 'a', 'b', 'b'].map((accountId) => join(visitor(accountId)));
    const waiting = join(late);
    jest.advanceTimersByTime(WAIT_MS_MAX);
    await expect(waiting).rejects.toMatchObject({
      status: 503,
      options: { headers: { 'Retry-After': '1' } },
    });
    ends.splice(0).forEach((resolve) => resolve());
    await Promise.all(held);
    expect([begun.includes('c enters'), late.rooms.size]).toEqual([false, 0]);
  });

  it('do not wait any longer once the service goes', async () => {
    const held = ['a', 'a', 'b', 'b'].map((accountId) => join(visitor(accountId)));
    const waiting = join(visitor('c'));
    visits.beforeApplicationShutdown();
    await expect(waiting).rejects.toMatchObject({ status: 503 });
    ends.splice(0).forEach((resolve) => resolve());
    await Promise.all(held);
    expect(begun.includes('c enters')).toBe(false);
  });

  it('end at once for who leaves, though others are told when it is its turn', async () => {
    const leaving = visitor('c');
    leaving.rooms.set('room', 'member');
    const held = ['a', 'a', 'b', 'b'].map((accountId) => join(visitor(accountId)));
    const left = visits.leave(leaving, 'room');
    expect([forgotten, begun.includes('c leaves')]).toEqual([['c'], false]);
    await end();
    expect(begun.includes('c leaves')).toBe(true);
    while (ends.length > 0) {
      await end();
    }
    await Promise.all([...held, left]);
  });

  it('end for who leaves though its turn does not come in time: a heartbeat then removes it', async () => {
    jest.useFakeTimers();
    const leaving = visitor('c');
    leaving.rooms.set('room', 'member');
    const held = ['a', 'a', 'b', 'b'].map((accountId) => join(visitor(accountId)));
    const left = visits.leave(leaving, 'room');
    jest.advanceTimersByTime(WAIT_MS_MAX);
    await expect(left).resolves.toBeUndefined();
    expect([forgotten, begun.includes('c leaves')]).toEqual([['c'], false]);
    ends.splice(0).forEach((resolve) => resolve());
    await Promise.all(held);
  });

  it('refuse a state with so many names that each update would take long', async () => {
    const speaker = visitor('a');
    speaker.rooms.set('room', 'member');
    const namesOf = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`n${place}`, 0]));
    state = JSON.stringify(namesOf(9_999));
    const change = (patch: object) =>
      visits.change(speaker, 'room', patch as JsonObject, { baseVersion: 1, idempotencyKey: null });
    await expect(change(namesOf(10_001))).rejects.toMatchObject({
      status: 422,
      message: 'The state must not have more than 10000 names.',
    });
    state = JSON.stringify({ lists: Array.from({ length: 30_000 }, () => []) });
    await expect(change({ n: 1 })).rejects.toMatchObject({
      status: 422,
      message: 'The state must not have more than 30000 objects and lists.',
    });
  });
});

import { Logger } from '@nestjs/common';
import { LOOKED_EVERY_MS, RoomReads } from './local-rooms';

const turn = () => new Promise(setImmediate);

/** Reads that end when the test says so. */
function heldReads(bounds: { atOnceMax: number; roomsMax: number }) {
  const begun: string[][] = [];
  const ends: ((fault?: Error) => void)[] = [];
  const reads = new RoomReads(bounds, (rooms) => {
    begun.push(rooms.map(({ name }) => name));
    return new Promise((resolve, reject) => ends.push((fault) => (fault ? reject(fault) : resolve())));
  });
  const ask = (...names: string[]) => names.forEach((name) => reads.ask({ accountId: 'a', name }));
  return { begun, ends, ask };
}

describe('the reads of rooms', () => {
  afterEach(() => jest.restoreAllMocks());

  it('are few at once, take rooms together, and keep the order of the changes', async () => {
    const { begun, ends, ask } = heldReads({ atOnceMax: 2, roomsMax: 2 });
    ask('1', '2', '3', '4', '5', '3');
    expect(begun).toEqual([['1'], ['2']]);
    ends[0]?.();
    await turn();
    expect(begun).toEqual([['1'], ['2'], ['3', '4']]);
    ends[1]?.();
    await turn();
    expect(begun.slice(3)).toEqual([['5']]);
    ends.slice(2).forEach((end) => end());
    await turn();
    expect(begun).toHaveLength(4);
  });

  it('read a room again that changes during its read, and not before that has ended', async () => {
    const { begun, ends, ask } = heldReads({ atOnceMax: 2, roomsMax: 2 });
    ask('1', '1', '1', '2');
    expect(begun).toEqual([['1'], ['2']]);
    ends[1]?.();
    await turn();
    expect(begun).toHaveLength(2);
    ends[0]?.();
    await turn();
    expect(begun.slice(2)).toEqual([['1']]);
  });

  it('are repeated a second after they failed', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate'] });
    jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    const { begun, ends, ask } = heldReads({ atOnceMax: 1, roomsMax: 2 });
    ask('1');
    ends[0]?.(new Error('away'));
    await turn();
    jest.advanceTimersByTime(LOOKED_EVERY_MS - 1);
    expect(begun).toHaveLength(1);
    jest.advanceTimersByTime(1);
    expect(begun).toEqual([['1'], ['1']]);
    jest.useRealTimers();
  });
});

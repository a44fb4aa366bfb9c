import { FRAME_WAIT_MS_MAX, FrameScheduler, TURN_BYTES_MAX } from './socket.limits';

class Busy extends Error {}

const LARGE = TURN_BYTES_MAX;
const SMALL = 100;
/** Of the smallest frames, in one turn. */
const SMALL_PER_TURN = 32;

describe('the turns of frames', () => {
  let read: string[];
  let turns: FrameScheduler;
  beforeEach(() => {
    read = [];
    turns = new FrameScheduler(() => new Busy());
    // Reading takes no time, so that turns follow each other as fast as the loop turns.
    jest.spyOn(performance, 'now').mockReturnValue(0);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });
  /** Of the account that the name begins with. */
  const ask = (name: string, bytes: number) =>
    turns.within(name.charAt(0), bytes, () => void read.push(name));
  const turned = () => new Promise(setImmediate);

  it('read the first at once, and after a large one no other before the loop has turned', async () => {
    const all = ['a1', 'a2', 'b1'].map((name) => ask(name, LARGE));
    expect(read).toEqual(['a1']);
    await Promise.resolve();
    expect(read).toEqual(['a1']);
    await Promise.all(all);
    expect(read).toEqual(['a1', 'b1', 'a2']);
  });

  it('go round the accounts, however many frames of one wait', async () => {
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) => ask(name, LARGE));
    await Promise.all(all);
    expect(read).toEqual(['a1', 'b1', 'c1', 'a2', 'a3', 'a4']);
  });

  it('read many small ones in one turn of the loop, but not all', async () => {
    // Asked for before the frames, so it comes when nothing more can be read without a turn of the loop.
    const readAtOnce = turned().then(() => read.length);
    const all = Array.from({ length: 2 * SMALL_PER_TURN }, (_, place) => ask(`a${place}`, SMALL));
    expect(await readAtOnce).toBe(SMALL_PER_TURN);
    await Promise.all(all);
    expect(read).toHaveLength(2 * SMALL_PER_TURN);
  });

  it('let no small one wait for large ones', async () => {
    const large = ['a1', 'a2', 'a3'].map((name) => ask(name, LARGE));
    const small = ask('b1', SMALL);
    expect(read).toEqual(['a1', 'b1']);
    await Promise.all([...large, small]);
  });

  it('leave the loop to others for as long as reading took', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const first = turns.within('a', LARGE, () => now.mockReturnValue(7));
    const second = ask('b1', LARGE);
    await turned();
    jest.advanceTimersByTime(6);
    await turned();
    expect(read).toEqual([]);
    jest.advanceTimersByTime(1);
    await first;
    await second;
    expect(read).toEqual(['b1']);
  });

  it('refuse a frame that has waited for too long, and do not read it', async () => {
    jest.useFakeTimers({ doNotFake: ['performance', 'setImmediate', 'nextTick', 'queueMicrotask'] });
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    const first = turns.within('a', LARGE, () => now.mockReturnValue(2 * FRAME_WAIT_MS_MAX));
    const second = ask('b1', LARGE);
    jest.advanceTimersByTime(FRAME_WAIT_MS_MAX);
    await expect(second).rejects.toThrow(Busy);
    jest.advanceTimersByTime(FRAME_WAIT_MS_MAX);
    await first;
    expect(read).toEqual([]);
  });
});

import { type ConcurrencyBounds, FairConcurrencyLimit, type WaitOptions } from './concurrency-limit';

class Busy extends Error {}

describe('the turns of accounts', () => {
  let begun: string[];
  let ends: Map<string, () => void>;
  let turns: FairConcurrencyLimit;

  const made = (bounds: Partial<ConcurrencyBounds>): void => {
    begun = [];
    ends = new Map();
    turns = new FairConcurrencyLimit({ accountAtOnceMax: Infinity, ...bounds }, () => new Busy());
  };
  /** Work of the account that its name begins with; it ends when it is told to. */
  const work = (name: string, wait?: WaitOptions): Promise<void> =>
    turns.within(
      name.charAt(0),
      () => {
        begun.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      wait,
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };

  it('let so much of an account begin as it has places, the rest in its order, and forget who has ended', async () => {
    made({ accountAtOnceMax: 2 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => work(name));
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    expect(turns.accountCount).toBe(2);
    for (const name of ['a1', 'a2', 'b1', 'a3', 'a4']) {
      await end(name);
    }
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
    expect(turns.accountCount).toBe(0);
  });

  it('let work wait behind one of each other account at most', async () => {
    made({ atOnceMax: 1 });
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => work(name));
    for (let index = 0; index < all.length; index += 1) {
      await end(begun[index] ?? '');
    }
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('leave a place to others that an account may not have as well', async () => {
    made({ atOnceMax: 2, accountAtOnceMax: 1 });
    const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map((name) => work(name));
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('c1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    for (const name of ['a1', 'a2', 'a3']) {
      await end(name);
    }
    await Promise.all(all);
    expect(turns.accountCount).toBe(0);
  });

  it('refuse what waits beyond the bounds of its account, or of all', async () => {
    made({ atOnceMax: 1, waitingMax: 3, accountWaitingMax: 2 });
    const all = ['a1', 'a2', 'a3'].map((name) => work(name));
    await expect(work('a4')).rejects.toThrow(Busy);
    all.push(work('b1'));
    await expect(work('c1')).rejects.toThrow(Busy);
    expect(turns.accountCount).toBe(2);
    for (const name of ['a1', 'a2', 'b1', 'a3']) {
      await end(name);
    }
    await Promise.all(all);
  });

  it('refuse bytes beyond the bounds of their account, or of all', async () => {
    made({ atOnceMax: 1, waitingBytesMax: 15, accountWaitingBytesMax: 10 });
    const all = [work('a1', { bytes: 100 }), work('a2', { bytes: 10 })];
    await expect(work('a3', { bytes: 1 })).rejects.toThrow(Busy);
    await expect(work('b1', { bytes: 6 })).rejects.toThrow(Busy);
    all.push(work('b2', { bytes: 5 }));
    for (const name of ['a1', 'a2', 'b2']) {
      await end(name);
    }
    await Promise.all(all);
  });

  it('pass over what has waited too long, or is not wanted any more', async () => {
    made({ atOnceMax: 1, waitMsMax: 1 });
    const first = work('a1');
    await expect(work('a2')).rejects.toThrow(Busy);
    const gone = new AbortController();
    const left = work('b1', { signal: gone.signal });
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await expect(work('c1', { signal: gone.signal })).rejects.toThrow('gone');
    expect(turns.accountCount).toBe(1);
    await end('a1');
    await first;
    expect([begun, turns.accountCount]).toEqual([['a1'], 0]);
  });

  it('refuse at once what is likely to wait longer than it may, by how long works took', async () => {
    made({ atOnceMax: 1, waitMsMax: 1_000_000 });
    let nowMs = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const took = async (ms: number) => {
      const first = work('a1');
      nowMs += ms;
      await end('a1');
      await first;
    };
    await took(4_000_000);
    const all = [work('a1'), work('b1')];
    await expect(work('c1')).rejects.toThrow(Busy);
    await expect(work('b2')).rejects.toThrow(Busy);
    await end('a1');
    await end('b1');
    await took(0);
    all.push(work('a2'), work('b2'), work('c2'));
    for (const name of ['a2', 'b2', 'c2']) {
      await end(name);
    }
    await Promise.all(all);
    expect(begun).toEqual(['a1', 'a1', 'b1', 'a1', 'a2', 'b2', 'c2']);
    clock.mockRestore();
  });

  it('are free again after work that failed', async () => {
    made({ atOnceMax: 1 });
    const failed = turns.within('a', () => Promise.reject(new Error('away')));
    const next = turns.within('a', () => Promise.resolve('done'));
    await expect(failed).rejects.toThrow('away');
    expect(await next).toBe('done');
    expect(turns.accountCount).toBe(0);
  });

  it('refuse all that wait or come once they are closed', async () => {
    made({ atOnceMax: 1 });
    const first = work('a1');
    const second = work('b1');
    turns.close();
    await expect(second).rejects.toThrow(Busy);
    await end('a1');
    await first;
    await expect(work('c1')).rejects.toThrow(Busy);
    expect([begun, turns.accountCount]).toEqual([['a1'], 0]);
  });
});

import { ByteRoom } from './input-files';

describe('ByteRoom', () => {
  const never = new AbortController().signal;

  it('lets in what fits, in the order in which it came, and lets nobody be passed over', async () => {
    const room = new ByteRoom(10);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const works = [6, 8, 2].map((bytes, index) =>
      room.within(bytes, never, async () => {
        begun.push(index);
        await new Promise<void>((resolve) => ends.push(resolve));
      }),
    );
    await new Promise(setImmediate);
    expect(begun).toEqual([0]);
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    ends.forEach((end) => end());
    await Promise.all(works);
    await expect(room.within(10, never, () => Promise.resolve('all of it'))).resolves.toBe('all of it');
  });

  it('frees the place of what fails, and of what does not wait any more', async () => {
    const room = new ByteRoom(10);
    await expect(room.within(10, never, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    let end: () => void = () => undefined;
    const first = room.within(10, never, () => new Promise<void>((resolve) => (end = resolve)));
    await new Promise(setImmediate);
    const impatient = new AbortController();
    const second = room.within(10, impatient.signal, () => Promise.resolve('second'));
    const third = room.within(1, never, () => Promise.resolve('third'));
    impatient.abort(new Error('left'));
    await expect(second).rejects.toThrow('left');
    end();
    await first;
    await expect(third).resolves.toBe('third');
  });

  it('gives to others what a work turns out not to need', async () => {
    const room = new ByteRoom(10);
    let end: () => void = () => undefined;
    const first = room.within(10, never, async (holdOnly) => {
      holdOnly(4);
      await new Promise<void>((resolve) => (end = resolve));
    });
    await expect(room.within(6, never, () => Promise.resolve('beside it'))).resolves.toBe('beside it');
    expect(room.isEmpty).toBe(false);
    end();
    await first;
    await expect(room.within(10, never, () => Promise.resolve('all of it'))).resolves.toBe('all of it');
    expect(room.isEmpty).toBe(true);
  });

  it('refuses whoever would make the line too long', async () => {
    const room = new ByteRoom(1);
    let end: () => void = () => undefined;
    const first = room.within(1, never, () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = Array.from({ length: 64 }, () => room.within(1, never, () => Promise.resolve(1)));
    await expect(room.within(1, never, () => Promise.resolve(1))).rejects.toMatchObject({ status: 503 });
    end();
    await Promise.all([first, ...waiting]);
  });
});

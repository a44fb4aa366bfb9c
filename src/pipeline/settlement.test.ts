import { withComments } from './settlement';

const COMMENT = ': waiting\n\n';

describe('withComments', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('says every 15 s that nothing has come, and gives what comes as it is', async () => {
    let come: (text: string) => void = () => undefined;
    async function* source() {
      for (;;) {
        const text = await new Promise<string>((resolve) => (come = resolve));
        if (text === '') {
          return;
        }
        yield Buffer.from(text);
      }
    }
    const bytes = withComments(source(), new AbortController().signal);
    const next = async () => {
      const { value } = (await bytes.next()) as IteratorResult<Uint8Array, undefined>;
      return value && Buffer.from(value).toString();
    };
    for (let count = 0; count < 2; count++) {
      const waited = next();
      await jest.advanceTimersByTimeAsync(15_000);
      expect(await waited).toBe(COMMENT);
    }
    const first = next();
    await jest.advanceTimersByTimeAsync(14_999);
    come('data: 1\n\n');
    expect(await first).toBe('data: 1\n\n');
    const second = next();
    await jest.advanceTimersByTimeAsync(14_999);
    come('data: 2\n\n');
    expect(await second).toBe('data: 2\n\n');
    const last = next();
    await jest.advanceTimersByTimeAsync(1);
    come('');
    expect(await last).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('throws the reason of an abort at once, whatever the source does', async () => {
    const stop = new AbortController();
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    const waited = withComments(source, stop.signal).next();
    const reason = new Error('the client has gone');
    stop.abort(reason);
    await expect(waited).rejects.toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
  });
});

import { sendPieces } from './sent-streams';

const COMMENT = ': waiting\n\n';

describe('sendPieces', () => {
  // What another file of this worker has left behind, such as a connection to a Redis that is gone, waits by time-outs.
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setTimeout'] }));
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
    const sent: string[] = [];
    const write = (bytes: Uint8Array) => void sent.push(Buffer.from(bytes).toString());
    const sending = sendPieces(source(), write, new AbortController().signal);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(sent.splice(0)).toEqual([COMMENT, COMMENT]);
    for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
      await jest.advanceTimersByTimeAsync(14_999);
      come(text);
      await jest.advanceTimersByTimeAsync(0);
      expect(sent.splice(0)).toEqual([text]);
    }
    await jest.advanceTimersByTimeAsync(14_999);
    come('');
    await sending;
    expect(sent).toEqual([]);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('says nothing while the reader has no room', async () => {
    let makeRoom: () => void = () => undefined;
    async function* source() {
      yield await Promise.resolve(Buffer.from('data: 1\n\n'));
    }
    const sent: string[] = [];
    const sending = sendPieces(
      source(),
      (bytes) => {
        sent.push(Buffer.from(bytes).toString());
        return new Promise<void>((resolve) => (makeRoom = resolve));
      },
      new AbortController().signal,
    );
    await jest.advanceTimersByTimeAsync(60_000);
    makeRoom();
    await sending;
    expect(sent).toEqual(['data: 1\n\n']);
  });

  it('throws the reason of an abort at once, whatever the source does', async () => {
    const stop = new AbortController();
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) };
    const sending = sendPieces(source, () => undefined, stop.signal);
    const reason = new Error('the client has gone');
    stop.abort(reason);
    await expect(sending).rejects.toBe(reason);
    expect(jest.getTimerCount()).toBe(0);
  });
});

import { FileReaders } from '../../files/file-readers';
import { DeadlineOver } from '../../http/outbound/outbound-connection';
import type { OutboundGet, OutboundHttp } from '../../http/outbound/outbound-http';
import { InputFiles } from './input-files';
import type { Input } from './inputs';

const ANSWER = { status: 200, headers: {}, body: Buffer.from('hello'), isCut: false };
const URLS: Input[] = ['a', 'b', 'c', 'd'].map((name) => ({ type: 'url', url: `https://${name}.example` }));
const NAMES = URLS.map((_, index) => `inputs.${index}`);

describe('InputFiles', () => {
  const { signal } = new AbortController();
  let nowMs: number;
  let asked: OutboundGet[];
  beforeEach(() => {
    [nowMs, asked] = [0, []];
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Its addresses answer as `answer` says. */
  const filesOf = (answer: (request: OutboundGet) => Promise<typeof ANSWER>): InputFiles => {
    const get = (request: OutboundGet) => {
      asked.push(request);
      return answer(request);
    };
    return new InputFiles({ get } as unknown as OutboundHttp, new FileReaders());
  };
  const receive = (files: InputFiles, id: string, inputs: readonly Input[]) =>
    files.receive(inputs, NAMES, { account: { id }, signal }, (received) => Promise.resolve(received.length));

  it('gives all addresses of a call ten seconds together, and names the one that they end with', async () => {
    const files = filesOf(({ timeoutMs }) => {
      nowMs += Math.min(timeoutMs, 4_900);
      return timeoutMs < 4_900 ? Promise.reject(new DeadlineOver(timeoutMs)) : Promise.resolve(ANSWER);
    });
    await expect(receive(files, 'a', URLS)).rejects.toMatchObject({
      status: 422,
      message: 'inputs.2.url: the addresses of a call have 10 seconds together, which were over.',
    });
    expect(asked.map(({ timeoutMs }) => timeoutMs)).toEqual([5_000, 5_000, 200]);
  });

  it('asks no further address when the time of all is over', async () => {
    const files = filesOf(() => {
      nowMs += 5_000;
      return Promise.resolve(ANSWER);
    });
    await expect(receive(files, 'a', URLS)).rejects.toThrow(/^inputs\.2\.url: the addresses of a call have/);
    expect(asked.length).toBe(2);
  });

  it('does not count the time for which a call waits for room, or an address that is slow by itself', async () => {
    const files = filesOf(({ timeoutMs }) => {
      nowMs += timeoutMs;
      return Promise.reject(new DeadlineOver(timeoutMs));
    });
    const both = [receive(files, 'a', URLS), receive(files, 'a', URLS)];
    for (const { reason } of (await Promise.allSettled(both)) as PromiseRejectedResult[]) {
      expect(reason).toMatchObject({
        message: 'inputs.0.url: There was no whole answer within 5 seconds.',
      });
    }
  });

  it('leaves room for others whatever two accounts have fetched', async () => {
    const ends: (() => void)[] = [];
    const files = filesOf(({ url }) =>
      url === URLS[3]?.url
        ? Promise.resolve(ANSWER)
        : new Promise((resolve) => ends.push(() => resolve(ANSWER))),
    );
    let ended = 0;
    const slow = ['a', 'a', 'b', 'b'].map((id) =>
      receive(files, id, URLS.slice(0, 3)).finally(() => (ended += 1)),
    );
    await expect(receive(files, 'c', URLS.slice(3))).resolves.toBe(1);
    expect(asked.length).toBe(3);
    while (ended < slow.length) {
      ends.shift()?.();
      await new Promise(setImmediate);
    }
    expect(await Promise.all(slow)).toEqual([3, 3, 3, 3]);
  });
});

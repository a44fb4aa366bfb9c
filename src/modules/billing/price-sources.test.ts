import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { until } from '../../../test/support/until';
import { Configuration } from '../../config/configuration';
import { Metrics } from '../../observability/metrics';
import { ManualClock } from '../../runtime/clock';
import { PriceSources, PriceUnavailable } from './price-sources';

const BTC = { currency: 'BTC', isSandbox: false } as const;
const ETH = { currency: 'ETH', isSandbox: false } as const;
const SOL = { currency: 'SOL', isSandbox: false } as const;

type Reaction = (response: ServerResponse, request: IncomingMessage) => void;

/** A price source that does what a test says. */
class TestSource {
  readonly requests: IncomingMessage[] = [];
  /** Answers that wait for the test. */
  readonly held: ServerResponse[] = [];
  private constructor(
    private readonly server: Server,
    public react: Reaction,
  ) {}

  static async start(react: Reaction): Promise<TestSource> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    const source = new TestSource(server, react);
    server.on('request', (request, response) => {
      source.requests.push(request);
      source.react(response, request);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return source;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async connections(): Promise<number> {
    return new Promise((resolve, reject) =>
      this.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
    );
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const says =
  (price: unknown): Reaction =>
  (response) =>
    void response.end(JSON.stringify({ usd: price }));

const writes =
  (text: string, status = 200, headers: Record<string, string> = {}): Reaction =>
  (response) =>
    void response.writeHead(status, headers).end(text);

const isSilent: Reaction = () => undefined;

const repeats =
  (text: string, pauseMs: number): Reaction =>
  (response) => {
    const timer = setInterval(() => response.write(text), pauseMs);
    response.on('close', () => clearInterval(timer));
  };

const USD = 1_000_000_000n;
const KEY = 'k3y-that-nobody-may-see';

let clock: ManualClock;
let metrics: Metrics;
let warned: jest.SpyInstance;
let ends: (() => unknown)[];

/** Sources called a, b, c …, which react as given. */
async function sourcesThat(...reactions: Reaction[]) {
  const sources = await Promise.all(reactions.map((reaction) => TestSource.start(reaction)));
  ends.push(...sources.map((source) => () => source.stop()));
  const list = sources.map(({ host }, index) => ({
    name: String.fromCharCode(97 + index),
    url: `http://user:pass@${host}/price/{currency}/?key=${KEY}`,
    pointer: '/usd',
  }));
  const prices = pricesFrom(list);
  return { sources, prices };
}

function pricesFrom(list: object[]): PriceSources {
  const configuration = Configuration.read({ PRICE_SOURCES: JSON.stringify(list) });
  const prices = new PriceSources(configuration, clock, metrics);
  ends.unshift(() => prices.onApplicationShutdown());
  return prices;
}

async function reasonOf(quote: Promise<unknown>): Promise<string> {
  const error: unknown = await quote.then(
    () => new Error('there was a quote'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(PriceUnavailable);
  expect((error as Error).message).not.toContain(KEY);
  return (error as PriceUnavailable).reason;
}

async function metric(line: string): Promise<number> {
  const found = (await metrics.text()).split('\n').find((each) => each.startsWith(`${line} `));
  return Number(found?.split(' ').at(-1));
}

beforeEach(() => {
  clock = new ManualClock();
  metrics = new Metrics();
  ends = [];
  warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  jest.spyOn(Logger.prototype, 'log').mockImplementation();
});

afterEach(async () => {
  for (const end of ends) {
    await end();
  }
  expect(JSON.stringify(warned.mock.calls)).not.toContain(KEY);
  jest.restoreAllMocks();
});

describe('PriceSources gives no quote', () => {
  const disagree = 'no two of 2 sources are within 2 % of the median and of one another';

  it.each<[title: string, reaction: Reaction]>([
    ['HTML', writes('<!doctype html><title>67000</title>')],
    ['nothing', writes('', 204)],
    ['JSON that is cut', writes('{"usd": "670')],
    ['an error that has a price', writes('{"usd": "67000"}', 500)],
    ['a limit of calls', writes('{"usd": "67000"}', 429)],
    ['another member', writes('{"eur": "67000"}')],
    ['null', writes('null')],
    ['a price of 0', says(0)],
    ['a negative price', says(-67_000)],
    ['a price of 1e400', writes('{"usd": 1e400}')],
    ['a price of 1e400 as text', says('1e400')],
    ['a price that is an object', says({ amount: '67000' })],
    ['more than 64 KiB', writes(`{"usd": "67000"}${' '.repeat(65_536)}`)],
    ['a body without an end', repeats(' '.repeat(10_000), 1)],
    ['a header without an end', writes('{"usd": "67000"}', 200, { padding: 'x'.repeat(20_000) })],
    ['a broken connection', (response) => void response.destroy()],
    ['a body that breaks off', (response) => response.write('{"usd"', () => response.destroy())],
  ])('where one of two sources answers %s', async (_, reaction) => {
    const { prices } = await sourcesThat(says('67000'), reaction);
    expect(await reasonOf(prices.quote(BTC))).toBe('only 1 of 2 sources told one within the last minute');
    expect(await metric('payment_price_fetches_failed_total{source="a"}')).toBe(0);
    expect(await metric('payment_price_fetches_failed_total{source="b"}')).toBe(1);
    expect(warned).toHaveBeenCalledWith(expect.stringMatching(/^BTC at b: no price: /));
  });

  it('where one of two sources redirects, which is not followed', async () => {
    const { sources, prices } = await sourcesThat(says('67000'), (response) => {
      const location = `http://${sources[0]?.host}/price/BTC/`;
      response.writeHead(302, { location }).end('{"usd": "67000"}');
    });
    expect(await reasonOf(prices.quote(BTC))).toContain('only 1 of 2');
    expect(sources[0]?.requests).toHaveLength(1);
  });

  it('where one of two sources does not run', async () => {
    const { sources, prices } = await sourcesThat(says('67000'), says('67000'));
    sources[1]?.stop();
    expect(await reasonOf(prices.quote(BTC))).toContain('only 1 of 2');
  });

  it('where sources are silent or never finish, and waits four seconds for them', async () => {
    const { prices } = await sourcesThat(says('67000'), isSilent, repeats(' ', 100));
    expect(await reasonOf(prices.quote(BTC))).toContain('only 1 of 3');
    expect(warned).toHaveBeenCalledWith('BTC at b: no price: no answer within 4000 ms');
    expect(warned).toHaveBeenCalledWith('BTC at c: no price: no answer within 4000 ms');
  });

  it('where two sources differ by more than 2 %', async () => {
    const { prices } = await sourcesThat(says('100'), says('102.1'));
    expect(await reasonOf(prices.quote(SOL))).toBe(disagree);
  });

  it('of prices that are older than a minute', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('101'));
    await prices.quote(SOL);
    sources.forEach((source) => (source.react = writes('', 500)));
    clock.advance(60_000);
    expect((await prices.quote(SOL)).rateNanoUsd).toBe((201n * USD) / 2n);
    clock.advance(1);
    expect(await reasonOf(prices.quote(SOL))).toContain('only 0 of 2');
  });

  it('of prices from before the clock was set back, and asks again', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'));
    await prices.quote(SOL);
    sources.forEach((source) => (source.react = writes('', 500)));
    clock.advance(-3_600_000);
    expect(await reasonOf(prices.quote(SOL))).toContain('only 0 of 2');
    expect(sources.map(({ requests }) => requests.length)).toEqual([2, 2]);
  });

  it('for a currency that fewer than two sources know, and asks none', async () => {
    const { sources } = await sourcesThat(says('100'), says('100'));
    metrics = new Metrics();
    const prices = pricesFrom(
      sources.map(({ host }, index) => ({
        name: `source-${index}`,
        url: `http://${host}/{currency}`,
        pointer: '/usd',
        currencies: index === 0 ? ['BTC', 'SOL'] : ['BTC'],
      })),
    );
    expect(await reasonOf(prices.quote(SOL))).toBe('fewer than two sources know it');
    expect(await reasonOf(prices.quote(ETH))).toBe('fewer than two sources know it');
    expect(sources.flatMap(({ requests }) => requests)).toEqual([]);
    expect((await prices.quote(BTC)).rateNanoUsd).toBe(100n * USD);
  });

  it('once the service ends, and ends what is under way', async () => {
    const { sources, prices } = await sourcesThat(says('100'), isSilent);
    const waiting = reasonOf(prices.quote(BTC));
    await until('the silent source is asked', () => sources[1]?.requests.length === 1);
    await prices.onApplicationShutdown();
    expect(await waiting).toContain('of 2 sources told one');
    expect(warned).not.toHaveBeenCalled();
  });
});

describe('PriceSources', () => {
  it('refuses to start on sources of no use', () => {
    expect(() => pricesFrom([])).toThrow('PRICE_SOURCES must name 2 to 16 sources');
  });

  it('quotes the median, and tells what each source said', async () => {
    const { sources, prices } = await sourcesThat(says('67012.30000'), says(67_100.5), says('66999.99'));
    const takenAt = clock.now();
    expect(await prices.quote(BTC)).toEqual({
      rateNanoUsd: 67_012_300_000_000n,
      takenAt,
      sources: [
        { name: 'c', rateNanoUsd: 66_999_990_000_000n, takenAt },
        { name: 'a', rateNanoUsd: 67_012_300_000_000n, takenAt },
        { name: 'b', rateNanoUsd: 67_100_500_000_000n, takenAt },
      ],
    });
    expect(warned).not.toHaveBeenCalled();
    const [request] = sources[0]?.requests ?? [];
    expect([request?.method, request?.url]).toEqual(['GET', `/price/BTC/?key=${KEY}`]);
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('user:pass').toString('base64')}`);
  });

  it('leaves out one of three that is off, and says so once', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('101'), says('150'));
    const names = async () => (await prices.quote(SOL)).sources.map(({ name }) => name);
    expect(await names()).toEqual(['a', 'b']);
    expect((await prices.quote(SOL)).rateNanoUsd).toBe(101n * USD);
    expect(warned.mock.calls).toEqual([['SOL: c is more than 2 % off the median, and left out']]);
    sources.forEach((source) => (source.react = says('150')));
    clock.advance(10_000);
    expect(await names()).toEqual(['a', 'b', 'c']);
  });

  it('follows a jump that all sources make', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'));
    await prices.quote(SOL);
    sources.forEach((source) => (source.react = says('10')));
    clock.advance(10_000);
    expect((await prices.quote(SOL)).rateNanoUsd).toBe(10n * USD);
  });

  it('asks each source once for 50 quotes at a time', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'), says('100'));
    const quotes = await Promise.all(Array.from({ length: 50 }, () => prices.quote(ETH)));
    expect(new Set(quotes.map(({ rateNanoUsd }) => rateNanoUsd))).toEqual(new Set([100n * USD]));
    expect(sources.map(({ requests }) => requests.length)).toEqual([1, 1, 1]);
  });

  it('asks no source twice at a time, however late it answers', async () => {
    const { sources, prices } = await sourcesThat(says('100'), (response) => {
      sources[1]?.held.push(response);
    });
    const early = prices.quote(ETH);
    await until('the second source is asked', () => sources[1]?.held.length === 1);
    clock.advance(20_000);
    const late = prices.quote(ETH);
    sources[1]?.held.forEach((response) => says('100')(response, response.req));
    expect((await early).sources).toHaveLength(2);
    expect((await late).sources).toHaveLength(2);
    expect(sources[1]?.requests).toHaveLength(1);
  });

  it.each<[title: string, reaction: Reaction]>([
    ['answers', says('100')],
    ['fails', writes('', 500)],
  ])('asks a source that %s at most every ten seconds', async (_, reaction) => {
    const { sources, prices } = await sourcesThat(says('100'), reaction);
    const asked = async () => {
      await prices.quote(ETH).catch(() => null);
      return sources.map(({ requests }) => requests.length);
    };
    expect(await asked()).toEqual([1, 1]);
    clock.advance(9_999);
    expect(await asked()).toEqual([1, 1]);
    clock.advance(1);
    expect(await asked()).toEqual([2, 2]);
  });

  it('asks for each currency apart', async () => {
    const byCurrency: Reaction = (response, { url }) =>
      says({ BTC: 67_000, ETH: 3_500, SOL: 150 }[url?.split('/')[2] ?? ''])(response, response.req);
    const { prices } = await sourcesThat(byCurrency, byCurrency);
    const quotes = await Promise.all([BTC, ETH, SOL].map((each) => prices.quote(each)));
    expect(quotes.map(({ rateNanoUsd }) => rateNanoUsd / USD)).toEqual([67_000n, 3_500n, 150n]);
  });

  it('keeps the last price of a source that fails for a minute, and warns of it once', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('101'), says('100.5'));
    await prices.quote(SOL);
    if (sources[2]) {
      sources[2].react = writes('', 500);
    }
    let failures = 0;
    const namesAfter = async (milliseconds: number) => {
      clock.advance(milliseconds);
      const { sources: agreeing } = await prices.quote(SOL);
      failures += 1;
      await until('the failure is counted', async () => {
        return (await metric('payment_price_fetches_failed_total{source="c"}')) === failures;
      });
      return agreeing.map(({ name }) => name).join('');
    };
    expect(await namesAfter(30_000)).toBe('acb');
    expect(await namesAfter(30_000)).toBe('acb');
    expect(await namesAfter(10_000)).toBe('ab');
    expect(warned).toHaveBeenCalledTimes(1);
  });

  it('does not wait for a source that failed before, and takes its price when it comes', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'), writes('', 500));
    await prices.quote(SOL);
    const third = sources[2];
    if (third) {
      third.react = (response) => third.held.push(response);
    }
    clock.advance(10_000);
    expect((await prices.quote(SOL)).sources).toHaveLength(2);
    await until('the third source is asked', () => third?.held.length === 1);
    third?.held.forEach((response) => says('100')(response, response.req));
    await until('it counts', async () => (await prices.quote(SOL)).sources.length === 3);
    expect(third?.requests).toHaveLength(2);
  });

  it('waits for a source that failed before where the others are not enough', async () => {
    const { sources, prices } = await sourcesThat(says('100'), writes('', 500));
    await reasonOf(prices.quote(SOL));
    if (sources[1]) {
      sources[1].react = says('100');
    }
    clock.advance(10_000);
    expect((await prices.quote(SOL)).sources).toHaveLength(2);
  });

  it('tells how old the older of the two prices is that a quote needs', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'), writes('', 500));
    const age = () => metric('payment_price_age_seconds');
    expect(await age()).toBe(0);
    await prices.quote(SOL);
    clock.advance(25_000);
    expect(await age()).toBe(25);
    sources.slice(1).forEach((source) => (source.react = writes('', 500)));
    await prices.quote(SOL);
    clock.advance(45_000);
    expect(await age()).toBe(70);
    await reasonOf(prices.quote(BTC));
    clock.advance(40_000);
    // By now nobody has asked for SOL for a minute; of BTC there have never been two prices.
    expect(await age()).toBe(40);
    clock.advance(20_001);
    expect(await age()).toBe(0);
  });

  it('closes its connections when the service ends', async () => {
    const { sources, prices } = await sourcesThat(says('100'), says('100'));
    await prices.quote(SOL);
    expect(await sources[0]?.connections()).toBe(1);
    await prices.onApplicationShutdown();
    await until('no connection is open', async () => (await sources[0]?.connections()) === 0);
  });
});

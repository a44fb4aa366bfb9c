import { countTokens } from './count-tokens';
import { fitToTokens } from './token-counter';
import { TextThreads } from './text-threads';
import { TokenCounter } from './token-counter';

describe('TokenCounter', () => {
  const threads = new TextThreads();
  const counter = new TokenCounter(threads);
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => threads.close());

  it.each([
    ['a text without end', [`${'龘😀 '.repeat(50_000)}end`]],
    ['messages without end', Array.from({ length: 1_100 }, (_, index) => `${index} says no. `.repeat(20))],
    ['words without end', Array.from({ length: 20_000 }, (_, index) => `w${index}`)],
  ])('hands a thread no more of %s than it counts in its time, and counts all', async (_, texts) => {
    const run = jest.spyOn(threads, 'run');
    const tokens = await counter.countAll(texts);
    const parts = run.mock.calls.map(([, input]) => input as { text: string; lengths: Uint32Array });
    expect(parts.length).toBeGreaterThan(1);
    expect(Math.max(...parts.map(({ text }) => text.length))).toBeLessThanOrEqual(128 * 1024);
    expect(Math.max(...parts.map(({ lengths }) => lengths.length))).toBeLessThanOrEqual(8 * 1024);
    expect(parts.map(({ text }) => text).join('') === texts.join('')).toBe(true);
    const whole = texts.reduce((sum, text) => sum + countTokens(text), 0);
    expect(Math.abs(tokens - whole)).toBeLessThanOrEqual(2 * parts.length);
  });

  it('counts a long text once, and what comes with it for itself', async () => {
    const run = jest.spyOn(threads, 'run');
    const long = 'A long message of yesterday. '.repeat(500);
    const first = await counter.countAll([long, 'short']);
    const again = await counter.countAll(['another', long, '', long]);
    expect(first).toBe(countTokens(long) + countTokens('short'));
    expect(again).toBe(countTokens('another') + 2 * countTokens(long));
    expect(run.mock.calls.map(([, , [text]]) => text)).toEqual([`${long}short`, 'another']);
  });
});

describe('fitToTokens', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  afterAll(async () => threads.close());

  it.each([
    ['words', 'the quick brown fox jumps over the lazy dog '],
    ['one letter', 'a'],
    ['letters of many tokens', 'ก\u{10ffff}龘'],
    ['spaces', ' '],
    ['dense text behind thin text', `${' '.repeat(9_000)}龘龘龘龘`],
  ])('keeps a prefix of endless %s within the bound, and uses it', async (_, piece) => {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    for (const tokensMax of [1, 10, 250, 2_000]) {
      const fitting = await fitToTokens(text, tokensMax, counter);
      expect(text.startsWith(fitting)).toBe(true);
      expect(fitting.isWellFormed()).toBe(true);
      expect(countTokens(fitting)).toBeLessThanOrEqual(tokensMax);
      expect(fitting.length).toBeGreaterThanOrEqual(Math.floor(tokensMax / 3) - 1);
    }
  });

  it('leaves alone what fits, and of no room nothing', async () => {
    expect(await fitToTokens('It fits.', 10, counter)).toBe('It fits.');
    expect(await fitToTokens('It fits.', 0, counter)).toBe('');
    expect(await fitToTokens('', 10, counter)).toBe('');
  });
});

import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import { useOfAnswer, withUsage } from './usage';

const threads = new TextThreads({ deadlineMs: 50_000 });
const counter = new TokenCounter(threads);
const reserved = { inputTokens: 100, outputTokensMax: 5 };

afterAll(() => threads.close());

describe('useOfAnswer', () => {
  it('takes what the upstream says, also where that is absurd, but no negative number', async () => {
    const usage = { prompt_tokens: -1, completion_tokens: 1e300 };
    expect(await useOfAnswer({ usage }, reserved, counter)).toEqual({
      inputTokens: 100,
      outputTokens: 1e300,
    });
  });

  it.each([undefined, null, {}, 'much', { prompt_tokens: '1', completion_tokens: null }])(
    'counts where the usage is %p',
    async (usage) => {
      const chat = {
        choices: [{ message: { content: 'At nine.', refusal: null } }, { message: null }],
        usage,
      };
      expect(await useOfAnswer(chat, reserved, counter)).toEqual({ inputTokens: 100, outputTokens: 3 });
      const completion = { choices: [{ text: 'At nine.' }, { text: 'At nine.' }], usage };
      // Two texts of three tokens, of which five were reserved.
      expect(await useOfAnswer(completion, reserved, counter)).toEqual({ inputTokens: 100, outputTokens: 5 });
    },
  );

  it.each([
    { prompt_tokens: 5, total_tokens: 5 },
    { prompt_tokens: 5 },
    { total_tokens: 5 },
    { prompt_tokens: 3, total_tokens: 5 },
    { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
  ])('takes the total of embeddings, which have no output, for their input: %p', async (usage) => {
    expect(await useOfAnswer({ data: [], usage }, reserved, counter)).toEqual({
      inputTokens: 5,
      outputTokens: 0,
    });
  });

  it('counts the reasoning of a response once, wherever it stands', async () => {
    const details = { output_tokens_details: { reasoning_tokens: 1322 } };
    for (const output_tokens of [9, 1331]) {
      const usage = { input_tokens: 10, output_tokens, total_tokens: 1341, ...details };
      expect(await useOfAnswer({ output: [], usage }, reserved, counter)).toEqual({
        inputTokens: 10,
        outputTokens: 1331,
      });
    }
  });
});

describe('withUsage', () => {
  const use = { inputTokens: 100, outputTokens: 3 };

  it('changes nothing where the upstream sent usage', () => {
    const text = '{ "usage" : {"prompt_tokens": 1} ,"x":1e2}';
    expect(withUsage(text, JSON.parse(text) as object, use)).toBe(text);
  });

  it('replaces usage that lacks a part or has a negative one', () => {
    for (const usage of [{ prompt_tokens: 1 }, { prompt_tokens: -1, completion_tokens: 3 }]) {
      const answer = { choices: [], usage };
      const own = { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103 };
      expect(JSON.parse(withUsage(JSON.stringify(answer), answer, use))).toEqual({ choices: [], usage: own });
    }
  });

  it('adds it where it is missing, or is no usage, and leaves the rest as it was sent', () => {
    const own = '"usage":{"prompt_tokens":100,"completion_tokens":3,"total_tokens":103}';
    expect(withUsage('{"x": 1e2 }', {}, use)).toBe(`{"x": 1e2 ,${own}}`);
    expect(withUsage('{"usage":null,"x": 1e2}', { usage: null }, use)).toBe(`{${own},"x": 1e2}`);
  });
});

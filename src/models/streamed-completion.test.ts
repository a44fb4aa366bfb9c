import { readEvents } from '../../test/support/upstream/read-events';
import { TextThreads } from '../text/text-threads';
import { TokenCounter } from '../text/token-counter';
import { UpstreamBrokeOff } from './errors';
import { CHAT_DIALECT, COMPLETION_DIALECT } from './stream-dialects';
import type { FinalUsage } from './streamed-answer';
import { StreamedCompletion, type StreamedCompletionOptions } from './streamed-completion';

const NUMBERS: FinalUsage = { chargedNanoUsd: 2_270_000n, balanceNanoUsd: 9_997_730_000n, tokens: 27 };
const COMMENT = ': cost=0.00227 tokens=27 balance=9.99773\n\n';
const DONE = 'data: [DONE]\n\n';
const TEXT = chunk(
  '"choices":[{"index":0,"delta":{"content":"At nine."},"finish_reason":null}], "vendor":1e3',
);
const STOP = chunk('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]');
const USAGE = chunk('"choices":[],"usage":{"prompt_tokens":24, "completion_tokens":3,"x":{"y":"\\u00fc"}}');
const COST = USAGE.replace('"}}}', '"},"cost":0.00227}}');
const threads = new TextThreads({ deadlineMs: 50_000 });

afterAll(() => threads.close());

describe('a streamed completion that breaks off', () => {
  it('throws for an end before every choice has finished, and counts what came', async () => {
    const { left, error, answer } = await run(TEXT);
    expect([left, error]).toEqual([TEXT, expect.any(UpstreamBrokeOff)]);
    expect(await answer.use()).toEqual({ inputTokens: 100, outputTokens: 3 });
    const failure = Buffer.from(
      answer.failure(error as UpstreamBrokeOff, 'req-12345678', NUMBERS),
    ).toString();
    expect(failure.startsWith(`${COMMENT}data: {"error":{`)).toBe(true);
    expect(JSON.parse(failure.slice(COMMENT.length + 'data: '.length))).toMatchObject({
      error: { type: 'upstream_error', code: 502, request_id: 'req-12345678' },
    });
    expect(failure).not.toContain('[DONE]');
  });

  it('throws for an end when fewer choices have finished than were asked for', async () => {
    const { error } = await run(TEXT + STOP, { choices: 2 });
    expect(error).toBeInstanceOf(UpstreamBrokeOff);
  });

  it.each([
    ['garbage', `${TEXT}data: {"choices":\n\n${DONE}`],
    ['an event that was cut', `${TEXT}data: {"choices":[{"ind`],
    ['a chunk that is no object', `${TEXT}data: [1]\n\n${DONE}`],
  ])('passes no %s on', async (_, text) => {
    const { left, error } = await run(text);
    expect([left, error]).toEqual([TEXT, expect.any(UpstreamBrokeOff)]);
  });

  it('breaks a stream off that goes on far beyond the cap, but none without one', async () => {
    const reserved = { inputTokens: 100, outputTokensMax: 5 };
    const long = TEXT.repeat(100) + STOP + DONE;
    const { left, error, answer } = await run(long, { reserved });
    expect(error).toMatchObject({
      status: 502,
      message: expect.stringContaining('more than it was asked for'),
    });
    expect(left.length).toBeLessThan(long.length / 2);
    expect((await answer.use()).outputTokens).toBe(5);
    expect((await run(long, { reserved, isOutputOpen: true })).error).toBeNull();
    const unpriced = { inputTokens: 100, outputTokensMax: 0 };
    expect((await run(long, { reserved: unpriced })).error).toBeNull();
  });

  it('names no second error where the upstream has named its own', async () => {
    const { answer } = await run(TEXT);
    const error = Object.assign(new UpstreamBrokeOff(502, 'u', 'failed'), { reportedByUpstream: true });
    expect(Buffer.from(answer.failure(error, 'id', NUMBERS)).toString()).toBe(COMMENT);
  });

  it('lets usage that it held leave as it came', async () => {
    const { answer, error } = await run(TEXT + USAGE, { wantsUsage: true });
    const failure = Buffer.from(answer.failure(error as UpstreamBrokeOff, 'id', null)).toString();
    expect(failure.startsWith(`${USAGE}data: {"error"`)).toBe(true);
  });

  it('takes no usage of the middle for that of the whole', async () => {
    const early = chunk(
      '"choices":[{"index":0,"delta":{"content":"At"}}],"usage":{"prompt_tokens":9,"completion_tokens":1}',
    );
    const { answer } = await run(early + TEXT);
    expect(await answer.use()).toEqual({ inputTokens: 100, outputTokens: expect.any(Number) });
  });

  it('takes usage that came after every choice had finished', async () => {
    const { answer, error } = await run(TEXT + STOP + USAGE, { choices: 1, failing: true });
    expect([error, await answer.use()]).toEqual([
      expect.objectContaining({ message: 'reset' }),
      { inputTokens: 24, outputTokens: 3 },
    ]);
  });
});

describe('a streamed completion', () => {
  it('leaves as it came but for the usage, which the client did not ask for', async () => {
    const hello = ': wait\n\n';
    const { left, answer } = await run(hello + TEXT + STOP + USAGE + DONE);
    expect(left).toBe(hello + TEXT + STOP);
    expect(await answer.use()).toEqual({ inputTokens: 24, outputTokens: 3 });
    expect(ending(answer)).toBe(COMMENT + DONE);
  });

  it('adds the cost to the usage which the client asked for, and changes no other byte', async () => {
    const { left, answer } = await run(TEXT + STOP + USAGE + DONE, { wantsUsage: true });
    expect(left).toBe(TEXT + STOP);
    expect(ending(answer)).toBe(COST + COMMENT + DONE);
  });

  it('adds it to the last usage only, also when that stands beside the finish reason', async () => {
    const finish = STOP.replace('}]', '}],"usage":{"prompt_tokens":24,"completion_tokens":3}');
    const one = await run(TEXT + finish + DONE, { wantsUsage: true });
    expect([one.left, ending(one.answer)]).toEqual([
      TEXT,
      `${finish.replace('"completion_tokens":3', '"completion_tokens":3,"cost":0.00227')}${COMMENT}${DONE}`,
    ]);
    const two = await run(TEXT + finish + USAGE + DONE, { wantsUsage: true });
    expect([two.left, ending(two.answer)]).toEqual([TEXT + finish, COST + COMMENT + DONE]);
  });

  it('replaces a cost that the upstream tells', async () => {
    const own = USAGE.replace('"x"', '"cost":0.5,"x"');
    const { answer } = await run(TEXT + own + DONE, { wantsUsage: true });
    expect(ending(answer)).toContain('"cost":0.00227,"x"');
  });

  it('passes usage of every chunk on at once', async () => {
    const continuous = TEXT.replace(
      '"vendor"',
      '"usage":{"prompt_tokens":24,"completion_tokens":1},"vendor"',
    );
    const { left } = await run(continuous + STOP + USAGE + DONE, { wantsUsage: true });
    expect(left).toBe(continuous + STOP);
  });

  it('writes usage of its own where the upstream sent none', async () => {
    const { answer } = await run(TEXT + STOP + DONE, { wantsUsage: true });
    expect(await answer.use()).toEqual({ inputTokens: 100, outputTokens: 3 });
    const [data = '', rest] = ending(answer).slice('data: '.length).split(COMMENT);
    expect([JSON.parse(data), rest]).toEqual([
      {
        id: 'c1',
        object: 'chat.completion.chunk',
        created: 7,
        model: 'm',
        choices: [],
        usage: { prompt_tokens: 100, completion_tokens: 3, total_tokens: 103, cost: 0.00227 },
      },
      DONE,
    ]);
  });

  it('is complete without [DONE] when every choice has finished, and says so itself', async () => {
    const { error, answer } = await run(TEXT + STOP);
    expect([error, ending(answer)]).toEqual([null, COMMENT + DONE]);
  });

  it('ends its last event where the upstream did not, and reads nothing behind [DONE]', async () => {
    const { left, answer } = await run(`${TEXT}${STOP}data: [DONE]`);
    expect([left, ending(answer)]).toEqual([TEXT + STOP, COMMENT + DONE]);
    const more = await run(TEXT + DONE + TEXT);
    expect(more.left).toBe(TEXT);
  });

  it.each<[string, string, number, number]>([
    ['zero', '{"prompt_tokens":0,"completion_tokens":0}', 0, 0],
    ['negative', '{"prompt_tokens":-5,"completion_tokens":-1}', 100, 3],
    ['told in pieces', '{"completion_tokens":7}', 100, 7],
    ['absurd', '{"prompt_tokens":1e300,"completion_tokens":1e999}', 1e300, Infinity],
    ['without numbers', '{"prompt_tokens":"many"}', 100, 3],
    ['null', 'null', 100, 3],
  ])(
    'hands on usage that is %s, and counts what is no number or below 0',
    async (_, usage, inputTokens, outputTokens) => {
      const { answer } = await run(TEXT + STOP + chunk(`"choices":[],"usage":${usage}`) + DONE);
      expect(await answer.use()).toEqual({ inputTokens, outputTokens });
    },
  );

  it('counts all that was produced: refusals, thoughts, and calls of tools, in every choice', async () => {
    const deltas = [
      '{"content":"one"}',
      '{"refusal":"two"}',
      '{"reasoning_content":"three","reasoning":"three"}',
      '{"tool_calls":[{"index":0,"function":{"name":"four","arguments":"five"}}]}',
      '{"function_call":{"name":"six","arguments":"seven"}}',
    ];
    const chunks = deltas.map((delta, index) => chunk(`"choices":[{"index":${index},"delta":${delta}}]`));
    const { answer } = await run(chunks.join('') + DONE);
    expect((await answer.use()).outputTokens).toBe(7);
  });

  it('takes text beyond 4 Mi characters for the whole reservation', async () => {
    const long = chunk(`"choices":[{"index":0,"delta":{"content":"${'a'.repeat(2_200_000)}"}}]`);
    const { answer } = await run(long + long + DONE);
    expect((await answer.use()).outputTokens).toBe(1_000);
  });

  it('holds no endless comments behind the usage that it holds', async () => {
    const comments = `: ${'x'.repeat(60_000)}\n\n`.repeat(40);
    const { left, answer } = await run(TEXT + STOP + USAGE + comments + DONE, { wantsUsage: true });
    expect(left.length).toBeGreaterThan(1_000_000);
    await answer.use();
    expect(ending(answer)).toContain('"cost":0.00227');
  });

  it('reads completions too', async () => {
    const text = chunk('"choices":[{"index":0,"text":"At nine.","finish_reason":"stop"}]');
    const { left, answer } = await run(text, { dialect: COMPLETION_DIALECT, isKept: true });
    expect([left, await answer.use()]).toEqual([text, { inputTokens: 100, outputTokens: 3 }]);
    expect(JSON.parse(answer.unstreamed() ?? '')).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, text: 'At nine.', finish_reason: 'stop' }],
    });
  });
});

describe('the unstreamed form of a stream', () => {
  it('holds all pieces of every choice, in order', async () => {
    const deltas = [
      ['0', '{"role":"assistant","content":"At ","vendor":"a"}', '{"content":[{"token":"At"}]}', 'null'],
      [
        '1',
        '{"role":"assistant","tool_calls":[{"index":0,"id":"t","type":"function","function":{"name":"f","arguments":"{"}}]}',
        'null',
        'null',
      ],
      [
        '0',
        '{"role":"assistant","content":"nine.","vendor":"b"}',
        '{"content":[{"token":"nine"}]}',
        '"stop"',
      ],
      [
        '1',
        '{"tool_calls":[{"index":0,"function":{"arguments":"}"}},{"index":1,"id":"u"}]}',
        'null',
        '"tool_calls"',
      ],
    ] as const;
    const chunks = deltas.map(([index, delta, logprobs, reason]) =>
      chunk(
        `"choices":[{"index":${index},"delta":${delta},"logprobs":${logprobs},"finish_reason":${reason}}]`,
      ),
    );
    const { answer } = await run(chunks.join('') + USAGE + DONE, { isKept: true });
    await answer.use();
    expect(JSON.parse(answer.unstreamed() ?? '')).toEqual({
      id: 'c1',
      object: 'chat.completion',
      created: 7,
      model: 'm',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'At nine.', vendor: 'ab' },
          logprobs: { content: [{ token: 'At' }, { token: 'nine' }] },
          finish_reason: 'stop',
        },
        {
          index: 1,
          message: {
            role: 'assistant',
            content: null,
            tool_calls: [
              { index: 0, id: 't', type: 'function', function: { name: 'f', arguments: '{}' } },
              { index: 1, id: 'u' },
            ],
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 24, completion_tokens: 3, total_tokens: 27, x: { y: 'ü' } },
    });
  });

  it('is not kept where nobody asks for it, or where it is nested deeper than this Node can write', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const nested = chunk(`"choices":[{"index":0,"delta":{"x":${deep}},"finish_reason":"stop"}]`);
    expect((await run(TEXT + DONE)).answer.unstreamed()).toBeNull();
    const kept = (await run(nested + DONE, { isKept: true })).answer.unstreamed();
    expect(kept === null || kept.includes(deep)).toBe(true);
  });
});

function chunk(members: string): string {
  return `data: {"id":"c1","object":"o","created":7,"model":"m",${members}}\n\n`;
}

async function run(text: string, options: Partial<StreamedCompletionOptions> & { failing?: boolean } = {}) {
  const engine = { provider: 'u', method: 'm', quality: 'q' };
  const events = readEvents(bytesOf(text, options.failing ?? false));
  const answer = new StreamedCompletion({
    stream: { model: 'm', engine, events },
    dialect: CHAT_DIALECT,
    counter: new TokenCounter(threads),
    wantsUsage: false,
    reserved: { inputTokens: 100, outputTokensMax: 1_000 },
    choices: 1,
    isKept: false,
    ...options,
  });
  const left: Uint8Array[] = [];
  let error: unknown = null;
  try {
    for await (const bytes of answer.events()) {
      left.push(bytes);
    }
  } catch (thrown) {
    error = thrown;
  }
  return { left: Buffer.concat(left).toString(), error, answer };
}

async function* bytesOf(text: string, failing: boolean): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
  if (failing) {
    throw new Error('reset');
  }
}

function ending(answer: StreamedCompletion): string {
  return Buffer.from(answer.ending(NUMBERS)).toString();
}

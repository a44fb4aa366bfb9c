import { chunkOf, DONE, inTurn, STOP_CHUNK, TEXT_CHUNK } from '../../../test/support/upstream/fake-stream';
import { ScriptedModel } from '../../../test/support/upstream/scripted-model';
import { UpstreamBrokeOff } from '../../models/errors';
import type { ServerSentEvent } from '../../models/sse';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import type { AgentRun } from './agent-run';
import { AgentSteps, AgentStream } from './agent-steps';
import { AgentTools } from './agent-tools';

const QUESTION = 'When does it open?';
const EARLY_USAGE = chunkOf('"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":0}');
const RUN: AgentRun = {
  accountId: 'a',
  agent: null,
  model: 'm',
  route: ScriptedModel.routeTo('m'),
  messages: [{ role: 'user', content: QUESTION }],
  tools: [],
  temperature: null,
  outputTokensMax: 50_000,
  allowDegraded: false,
};

/** A counter that answers each question only when the test calls the next function of `asked`. */
class HeldCounter extends TokenCounter {
  readonly asked: (() => void)[] = [];

  override withFallback(): this {
    return this;
  }

  override async countAll(texts: readonly string[]): Promise<number> {
    await new Promise<void>((resolve) => this.asked.push(resolve));
    return super.countAll(texts);
  }
}

describe('a stream of an agent', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const overloaded = new TextThreads({ waitingMax: 0 });
  afterAll(async () => Promise.all([threads.close(), overloaded.close()]));

  function streamOf(
    events: AsyncIterable<ServerSentEvent>,
    options: Partial<AgentRun> = {},
    counter = new TokenCounter(threads),
  ) {
    const run = { ...RUN, ...options };
    const steps = new AgentSteps(run, [...run.messages], run.outputTokensMax, new AgentTools(), counter);
    const request = steps.next();
    const stream = { model: 'm', engine: { provider: 'u', method: 'm', quality: 'q' }, events };
    const ask = () => {
      throw new Error('there is one step only');
    };
    const { signal } = new AbortController();
    return new AgentStream({ steps, whole: () => ({}), request, stream, ask, counter, signal, created: 0 });
  }

  async function read(stream: AgentStream): Promise<unknown> {
    try {
      const events = stream.events();
      while (!(await events.next()).done) {}
      return null;
    } catch (error) {
      return error;
    }
  }

  const broken = () => Promise.reject(new UpstreamBrokeOff(502, 'u', 'broke off'));

  it('takes no usage of the middle of a step for that of the whole when it breaks off', async () => {
    const stream = streamOf(inTurn([EARLY_USAGE, TEXT_CHUNK, TEXT_CHUNK], broken));
    expect(await read(stream)).toBeInstanceOf(UpstreamBrokeOff);
    const { inputTokens, outputTokens } = await stream.use();
    expect(inputTokens).toBeGreaterThan(5);
    expect(outputTokens).toBeGreaterThanOrEqual(5);
  });

  it.each([
    // Negative numbers say nothing, so what came is counted.
    ['negative', -1_000_000, -1_000_000, 13, 3],
    ['absurd', 7, 1e12, 7, RUN.outputTokensMax],
    ['broken', 6.5, 2.5, 7, 3],
  ])(
    'takes %s usage of the step in which it breaks off for no more than that step may use',
    async (_, prompt, completion, inputTokens, outputTokens) => {
      const usage = chunkOf(
        `"choices":[],"usage":{"prompt_tokens":${prompt},"completion_tokens":${completion}}`,
      );
      const stream = streamOf(inTurn([TEXT_CHUNK, STOP_CHUNK, usage], broken));
      await read(stream);
      expect(await stream.use()).toEqual({ inputTokens, outputTokens });
    },
  );

  it.each(['content', 'refusal', 'reasoning', 'reasoning_content'])(
    'counts the %s of a step',
    async (name) => {
      const chunk = chunkOf(`"choices":[{"index":0,"delta":{"${name}":"nine"},"finish_reason":null}]`);
      const stream = streamOf(inTurn([chunk], broken));
      await read(stream);
      expect((await stream.use()).outputTokens).toBe(1);
    },
  );

  it('counts a step once that ends while the stream is settled', async () => {
    const counter = new HeldCounter(threads);
    const stream = streamOf(inTurn([TEXT_CHUNK, STOP_CHUNK, DONE]), {}, counter);
    const events = read(stream);
    const answerNext = async () => {
      while (counter.asked.length === 0) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      counter.asked.shift()?.();
    };
    // The stream counts the step's input and then its output. It waits for the second count when the client goes away.
    await answerNext();
    while (counter.asked.length === 0) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const use = stream.use();
    let isOver = false;
    void Promise.all([events, use]).then(() => (isOver = true));
    while (!isOver) {
      counter.asked.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await use).outputTokens).toBe(3);
  });

  it('counts what it delivered however much text waits to be counted', async () => {
    const long = chunkOf(
      `"choices":[{"index":0,"delta":{"content":"${'word '.repeat(4_000)}"},"finish_reason":null}]`,
    );
    const messages = [{ role: 'user', content: 'word '.repeat(4_000) }];
    const stream = streamOf(inTurn([long], broken), { messages }, new TokenCounter(overloaded));
    expect(await read(stream)).toBeInstanceOf(UpstreamBrokeOff);
    const { inputTokens, outputTokens } = await stream.use();
    expect(inputTokens).toBeGreaterThan(4_000);
    expect(outputTokens).toBeGreaterThanOrEqual(4_000);
  });

  it('breaks off where the model says more than any step may', async () => {
    let sent = 0;
    const text = 'a'.repeat(1024 * 1024);
    const flood = chunkOf(`"choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":null}]`);
    const stream = streamOf(
      (async function* () {
        for (; sent < 64; sent += 1) {
          yield await Promise.resolve(flood);
        }
      })(),
    );
    expect(await read(stream)).toBeInstanceOf(UpstreamBrokeOff);
    expect(sent).toBeLessThan(8);
  });
});

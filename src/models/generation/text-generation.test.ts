import { chunkOf, DONE, inTurn, STOP_CHUNK, TEXT_CHUNK } from '../../../test/support/upstream/fake-stream';
import { ScriptedModel } from '../../../test/support/upstream/scripted-model';
import type { Configuration } from '../../config/configuration';
import type { TokenUse } from '../../ledger/money';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { UpstreamFailed } from '../errors';
import type { Models } from '../models';
import { TextGeneration } from './text-generation';
import type { TextCall, TextOrder } from './text-order';
import { TypedStream } from './text-streams';

const route = ScriptedModel.routeTo('m');
const EMBEDDED = {
  text: 'Made by rule.',
  model: 'embedded-1',
  engine: { provider: 'embedded', method: 'rule', quality: 'basic' },
  read: ['Write.'],
  isRefusal: false,
  detail: 'rule',
};
const ORDER: TextOrder<string> = {
  route,
  messages: [{ role: 'user', content: 'Write.' }],
  temperature: null,
  outputTokensMax: 50,
  reader: null,
  embedded: () => Promise.resolve(EMBEDDED),
};

describe('TextGeneration', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  afterAll(async () => threads.close());

  function scene(models: object, { upstream = true, allowsStandIn = false } = {}) {
    const parted = () => ({ upstreams: upstream ? route : null, allowsStandIn });
    const reports: TokenUse[] = [];
    const told: string[] = [];
    const call: TextCall = {
      signal: new AbortController().signal,
      meter: {
        inputTokens: 1_000,
        outputTokensMax: 50,
        report: (use) => (reports.push(use), use),
        watch: () => undefined,
      },
      setHeader: (_, value) => void told.push(value),
      setEngine: ({ provider }) => void told.push(provider),
    };
    const generation = new TextGeneration(
      { ...models, parted } as unknown as Models,
      threads,
      counter,
      {} as Configuration,
    );
    return { generation, call, reports, told };
  }
  const failing = () => Promise.reject(new UpstreamFailed('u', 'fell'));

  it('makes the embedded text where no upstream is, cut to its tokens', async () => {
    const { generation, call, reports, told } = scene({}, { upstream: false });
    const whole = await generation.write(ORDER, call);
    expect(whole).toMatchObject({
      text: 'Made by rule.',
      finishReason: 'stop',
      detail: 'rule',
      model: 'embedded-1',
    });
    expect([reports, told]).toEqual([[{ inputTokens: 2, outputTokens: 4 }], ['embedded', 'embedded-1']]);
    const cut = await generation.write({ ...ORDER, outputTokensMax: 2 }, call);
    expect(cut).toMatchObject({ text: 'Made by', finishReason: 'length', use: { outputTokens: 2 } });
  });

  it.each([true, false])(
    'takes the place of a failing upstream only where it may: %s',
    async (allowsStandIn) => {
      const { generation, call } = scene({ chat: failing, streamChat: failing }, { allowsStandIn });
      for (const outcome of [generation.write(ORDER, call), generation.stream(ORDER, call)]) {
        await (allowsStandIn
          ? expect(outcome).resolves.toBeDefined()
          : expect(outcome).rejects.toBeInstanceOf(UpstreamFailed));
      }
    },
  );

  it('breaks a stream off where its answer cannot be finished, and charges what was produced', async () => {
    const usage = chunkOf('"choices":[],"usage":{"prompt_tokens":24,"completion_tokens":3}');
    const engine = { provider: 'u', method: 'm', quality: 'q' };
    const events = inTurn([TEXT_CHUNK, STOP_CHUNK, usage, DONE]);
    const { generation, call } = scene({ streamChat: () => Promise.resolve({ model: 'm', engine, events }) });
    const text = await generation.stream(ORDER, call);
    const stream = new TypedStream({ text, finish: () => Promise.reject(new Error('no room')) });
    const sent: string[] = [];
    const read = async () => {
      for await (const bytes of stream.events()) {
        sent.push(Buffer.from(bytes).toString());
      }
    };
    await expect(read()).rejects.toThrow('no room');
    expect(sent).toEqual(['data: {"type":"delta","text":"At nine."}\n\n']);
    expect(await stream.use()).toEqual({ inputTokens: 24, outputTokens: 3 });
    expect(() => stream.unstreamed()).toThrow();
  });
});

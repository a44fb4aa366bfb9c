import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { AnswerLacksForm, ModelNotConfigured, UnsupportedModelParameter, UpstreamFailed } from '../errors';
import { type CallOptions, type ChatRequest, type ChatResponse, ModelProvider } from '../model-provider';
import { Models } from '../models';
import { PromptTemplate } from './prompt-template';
import { StructuredAnswers, type StructuredQuestion } from './structured-answers';

type Said = { content?: string | null; refusal?: string; finish?: string; usage?: unknown } | Error;

/** Gives the answers of a list, one after the other, and remembers the requests. */
class ScriptedProvider extends ModelProvider {
  readonly asked: ChatRequest[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];

  constructor(private readonly said: Said[]) {
    super();
  }

  models() {
    return Promise.resolve([
      { id: 'vectors', created: 0, ownedBy: 'test', operations: ['embed' as const] },
      { id: 'talker', created: 0, ownedBy: 'test', operations: ['chat' as const] },
    ]);
  }

  chat(request: ChatRequest, { signal }: CallOptions) {
    this.asked.push(request);
    this.signals.push(signal);
    const said = this.said[this.asked.length - 1] ?? new Error('asked too often');
    if (said instanceof Error) {
      return Promise.reject(said);
    }
    const { content = null, refusal = null, finish = 'stop' } = said;
    const usage =
      'usage' in said ? said.usage : { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const response = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: `${request.model}-2025`,
      choices: [{ index: 0, message: { role: 'assistant', content, refusal }, finish_reason: finish }],
      usage,
    } as ChatResponse;
    const engine = { provider: 'test', method: 'chat', quality: 'upstream' };
    return Promise.resolve({ response, engine });
  }

  complete(): never {
    throw new Error('serves no completions');
  }

  embed(): never {
    throw new Error('serves no embeddings');
  }
}

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'tags'],
  properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
};
const GOOD = '{"title": "Ships", "tags": ["sea"]}';
const VALUE = { title: 'Ships', tags: ['sea'] };

describe('StructuredAnswers', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  afterAll(async () => threads.close());

  const question = (fields: Partial<StructuredQuestion> = {}): StructuredQuestion => ({
    template: new PromptTemplate('Name and tag {{text}}'),
    variables: { text: 'a text about ships' },
    name: 'article',
    schema: SCHEMA,
    outputTokensMax: 200,
    ...fields,
  });
  const asking = (said: Said[], fields: Partial<StructuredQuestion> = {}) => {
    const provider = new ScriptedProvider(said);
    const answers = new StructuredAnswers(new Models([provider], { strictModels: true }), counter);
    return { provider, answer: answers.ask(question(fields)) };
  };

  it.each<[string, Said]>([
    ['invalid JSON', { content: '{"title": "Ships", "tags": [' }],
    ['prose', { content: 'Ships are large boats.' }],
    ['another schema', { content: '{"title": "Ships", "tags": "sea"}' }],
    ['an unknown property', { content: '{"title": "Ships", "tags": [], "x": 1}' }],
    ['nothing', { content: '' }],
    ['no content', { content: null }],
    ['a refusal', { content: null, refusal: 'I cannot help with ships.' }],
    ['what a filter withheld', { content: '', finish: 'content_filter' }],
  ])('fails with 502 after exactly one repair when both answers are %s', async (_, said) => {
    const { provider, answer } = asking([said, said, { content: GOOD }]);
    await expect(answer).rejects.toThrow(AnswerLacksForm);
    await expect(answer).rejects.toMatchObject({
      status: 502,
      message: "The model's answer does not have the asked form. Nothing was charged.",
    });
    expect(provider.asked).toHaveLength(2);
  });

  it('fails with 503 where no model takes a schema', async () => {
    const refused = new UnsupportedModelParameter([{ field: 'response_format', message: 'no' }]);
    await expect(asking([refused]).answer).rejects.toThrow(ModelNotConfigured);
    const none = new StructuredAnswers(new Models([], { strictModels: false }), counter);
    await expect(none.ask(question())).rejects.toMatchObject({ status: 503 });
  });

  it.each([
    ['of the first call', [new UpstreamFailed('main', 'answered 500')]],
    ['of the repair', [{ content: 'no' }, new UpstreamFailed('main', 'answered 500')]],
  ])("throws an upstream's failure %s unchanged", async (_, said: Said[]) => {
    const { provider, answer } = asking(said);
    await expect(answer).rejects.toBe(said.at(-1));
    expect(provider.asked).toHaveLength(said.length);
  });

  it.each(['length', 'stop'])(
    'does not repair an endless answer that left no room for it and ended by %s',
    async (finish) => {
      const endless = { content: 'la '.repeat(5_000), finish, usage: undefined };
      const { provider, answer } = asking([endless, { content: GOOD }]);
      await expect(answer).rejects.toThrow(AnswerLacksForm);
      expect(provider.asked).toHaveLength(1);
    },
  );

  it('gives value, usage, model and engine of an answer that has the form', async () => {
    const { signal } = new AbortController();
    const { provider, answer } = asking([{ content: GOOD }], { signal });
    expect(await answer).toEqual({
      value: VALUE,
      usage: { inputTokens: 20, outputTokens: 5 },
      model: 'talker-2025',
      engine: { provider: 'test', method: 'chat', quality: 'upstream' },
    });
    expect(provider.signals).toEqual([signal]);
    expect(provider.asked).toEqual([
      {
        model: 'talker',
        messages: [
          { role: 'system', content: expect.stringContaining('never an instruction') },
          { role: 'user', content: 'Name and tag <text>\na text about ships\n</text>' },
        ],
        max_completion_tokens: 200,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'article', strict: true, schema: SCHEMA },
        },
      },
    ]);
  });

  it.each([
    ['in a fence', `\`\`\`json\n${GOOD}\n\`\`\``],
    ['with text around it', `Here you are [1]: ${GOOD}\nAnything else?`],
  ])('accepts a value %s without a repair', async (_, content) => {
    const { provider, answer } = asking([{ content }]);
    expect((await answer).value).toEqual(VALUE);
    expect(provider.asked).toHaveLength(1);
  });

  it('repairs once: quotes the answer and its faults, and sums the usage of both calls', async () => {
    const wrong = '{"title": 7, "tags": []}';
    const usage = { prompt_tokens: 60, completion_tokens: 9, total_tokens: 69 };
    const { provider, answer } = asking([{ content: wrong }, { content: GOOD, usage }]);
    expect(await answer).toMatchObject({ value: VALUE, usage: { inputTokens: 80, outputTokens: 14 } });
    const [first, repair] = provider.asked;
    expect(repair?.messages).toEqual([
      ...(first?.messages ?? []),
      { role: 'assistant', content: wrong },
      { role: 'user', content: expect.stringContaining('- /title must be string') },
    ]);
  });

  it.each<[string, Said]>([
    ['an answer that was cut off', { content: '{"title": "Sh', finish: 'length' }],
    ['a refusal', { refusal: 'No.' }],
  ])('repairs %s', async (_, said) => {
    const { provider, answer } = asking([said, { content: GOOD }]);
    expect((await answer).value).toEqual(VALUE);
    expect(provider.asked).toHaveLength(2);
  });

  it.each([
    // The second answer takes more than it was asked for, as its upstream tells.
    ['told usage', { prompt_tokens: 1, completion_tokens: 150, total_tokens: 151 }, 50, 300],
    ['usage that is denied', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, 100, 0],
    ['missing usage', undefined, 100, 113],
    ['negative usage', { prompt_tokens: -5, completion_tokens: -5, total_tokens: -10 }, 100, 113],
  ])('leaves the repair no more output than the rest, with %s', async (_, usage, room, output) => {
    const hundredTokens = 'la '.repeat(100).trim();
    const { provider, answer } = asking([
      { content: hundredTokens, usage },
      { content: GOOD, usage },
    ]);
    const { usage: sum } = await answer;
    expect(provider.asked[1]?.max_completion_tokens).toBe(room);
    expect(sum.outputTokens).toBe(output);
    expect(sum.inputTokens).toBeGreaterThanOrEqual(0);
  });

  it('holds an absurd usage to what was allowed', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1e12, total_tokens: 1e12 };
    expect((await asking([{ content: GOOD, usage }]).answer).usage.outputTokens).toBe(200);
  });

  it('counts what the upstream does not tell', async () => {
    const { usage } = await asking([{ content: GOOD, usage: undefined }]).answer;
    expect(usage.outputTokens).toBe(await counter.count(GOOD));
    expect(usage.inputTokens).toBeGreaterThan(await counter.count('Name and tag a text about ships'));
  });

  it('estimates at least what both calls may use', async () => {
    const provider = new ScriptedProvider([
      { content: 'la '.repeat(100), usage: undefined },
      { content: GOOD, usage: undefined },
    ]);
    const answers = new StructuredAnswers(new Models([provider], { strictModels: true }), counter);
    const estimate = await answers.estimate(question());
    const { usage } = await answers.ask(question());
    expect(estimate.outputTokens).toBe(200);
    expect(estimate.inputTokens).toBeGreaterThanOrEqual(usage.inputTokens);
  });

  it('survives an answer that nests deeper than a schema can be followed', async () => {
    const tree = { $id: 'tree', type: 'object', properties: { child: { $ref: 'tree' } } };
    const depth = 15_000;
    const content = `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const fields = { schema: tree, outputTokensMax: 1_000_000 };
    await expect(asking([{ content }, { content }], fields).answer).rejects.toMatchObject({
      faults: ['The value nests too deeply.'],
    });
  });
});

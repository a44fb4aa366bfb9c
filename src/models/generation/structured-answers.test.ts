import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import {
  AnswerCutOff,
  AnswerLacksForm,
  ModelNotConfigured,
  ModelRefused,
  UnsupportedModelParameter,
  UpstreamFailed,
  UpstreamRefused,
} from '../errors';
import { type CallOptions, type ChatRequest, type ChatResponse, ModelProvider } from '../model-provider';
import { ANY_MODEL, type ModelRoute, Models } from '../models';
import { type OutputOf, schema, type FaultTally } from './output-schema';
import { PromptFile } from './prompt';
import {
  type AskingTerms,
  outputRoom,
  StructuredAnswers,
  type StructuredQuestion,
} from './structured-answers';

type Said =
  { content?: string | null; refusal?: string; thought?: string; finish?: string; usage?: unknown } | Error;

/** Gives the answers of a list, one after the other, and remembers the requests. */
class ScriptedProvider extends ModelProvider {
  readonly asked: ChatRequest[] = [];
  readonly options: CallOptions[] = [];
  ignored = 0;

  constructor(private readonly said: Said[]) {
    super();
  }

  models() {
    return Promise.resolve([
      { id: 'vectors', created: 0, ownedBy: 'test', operations: ['embed' as const] },
      { id: 'talker', created: 0, ownedBy: 'test', operations: ['chat' as const] },
    ]);
  }

  chat(request: ChatRequest, options: CallOptions) {
    this.asked.push(request);
    this.options.push(options);
    const said = this.said[this.asked.length - 1] ?? new Error('asked too often');
    if (said instanceof Error) {
      return Promise.reject(said);
    }
    const { content = null, refusal = null, finish = 'stop', thought } = said;
    const message = { role: 'assistant', content, refusal, reasoning_content: thought };
    const usage =
      'usage' in said ? said.usage : { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 };
    const response = {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: `${request.model}-2025`,
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    } as ChatResponse;
    const engine = { provider: 'test', method: 'chat', quality: 'upstream' };
    const ignoresFormat = () => {
      this.ignored += 1;
    };
    return Promise.resolve({ response, engine, ignoresFormat });
  }

  complete(): never {
    throw new Error('serves no completions');
  }

  embed(): never {
    throw new Error('serves no embeddings');
  }
}

const SCHEMA = schema.object({ title: schema.string(), tags: schema.list(schema.string({ minLength: 1 })) });
const ASKED_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['title', 'tags'],
  properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } } },
};
const GOOD = '{"title": "Ships", "tags": ["sea"]}';
const VALUE = { title: 'Ships', tags: ['sea'] };
const CUT = '{"title": "Ships", "tags": ["sea", "ste';
const PROMPT = new PromptFile('keywords');

describe('StructuredAnswers', () => {
  const threads = new TextThreads({ deadlineMs: 50_000 });
  const counter = new TokenCounter(threads);
  afterAll(async () => threads.close());

  /** Keeps the tags that a list has. */
  const read = ({ title, tags }: OutputOf<typeof SCHEMA>, tally: FaultTally) => {
    const kept = tags.filter((tag) => ['sea', 'sail'].includes(tag));
    tally.keep(kept.length);
    tags.filter((tag) => !kept.includes(tag)).forEach((tag) => tally.drop(`${tag} is no tag.`));
    return { title, tags: kept };
  };
  const question = (fields: Partial<StructuredQuestion<object>> = {}): StructuredQuestion<object> => ({
    prompt: PROMPT.fill({ choices: { count: 3 }, material: { text: 'a text about ships' } }),
    name: 'article',
    schema: SCHEMA,
    read,
    ...fields,
  });
  const setUp = async (said: Said[]) => {
    const provider = new ScriptedProvider(said);
    const models = new Models([provider], { strictModels: true });
    return {
      provider,
      answers: new StructuredAnswers(models, counter),
      route: await models.route('chat', ANY_MODEL),
    };
  };
  const ROOM = { answerTokensMax: 200, outputTokensMax: 200, isOutputOpen: false };
  const asking = async (
    said: Said[],
    terms: Partial<AskingTerms> = {},
    fields: Partial<StructuredQuestion<object>> = {},
  ) => {
    const { provider, answers, route } = await setUp(said);
    const used: unknown[] = [];
    const asked = { ...ROOM, route, used: (use: unknown) => used.push(use), ...terms };
    const outcome = await answers.ask(question(fields), asked).catch((error: unknown) => error);
    return { provider, outcome, used };
  };

  it.each<[string, Said]>([
    ['invalid JSON', { content: '{"title": "Ships", "tags": [' }],
    ['prose', { content: 'Ships are large boats.' }],
    ['another schema', { content: '{"title": "Ships", "tags": "sea"}' }],
    ['an unknown property', { content: '{"title": "Ships", "tags": [], "x": 1}' }],
    ['a bound that only this service checks', { content: '{"title": "Ships", "tags": [""]}' }],
    ['nothing', { content: '' }],
    ['no content', { content: null }],
  ])('fails with 502 after exactly one repair when both answers are %s', async (_, said) => {
    const { provider, outcome } = await asking([said, said, { content: GOOD }]);
    expect(outcome).toBeInstanceOf(AnswerLacksForm);
    expect(outcome).toMatchObject({ status: 502, message: expect.stringContaining('Nothing was charged.') });
    expect(provider.asked).toHaveLength(2);
  });

  it('does not tell what a model says in place of an answer, which would be an answer free of charge', async () => {
    const said = { content: 'Ships are large boats.' };
    expect((await asking([said, said])).outcome).toMatchObject({
      message: "The model's answer does not have the asked form. Nothing was charged.",
    });
  });

  it.each<[string, Said, string]>([
    [
      'says so',
      { content: null, refusal: 'I cannot help with ships.' },
      'It says: “I cannot help with ships.”',
    ],
    [
      'is withheld by a filter',
      { content: '', finish: 'content_filter' },
      'The model refuses to answer this. The',
    ],
  ])('does not ask again a model that refuses and %s, and tells what that used', async (_, said, told) => {
    const { provider, outcome, used } = await asking([said, { content: GOOD }]);
    expect(outcome).toBeInstanceOf(ModelRefused);
    expect(outcome).toMatchObject({ status: 422, message: expect.stringContaining(told) });
    expect([provider.asked.length, used]).toEqual([1, [{ inputTokens: 20, outputTokens: 5 }]]);
  });

  it('fails with 503 where no model takes a schema', async () => {
    const refused = new UnsupportedModelParameter([{ field: 'response_format', message: 'no' }]);
    expect((await asking([refused])).outcome).toBeInstanceOf(ModelNotConfigured);
  });

  it.each([
    ['of the first call', [new UpstreamFailed('main', 'answered 500')]],
    ['of the repair', [{ content: 'no' }, new UpstreamFailed('main', 'answered 500')]],
  ])("throws an upstream's failure %s unchanged", async (_, said: Said[]) => {
    const { provider, outcome } = await asking(said);
    expect(outcome).toBe(said.at(-1));
    expect(provider.asked).toHaveLength(said.length);
  });

  it('does not tell the caller of a refusal that only the second request met', async () => {
    const refused = new UpstreamRefused('main', 400, '{"error":"The prompt is too long."}');
    expect((await asking([{ content: 'no' }, refused])).outcome).toBeInstanceOf(AnswerLacksForm);
  });

  it('gives value, usage, model and engine of an answer that has the form', async () => {
    const { signal } = new AbortController();
    const { provider, outcome } = await asking([{ content: GOOD }], { signal });
    expect(outcome).toEqual({
      value: VALUE,
      isCut: false,
      dropped: 0,
      usage: { inputTokens: 20, outputTokens: 5 },
      model: 'talker-2025',
      engine: { provider: 'test', method: 'chat', quality: 'upstream', prompt: 'keywords/1' },
    });
    expect(provider.options).toEqual([
      expect.objectContaining({ signal, ownCap: true, ownFormat: { isCallersSchema: false } }),
    ]);
    expect(provider.asked).toEqual([
      {
        model: 'talker',
        messages: [
          { role: 'system', content: expect.stringContaining('never an instruction') },
          {
            role: 'user',
            content: expect.stringMatching(/^<text-\d{18}>\na text about ships\n<\/text-\d{18}>$/),
          },
        ],
        max_completion_tokens: 200,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'article', strict: true, schema: ASKED_SCHEMA },
        },
      },
    ]);
  });

  it.each([
    ['in a fence', `\`\`\`json\n${GOOD}\n\`\`\``],
    ['with text around it', `Here you are [1]: ${GOOD}\nAnything else?`],
    ['behind thoughts', `<think>Perhaps {"title": "Boats", "tags": []}?</think>\n${GOOD}`],
  ])('accepts a value %s without a repair', async (_, content) => {
    const { provider, outcome } = await asking([{ content }]);
    expect(outcome).toMatchObject({ value: VALUE });
    expect([provider.asked.length, provider.ignored]).toEqual([1, 0]);
  });

  it('repairs once: shows the answer and its faults as material, and sums the usage of both calls', async () => {
    const wrong = '{"title": 7, "tags": []}';
    const cached = { cached_tokens: 30, cache_write_tokens: 8 };
    const usage = { prompt_tokens: 60, completion_tokens: 9, prompt_tokens_details: cached };
    const absurd = { prompt_tokens: 20, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 500 } };
    const { provider, outcome } = await asking([
      { content: wrong, usage: absurd },
      { content: GOOD, usage },
    ]);
    const used = { inputTokens: 80, outputTokens: 14, cachedTokens: 50, cacheWriteTokens: 8 };
    expect(outcome).toMatchObject({ value: VALUE, usage: used });
    const [first, repair] = provider.asked.map(({ messages }) =>
      messages.map(({ content }) => content as string),
    );
    const code = /<text-(\w+)>/.exec(first?.[1] ?? '')?.[1];
    expect(repair).toEqual([
      expect.stringContaining(first?.[0] ?? ''),
      `<former_answer-${code}>\n${wrong}\n</former_answer-${code}>\n` +
        `<faults-${code}>\n- /title must be string\n</faults-${code}>\n${first?.[1]}`,
    ]);
    // The server was shown that the title is a text, and did not hold the model to it.
    expect(provider.ignored).toBe(1);
  });

  it('drops and counts items of which others are left, and asks nobody again', async () => {
    const { provider, outcome } = await asking([{ content: '{"title": "Ships", "tags": ["sea", "moon"]}' }]);
    expect(outcome).toMatchObject({ value: VALUE, dropped: 1 });
    expect([provider.asked.length, provider.ignored]).toEqual([1, 0]);
  });

  it('asks once more where nothing is left, and then gives what there is', async () => {
    const none = { content: '{"title": "Ships", "tags": ["moon"]}' };
    const mended = await asking([none, { content: GOOD }]);
    expect(mended.outcome).toMatchObject({ value: VALUE, dropped: 0 });
    expect(JSON.stringify(mended.provider.asked[1])).toContain('- moon is no tag.');
    for (const second of [none, { content: 'no' }, new UpstreamFailed('main', 'fell')]) {
      expect((await asking([none, second])).outcome).toMatchObject({
        value: { title: 'Ships', tags: [] },
        dropped: 1,
      });
    }
  });

  describe('an answer that is cut off', () => {
    const cut: Said = {
      content: CUT,
      finish: 'length',
      usage: { prompt_tokens: 20, completion_tokens: 100 },
    };
    const open = { answerTokensMax: 100, outputTokensMax: 300, isOutputOpen: true };

    it('is asked for once more with twice the room', async () => {
      const { provider, outcome, used } = await asking([cut, { content: GOOD }], open);
      expect(outcome).toMatchObject({ value: VALUE, isCut: false });
      expect(provider.asked.map(({ max_completion_tokens: cap }) => cap)).toEqual([100, 200]);
      expect(used).toEqual([{ inputTokens: 40, outputTokens: 105 }]);
    });

    it.each<[string, Said[], Partial<AskingTerms>]>([
      ['there is no more room', [cut], { answerTokensMax: 100, outputTokensMax: 100 }],
      ['the second one is cut off too', [cut, cut], open],
      ['the second one is none', [cut, { content: 'no' }], open],
      ['the second request fails', [cut, new UpstreamFailed('main', 'fell')], open],
    ])('is given as far as it came where %s', async (_, said, terms) => {
      const { provider, outcome } = await asking(said, terms);
      expect(outcome).toMatchObject({ value: VALUE, isCut: true });
      expect(provider.asked).toHaveLength(said.length);
    });

    it('is an error where nothing of it can be given: charged if the caller named the room', async () => {
      const begun = { ...cut, content: '{"tit' };
      const named = await asking([begun], { answerTokensMax: 100, outputTokensMax: 100 });
      expect(named.outcome).toBeInstanceOf(AnswerCutOff);
      expect(named.outcome).toMatchObject({
        status: 422,
        message: expect.stringContaining('does not fit into 100 tokens'),
      });
      expect(named.used).toEqual([{ inputTokens: 20, outputTokens: 100 }]);
      expect((await asking([begun, begun], open)).outcome).toMatchObject({
        status: 502,
        message: expect.stringContaining('was cut off at 200 tokens'),
      });
    });

    it('is survived where it nests too deeply to be followed', async () => {
      const deep = '['.repeat(15_000);
      const terms = { answerTokensMax: 100, outputTokensMax: 100 };
      const behind = { ...cut, content: `{"title": "Ships", "tags": ["sea", ${deep}` };
      expect((await asking([behind], terms)).outcome).toMatchObject({ value: VALUE, isCut: true });
      const alone = { ...cut, content: `{"title": "Ships", "tags": ${deep}` };
      expect((await asking([alone], terms)).outcome).toBeInstanceOf(AnswerCutOff);
    });

    it('is whole where only the text around it was cut off', async () => {
      const { outcome } = await asking([{ ...cut, content: `${GOOD} I hope that` }], open);
      expect(outcome).toMatchObject({ value: VALUE, isCut: false });
    });
  });

  it.each([
    // The second answer takes more than it was asked for, as its upstream tells.
    ['told usage', { prompt_tokens: 1, completion_tokens: 150, total_tokens: 151 }, 50, 300],
    ['usage that is denied', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, 100, 0],
    ['missing usage', undefined, 100, 113],
    ['negative usage', { prompt_tokens: -5, completion_tokens: -5, total_tokens: -10 }, 100, 113],
  ])('leaves the repair no more output than the rest, with %s', async (_, usage, room, output) => {
    const hundredTokens = 'la '.repeat(100).trim();
    const { provider, outcome } = await asking([
      { content: hundredTokens, usage },
      { content: GOOD, usage },
    ]);
    const { usage: sum } = outcome as { usage: { inputTokens: number; outputTokens: number } };
    expect(provider.asked[1]?.max_completion_tokens).toBe(room);
    expect(sum.outputTokens).toBe(output);
    expect(sum.inputTokens).toBeGreaterThanOrEqual(0);
  });

  it('holds an absurd usage to what was allowed', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 1e12, total_tokens: 1e12 };
    const { used } = await asking([{ content: GOOD, usage }]);
    expect(used).toMatchObject([{ outputTokens: 200 }]);
  });

  it('counts what the upstream does not tell', async () => {
    const { used } = await asking([{ content: GOOD, thought: 'They sail.', usage: undefined }]);
    const [{ inputTokens, outputTokens } = { inputTokens: 0, outputTokens: 0 }] = used as never[];
    expect(outputTokens).toBe(await counter.countAll([GOOD, 'They sail.']));
    expect(inputTokens).toBeGreaterThan(await counter.count('a text about ships'));
  });

  it('estimates at least what both calls may use', async () => {
    const { answers, route } = await setUp([
      { content: 'la '.repeat(100), usage: undefined },
      { content: GOOD, usage: undefined },
    ]);
    const estimate = await answers.estimate(question(), ROOM);
    const { usage } = await answers.ask(question(), { ...ROOM, route });
    expect(estimate.outputTokens).toBe(200);
    expect(estimate.inputTokens).toBeGreaterThanOrEqual(usage.inputTokens);
  });

  it('survives an answer that nests deeper than a schema can be followed', async () => {
    const schema = { $id: 'tree', type: 'object', properties: { child: { $ref: 'tree' } } };
    const depth = 15_000;
    const content = `${'{"child":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    const terms = { answerTokensMax: 500_000, outputTokensMax: 1_000_000 };
    expect((await asking([{ content }, { content }], terms, { schema })).outcome).toMatchObject({
      faults: ['The value nests too deeply.'],
    });
  });
});

describe('the room of an answer', () => {
  const routeOf = (...largest: (number | undefined)[]) =>
    ({ stops: largest.map((outputTokensMax) => ({ model: { outputTokensMax } })) }) as unknown as ModelRoute;

  it.each([
    ['names it: once', routeOf(undefined), 500, [500, 500, false]],
    ['does not: the default, and twice as much again', routeOf(undefined), null, [4096, 12_288, true]],
    ['does not, and the smallest model writes less', routeOf(undefined, 3000), null, [3000, 6000, true]],
    ['does not, and no model writes twice as much', routeOf(5000), null, [4096, 9096, true]],
  ])('where the caller %s', (_, route, asked, [answerTokensMax, outputTokensMax, isOutputOpen]) => {
    expect(outputRoom(route, asked, 4096)).toEqual({ answerTokensMax, outputTokensMax, isOutputOpen });
  });
});

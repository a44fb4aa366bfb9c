import { countTokens } from '../text/count-tokens';
import { CANNOT_ANSWER } from '../text/extractive-answer';
import { TextThreads } from '../text/text-threads';
import { ModelInputTooLarge, UnsupportedModelParameter } from './errors';
import { ChatMessage, ChatRequest } from './model-provider';
import { EmbeddedProvider } from './embedded-provider';

const threads = new TextThreads({ deadlineMs: 50_000 });
const clock = { now: () => new Date('2025-06-01T12:00:00.900Z') };
const provider = new EmbeddedProvider(clock, threads, 1_024, () => 'fixed');

const material =
  'The warranty lasts 24 months. It covers the motor and the battery. Shipping is free within Austria.';
const messages: ChatMessage[] = [
  { role: 'system', content: material },
  { role: 'user', content: 'How long does the warranty last?', name: 'anna' },
];

afterAll(() => threads.close());

async function chat(fields: Partial<ChatRequest> = {}) {
  const { response, engine } = await provider.chat({ model: 'gpt-4o', messages, ...fields }, {});
  return { response, engine, choice: response.choices[0] };
}

function refusedFields(call: Promise<unknown>): Promise<string[]> {
  return call.then(
    () => [],
    (error: unknown) => {
      if (!(error instanceof UnsupportedModelParameter)) {
        throw error;
      }
      expect(error).toMatchObject({ status: 400, error: 'Validation error' });
      return error.refused.map(({ field }) => field);
    },
  );
}

describe('refuses, naming the field,', () => {
  const part = (type: string) => ({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }, { type }] }],
  });

  it.each<[string, Partial<ChatRequest>]>([
    ['tools', { tools: [{ type: 'function', function: { name: 'find' } }] }],
    ['tool_choice', { tool_choice: 'auto' }],
    ['functions', { functions: [{ name: 'find' }] }],
    ['function_call', { function_call: { name: 'find' } }],
    ['response_format', { response_format: { type: 'json_object' } }],
    ['response_format', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: {} } } }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 2 }],
    ['logit_bias', { logit_bias: { '50256': -100 } }],
    ['n', { n: 2 }],
    ['stream', { stream: true }],
    ['stop', { stop: Array.from({ length: 17 }, () => 'a') }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['audio', { audio: { voice: 'alloy', format: 'wav' } }],
    ['web_search_options', { web_search_options: {} }],
    ['messages[0].content[1]', part('image_url')],
    ['messages[0].content[1]', part('input_audio')],
    ['messages[0].content[1]', part('file')],
  ])('%s of a chat: %j', async (field, fields) => {
    expect(await refusedFields(chat(fields))).toEqual([field]);
  });

  it('all fields at once', async () => {
    expect(await refusedFields(chat({ n: 2, logprobs: true }))).toEqual(['logprobs', 'n']);
  });

  it.each([
    ['prompt', { prompt: ['one', 'two'] }],
    ['prompt', { prompt: [1, 2] }],
    ['suffix', { prompt: '', suffix: 'end' }],
    ['echo', { prompt: '', echo: true }],
    ['best_of', { prompt: '', best_of: 2 }],
    ['logprobs', { prompt: '', logprobs: 0 }],
    ['logit_bias', { prompt: '', logit_bias: { '1': 1 } }],
    ['n', { prompt: '', n: 3 }],
    ['stream', { prompt: '', stream: true }],
    ['stop', { prompt: '', stop: Array.from({ length: 17 }, () => 'a') }],
  ])('%s of a completion: %j', async (field, fields) => {
    expect(await refusedFields(provider.complete({ model: '', ...fields }, {}))).toEqual([field]);
  });

  it.each([
    ['input', { input: '' }],
    ['input', { input: [] }],
    ['input', { input: ['text', ''] }],
    ['input', { input: [1, 2] }],
    ['input', { input: [[1], [2]] }],
    ['dimensions', { input: 'text', dimensions: 385 }],
    ['dimensions', { input: 'text', dimensions: 0 }],
  ])('%s of an embedding: %j', async (field, fields) => {
    expect(await refusedFields(provider.embed({ model: '', ...fields }, {}))).toEqual([field]);
  });

  it('inputs that are too large', async () => {
    const many = Array.from({ length: 1_001 }, () => ({ role: 'user', content: '' }));
    const long = [{ role: 'user', content: 'a'.repeat(400_001) }];
    const inputs = Array.from({ length: 2_049 }, () => 'a');
    for (const call of [
      chat({ messages: many }),
      chat({ messages: long }),
      provider.complete({ model: '', prompt: 'a'.repeat(400_001) }, {}),
      provider.embed({ model: '', input: 'a'.repeat(400_001) }, {}),
      provider.embed({ model: '', input: inputs }, {}),
    ]) {
      await expect(call).rejects.toThrow(ModelInputTooLarge);
    }
  });
});

describe('chat', () => {
  it('answers in the wire format, and says what answered', async () => {
    const { response, engine } = await chat();
    const promptTokens = countTokens(material) + countTokens('How long does the warranty last?');
    // Three tokens frame each message and three the answer; roles and names count their own, and a name one more.
    const framing = 2 * 3 + countTokens('system') + countTokens('user') + countTokens('anna') + 1 + 3;
    const completionTokens = countTokens('The warranty lasts 24 months.');
    expect(response).toEqual({
      id: 'chatcmpl-fixed',
      object: 'chat.completion',
      created: 1_748_779_200,
      model: 'embedded-extractive-1',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The warranty lasts 24 months.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: promptTokens + framing,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + framing + completionTokens,
      },
      system_fingerprint: 'fp_embedded_extractive_1',
    });
    expect(engine).toEqual({ provider: 'embedded', method: 'bm25', quality: 'basic' });
  });

  it('answers the same every time, whatever the temperature and parameters that ask for nothing', async () => {
    const harmless = {
      temperature: 2,
      tools: null,
      tool_choice: 'none',
      response_format: { type: 'text' },
      logprobs: false,
      logit_bias: {},
      n: 1,
      stream: false,
      modalities: ['text'],
      seed: 7,
    };
    expect((await chat(harmless)).response).toEqual((await chat()).response);
  });

  it('reads text parts like text', async () => {
    const [system, user] = messages;
    const parts = [
      { role: 'system', content: [{ type: 'text', text: system?.content as string }] },
      user ?? system,
    ];
    expect((await chat({ messages: parts as ChatMessage[] })).response).toEqual((await chat()).response);
  });

  it.each(['max_tokens', 'max_completion_tokens'])('cuts at %s and says so', async (field) => {
    const { choice, response } = await chat({ [field]: 3 });
    expect(choice?.message.content).toBe('The warranty lasts');
    expect(choice?.finish_reason).toBe('length');
    expect(response.usage.completion_tokens).toBe(3);
  });

  it('cuts at its default cap when the request has none', async () => {
    const capped = new EmbeddedProvider(clock, threads, 2);
    const { response } = await capped.chat({ model: '', messages }, {});
    expect(response.usage.completion_tokens).toBe(2);
    expect(response.choices[0]?.finish_reason).toBe('length');
  });

  it('ends before the first stop sequence', async () => {
    const { choice } = await chat({ stop: ['months', ' lasts', 'absent'] });
    expect(choice?.message.content).toBe('The warranty');
    expect(choice?.finish_reason).toBe('stop');
    expect((await chat({ stop: '24' })).choice?.message.content).toBe('The warranty lasts ');
  });

  it('says that it cannot answer, of which no token is counted', async () => {
    const { response, engine, choice } = await chat({
      messages: [{ role: 'user', content: 'Who is Ada Lovelace?' }],
    });
    expect(choice?.message.content).toBe(CANNOT_ANSWER);
    expect(response.usage).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 });
    expect(engine.method).toBe('refusal');
  });

  it.each([
    ['no punctuation', 'a'],
    ['only punctuation', '.'],
    ['many short sentences', 'ab. '],
    ['lone surrogates', '\ud800'],
  ])('answers about 400,000 characters of %s', async (_, unit) => {
    const content = unit.repeat(399_000 / unit.length);
    for (const question of ['Summarize the text.', 'What is ab?']) {
      const { response, engine } = await chat({
        messages: [
          { role: 'system', content },
          { role: 'user', content: question },
        ],
      });
      expect(response.usage.completion_tokens > 0).toBe(engine.method !== 'refusal');
      expect(response.usage.completion_tokens).toBeLessThanOrEqual(1_024);
    }
  });
});

describe('complete', () => {
  it('answers a prompt that brings its own material', async () => {
    const prompt = `${material} Is shipping free?`;
    const { response, engine } = await provider.complete({ model: 'any', prompt: [prompt] }, {});
    expect(response).toMatchObject({
      id: 'cmpl-fixed',
      object: 'text_completion',
      model: 'embedded-extractive-1',
      choices: [{ index: 0, text: 'Shipping is free within Austria.', finish_reason: 'stop' }],
      usage: { prompt_tokens: countTokens(prompt) },
    });
    expect(engine.method).toBe('bm25');
  });
});

describe('embed', () => {
  const embed = async (fields: object) => {
    const { response } = await provider.embed(
      { model: 'text-embedding-3-small', input: 'bees', ...fields },
      {},
    );
    return response;
  };

  it('gives vectors of length 1 in the order of the inputs, and counts the inputs', async () => {
    const input = ['The bees dance.', 'Rent is due monthly.'];
    const both = await embed({ input });
    expect(both).toMatchObject({
      object: 'list',
      model: 'embedded-hash-384',
      usage: { prompt_tokens: countTokens(input.join('')), total_tokens: countTokens(input.join('')) },
    });
    for (const [index, { embedding, ...rest }] of both.data.entries()) {
      expect(rest).toEqual({ object: 'embedding', index });
      expect(embedding).toHaveLength(384);
      expect(Math.hypot(...(embedding as number[]))).toBeCloseTo(1, 5);
      expect(embedding).toEqual((await embed({ input: input[index] })).data[0]?.embedding);
    }
  });

  it.each([undefined, 256, 1])('gives base64 of the very floats, in %s dimensions', async (dimensions) => {
    const floats = (await embed({ dimensions })).data[0]?.embedding as number[];
    const base64 = (await embed({ dimensions, encoding_format: 'base64' })).data[0]?.embedding as string;
    const bytes = Buffer.from(base64, 'base64');
    expect(floats).toHaveLength(dimensions ?? 384);
    expect(bytes).toHaveLength(4 * floats.length);
    expect(floats.map((_, index) => bytes.readFloatLE(4 * index))).toEqual(floats);
  });

  it('embeds 2,048 inputs in one call', async () => {
    const input = Array.from({ length: 2_048 }, (_, index) => `The ${index}th bee dances.`);
    const { data } = await embed({ input, encoding_format: 'base64' });
    expect(new Set(data.map(({ embedding }) => embedding)).size).toBe(2_048);
  });
});

it('offers its two models under their own names', async () => {
  expect(await provider.models()).toMatchObject([
    { id: 'embedded-extractive-1', operations: ['chat', 'complete'] },
    { id: 'embedded-hash-384', operations: ['embed'] },
  ]);
});

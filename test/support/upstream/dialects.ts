/** What servers that call themselves OpenAI-compatible send otherwise than OpenAI, by their public documents. */
export interface Dialect {
  readonly name: string;
  /** As it stands in an answer, and the tokens that have to be charged for it. */
  readonly usage: Readonly<Record<string, unknown>>;
  readonly tokens: readonly [input: number, output: number];
  readonly cachedTokens?: number;
  /** Where a stream has its usage: in a chunk without choices, in the chunk that ends the choice, or in every chunk. */
  readonly streamedUsage: 'alone' | 'with the end' | 'everywhere';
  readonly omitsDone?: boolean;
  /** Sent before the first chunk of a stream, as it stands. */
  readonly preamble?: string;
  /** Further members of an answer, of its choice, and of what the model says. */
  readonly answer?: object;
  readonly choice?: object;
  readonly said?: object;
  /** How a stream brings the call of a tool. */
  readonly calls: 'in pieces' | 'whole' | 'whole, without an index';
  /** What is answered where the server has no embeddings, or no responses. */
  readonly noEmbeddings?: Absence;
  readonly noResponses?: Absence;
  /** The status and the body of a refusal for which the server has this sentence. */
  refusal(sentence: string): readonly [status: number, body: unknown];
}

interface Absence {
  readonly status: number;
  readonly body: unknown;
}

const PLAIN = { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 };
const BASE = { usage: PLAIN, tokens: [10, 12], streamedUsage: 'alone', calls: 'in pieces' } as const;
const openAiRefusal = (message: string) =>
  [400, { error: { message, type: 'invalid_request_error', param: null, code: null } }] as const;
const NOTHING = { status: 404, body: '' };
const FILTERED = { hate: { filtered: false, severity: 'safe' } };

export const DIALECTS: readonly Dialect[] = [
  {
    ...BASE,
    name: 'OpenAI',
    usage: {
      ...PLAIN,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 0 },
    },
    cachedTokens: 4,
    answer: { service_tier: 'default', system_fingerprint: 'fp_1', obfuscation: 'x2' },
    said: { refusal: null, annotations: [] },
    refusal: openAiRefusal,
  },
  {
    ...BASE,
    name: 'vLLM',
    streamedUsage: 'everywhere',
    answer: { prompt_logprobs: null, kv_transfer_params: null },
    choice: { stop_reason: null, token_ids: null },
    said: { reasoning_content: 'They greet me.' },
    refusal: (message) => [400, { error: { message, type: 'BadRequestError', param: null, code: 400 } }],
  },
  {
    ...BASE,
    name: 'Ollama',
    calls: 'whole',
    answer: { system_fingerprint: 'fp_ollama' },
    said: { reasoning: 'They greet me.' },
    noResponses: { status: 404, body: '404 page not found' },
    refusal: (error) => [400, { error }],
  },
  {
    ...BASE,
    name: 'llama.cpp',
    answer: { timings: { prompt_n: 10, predicted_n: 12, predicted_ms: 80.5 } },
    noResponses: {
      status: 404,
      body: { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } },
    },
    refusal: (message) => [400, { error: { code: 400, message, type: 'invalid_request_error' } }],
  },
  {
    ...BASE,
    name: 'LM Studio',
    answer: { stats: {}, system_fingerprint: 'local' },
    refusal: (error) => [400, { error }],
  },
  {
    ...BASE,
    name: 'New API',
    usage: { ...PLAIN, input_tokens: 0, output_tokens: 0, input_tokens_details: null },
    streamedUsage: 'with the end',
    omitsDone: true,
    noResponses: {
      status: 404,
      body: {
        error: { message: 'Invalid URL (POST /v1/responses)', type: 'invalid_request_error', code: '' },
      },
    },
    refusal: (message) => [
      400,
      { error: { message, type: 'new_api_error', param: '', code: 'bad_request' } },
    ],
  },
  {
    ...BASE,
    name: 'OpenRouter',
    usage: { ...PLAIN, cost: 0.00014, is_byok: false, completion_tokens_details: { reasoning_tokens: 8 } },
    preamble: ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n',
    answer: { provider: 'Somebody' },
    choice: { native_finish_reason: 'STOP' },
    said: {
      reasoning: 'They greet me.',
      reasoning_details: [{ type: 'reasoning.text', text: 'They greet me.' }],
    },
    refusal: (message) => [
      400,
      { error: { message, code: 400, metadata: { raw: '{}' } }, user_id: 'user_1' },
    ],
  },
  {
    ...BASE,
    name: 'xAI',
    usage: {
      ...{ prompt_tokens: 10, completion_tokens: 9, total_tokens: 1341, num_sources_used: 0 },
      prompt_tokens_details: { text_tokens: 10, cached_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 1322 },
    },
    tokens: [10, 1331],
    cachedTokens: 2,
    calls: 'whole',
    said: { reasoning_content: 'They greet me.' },
    noEmbeddings: {
      status: 404,
      body: { code: 'Some requested entity was not found', error: 'No such model.' },
    },
    refusal: (error) => [400, { code: 'Client specified an invalid argument', error }],
  },
  {
    ...BASE,
    name: 'Gemini',
    usage: { prompt_tokens: 10, completion_tokens: 9, total_tokens: 140 },
    tokens: [10, 130],
    streamedUsage: 'everywhere',
    calls: 'whole, without an index',
    said: { extra_content: { google: { thought_signature: 'CpQB' } } },
    noResponses: NOTHING,
    refusal: (message) => [400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]],
  },
  {
    ...BASE,
    name: 'DeepSeek',
    usage: { ...PLAIN, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 },
    cachedTokens: 4,
    streamedUsage: 'with the end',
    preamble: ': keep-alive\n\n',
    said: { reasoning_content: 'They greet me.' },
    noEmbeddings: NOTHING,
    noResponses: NOTHING,
    refusal: openAiRefusal,
  },
  {
    ...BASE,
    name: 'Azure',
    preamble: `data: ${JSON.stringify({
      ...{ id: '', object: '', created: 0, model: '', choices: [] },
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: FILTERED }],
    })}\n\n`,
    choice: { content_filter_results: FILTERED },
    refusal: (message) => [
      400,
      {
        error: {
          message,
          type: null,
          param: 'prompt',
          code: 'content_filter',
          status: 400,
          innererror: FILTERED,
        },
      },
    ],
  },
  {
    ...BASE,
    name: 'Mistral',
    streamedUsage: 'with the end',
    calls: 'whole',
    answer: { p: 'abcde' },
    said: { prefix: false },
    noResponses: { status: 404, body: { message: 'no Route matched with those values', request_id: 'r' } },
    refusal: (msg) => [
      422,
      {
        object: 'error',
        message: { detail: [{ type: 'missing', loc: ['body'], msg }] },
        raw_status_code: 422,
      },
    ],
  },
];

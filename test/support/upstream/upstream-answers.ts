import type { Reaction, RecordedRequest } from './upstream-reaction';

/** A JSON answer; a text goes out as it is. */
export function jsonReaction(body: unknown, fields: Reaction = {}): Reaction {
  return { chunks: [typeof body === 'string' ? body : JSON.stringify(body)], ...fields };
}

/** An error as OpenAI-like servers say it. */
export function errorReaction(status: number, message: string, fields: Reaction = {}): Reaction {
  return jsonReaction(
    { error: { message, type: 'upstream_error', param: null, code: `code_${status}` } },
    {
      status,
      ...fields,
    },
  );
}

/** Server-sent events, a chunk for each. */
export function streamReaction(chunks: readonly (string | Uint8Array)[], fields: Reaction = {}): Reaction {
  return { headers: { 'content-type': 'text/event-stream' }, chunks, ...fields };
}

/** The event that carries a value, or a text such as `[DONE]`. */
export function dataEvent(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

export interface AnswerOptions {
  readonly texts?: readonly string[];
  readonly usage?: unknown;
  readonly logprobs?: boolean;
  readonly finishReason?: string;
}

/** A chat completion with a choice for each text, as a server gives it that knows `n` and `logprobs`. */
export function chatAnswer(model: string, options: AnswerOptions = {}): Record<string, unknown> {
  const { texts = ['Hello there.'], logprobs = false, finishReason = 'stop' } = options;
  return {
    id: 'chatcmpl-raw-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model,
    choices: texts.map((content, index) => ({
      index,
      message: { role: 'assistant', content, refusal: null },
      logprobs: logprobs ? { content: tokensOf(content).map(logprobOf), refusal: null } : null,
      finish_reason: finishReason,
    })),
    ...('usage' in options ? { usage: options.usage } : { usage: usageOf(texts) }),
  };
}

/** The events of a stream: a chunk for each word of each text, the choices interleaved, and at last the usage. */
export function chatEvents(model: string, options: AnswerOptions & { asksUsage?: boolean } = {}): string[] {
  const { texts = ['Hello there.'], logprobs = false, finishReason = 'stop', asksUsage = true } = options;
  const chunk = (choices: unknown[], fields: object = {}) =>
    dataEvent({
      id: 'chatcmpl-raw-1',
      object: 'chat.completion.chunk',
      created: 1_760_000_000,
      model,
      choices,
      ...fields,
    });
  const words = texts.map(tokensOf);
  const longest = Math.max(...words.map(({ length }) => length));
  const deltas = Array.from({ length: longest }, (_, place) =>
    words.flatMap((ofChoice, index) => {
      const word = ofChoice[place];
      const logprob = logprobs ? { content: [logprobOf(word ?? '')], refusal: null } : null;
      return word === undefined
        ? []
        : [chunk([{ index, delta: { content: word }, logprobs: logprob, finish_reason: null }])];
    }),
  ).flat();
  const usage = 'usage' in options ? options.usage : usageOf(texts);
  return [
    ...texts.map((_, index) =>
      chunk([{ index, delta: { role: 'assistant', content: '' }, logprobs: null, finish_reason: null }]),
    ),
    ...deltas,
    ...texts.map((_, index) => chunk([{ index, delta: {}, logprobs: null, finish_reason: finishReason }])),
    ...(asksUsage && usage !== undefined ? [chunk([], { usage })] : []),
    dataEvent('[DONE]'),
  ];
}

/** Vectors of a few numbers for every input, as floats or as the base64 of little-endian 32-bit floats. */
export function embeddingAnswer(request: RecordedRequest): Record<string, unknown> {
  const { input, model, encoding_format } = request.body ?? {};
  const inputs = Array.isArray(input) ? input : [input];
  const tokens = inputs.reduce((sum: number, text) => sum + tokensOf(String(text)).length, 0);
  return {
    object: 'list',
    data: inputs.map((text, index) => {
      const vector = vectorOf(String(text));
      const bytes = Buffer.from(Float32Array.from(vector).buffer);
      const embedding = encoding_format === 'base64' ? bytes.toString('base64') : vector;
      return { object: 'embedding', index, embedding };
    }),
    model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Eighths, which 32-bit floats hold exactly. */
export function vectorOf(text: string): number[] {
  return [text.length, text.codePointAt(0) ?? 0, -1, 0].map((value) => value / 8);
}

export function usageOf(texts: readonly string[], promptTokens = 9): Record<string, number> {
  const completionTokens = texts.reduce((sum, text) => sum + tokensOf(text).length, 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

/** A word with the space before it. */
function tokensOf(text: string): string[] {
  return text.match(/\s*\S+/g) ?? [];
}

function logprobOf(token: string): Record<string, unknown> {
  const bytes = [...Buffer.from(token)];
  return {
    token,
    logprob: -0.25,
    bytes,
    top_logprobs: [
      { token, logprob: -0.25, bytes },
      { token: ' or', logprob: -1.5, bytes: [32, 111, 114] },
    ],
  };
}

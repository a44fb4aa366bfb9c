import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ValidationDetail } from '../errors/api-errors';
import { Clock } from '../runtime/clock';
import { isGiven } from '../runtime/json';
import { EMBEDDED_CHAT_MODEL } from '../text/extractive-answer';
import { AnswerInput, AnswerOutput, textJobs } from '../text/text.jobs';
import { TextThreads } from '../text/text-threads';
import { ModelInputTooLarge, UnsupportedModelParameter } from './errors';
import {
  CallOptions,
  ChatMessage,
  ChatRequest,
  ChatResponse,
  CompletionRequest,
  CompletionResponse,
  ContentPart,
  EmbeddedInput,
  EmbeddingRequest,
  EmbeddingResponse,
  Engine,
  ModelAnswer,
  ModelDescription,
  ModelProvider,
  ModelStream,
  outputTokensMax,
} from './model-provider';
import { TOKENS_PER_ANSWER, TOKENS_PER_MESSAGE, TOKENS_PER_NAME } from './request-tokens';
import { ownEvent, type ServerSentEvent } from './sse';
import { usageOf } from './usage';

export const EMBEDDED_EMBEDDING_MODEL = 'embedded-hash-384';
const EMBEDDED_DIMENSIONS_MAX = 384;

const MESSAGES_MAX = 1_000;
const TEXT_LENGTH_MAX = 400_000;
const EMBEDDING_INPUTS_MAX = 2_048;

/** Unix time in seconds. */
const CREATED = 1_763_683_200;

/** Output tokens of an answer without a model, where the caller sets no number. */
export const EMBEDDED_OUTPUT_TOKENS_MAX = 1_024;

const OF_EMBEDDED = { created: CREATED, ownedBy: 'embedded', outputTokensMax: EMBEDDED_OUTPUT_TOKENS_MAX };

export const EMBEDDED_MODELS: readonly ModelDescription[] = [
  { id: EMBEDDED_CHAT_MODEL, aliases: ['embedded'], operations: ['chat', 'complete'], ...OF_EMBEDDED },
  { id: EMBEDDED_EMBEDDING_MODEL, operations: ['embed'], ...OF_EMBEDDED },
];

/** Fewer words would make most of the bytes framing; with more a client would not see the answer grow. */
const WORDS_PER_PIECE = 4;

/** As an upstream streams it: role, pieces of the text, finish reason, usage, `[DONE]`. */
export function chatEvents(response: ChatResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(chatChunks(response));
}

export function completionEvents(response: CompletionResponse): AsyncIterable<ServerSentEvent> {
  return inTurns(completionChunks(response));
}

function* chatChunks({ choices, usage, ...head }: ChatResponse): Generator<object> {
  const chunk = { ...head, object: 'chat.completion.chunk' };
  for (const { index, message, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    const opening = { role: message.role, content: '', refusal: null };
    yield { ...chunk, choices: [{ ...choice, delta: opening }] };
    for (const content of textPieces(message.content ?? '')) {
      yield { ...chunk, choices: [{ ...choice, delta: { content } }] };
    }
    yield { ...chunk, choices: [{ ...choice, delta: {}, finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

function* completionChunks({ choices, usage, ...chunk }: CompletionResponse): Generator<object> {
  for (const { index, text, finish_reason } of choices) {
    const choice = { index, logprobs: null, finish_reason: null };
    for (const piece of textPieces(text)) {
      yield { ...chunk, choices: [{ ...choice, text: piece }] };
    }
    yield { ...chunk, choices: [{ ...choice, text: '', finish_reason }] };
  }
  yield { ...chunk, choices: [], usage };
}

/** Each chunk in its own turn, because a long answer must not block the event loop. */
async function* inTurns(chunks: Iterable<object>): AsyncGenerator<ServerSentEvent> {
  for (const chunk of chunks) {
    yield ownEvent(JSON.stringify(chunk));
    await nextTurn();
  }
  yield ownEvent('[DONE]');
}

export function textPieces(text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const count = Math.ceil(words.length / WORDS_PER_PIECE);
  return Array.from({ length: count }, (_, index) =>
    words.slice(index * WORDS_PER_PIECE, (index + 1) * WORDS_PER_PIECE).join(''),
  );
}

type AnswerMessage = AnswerInput['messages'][number];

/** Must change whenever the same request may get another answer. */
const FINGERPRINT = 'fp_embedded_extractive_1';

/** @throws UnsupportedModelParameter, ModelInputTooLarge */
export class EmbeddedProvider extends ModelProvider {
  constructor(
    private readonly clock: Clock,
    private readonly threads: TextThreads,
    private readonly outputTokensMaxDefault: number,
    private readonly newId: () => string = () => randomBytes(12).toString('hex'),
  ) {
    super();
  }

  models(): Promise<readonly ModelDescription[]> {
    return Promise.resolve(EMBEDDED_MODELS);
  }

  override refuseChat(request: ChatRequest): void {
    refuseChatParameters({ ...request, stream: null });
  }

  async chat(request: ChatRequest, options: CallOptions): Promise<ModelAnswer<ChatResponse>> {
    refuseChatParameters(request);
    const messages = request.messages.map(answerMessage);
    const answer = await this.answer('messages', request, messages, options);
    const framing = TOKENS_PER_ANSWER + messages.reduce((sum, { name }) => sum + framingTokens(name), 0);
    const message = { role: 'assistant' as const, content: answer.text, refusal: null };
    const response: ChatResponse = {
      id: `chatcmpl-${this.newId()}`,
      object: 'chat.completion',
      created: this.unixTime(),
      model: EMBEDDED_CHAT_MODEL,
      choices: [{ index: 0, message, logprobs: null, finish_reason: answer.finishReason }],
      usage: usageOfAnswer(answer, answer.labelTokens + framing),
      system_fingerprint: FINGERPRINT,
    };
    return { response, engine: engine(answer.method) };
  }

  async complete(request: CompletionRequest, options: CallOptions): Promise<ModelAnswer<CompletionResponse>> {
    refuseCompletionParameters(request);
    const prompt = [request.prompt].flat().join('');
    const messages = [{ role: 'user', name: '', parts: [prompt] }];
    const answer = await this.answer('prompt', request, messages, options);
    const response: CompletionResponse = {
      id: `cmpl-${this.newId()}`,
      object: 'text_completion',
      created: this.unixTime(),
      model: EMBEDDED_CHAT_MODEL,
      choices: [{ index: 0, text: answer.text, logprobs: null, finish_reason: answer.finishReason }],
      usage: usageOfAnswer(answer),
      system_fingerprint: FINGERPRINT,
    };
    return { response, engine: engine(answer.method) };
  }

  override async streamChat(request: ChatRequest, options: CallOptions): Promise<ModelStream> {
    const { response, engine: by } = await this.chat({ ...request, stream: null }, options);
    return { model: response.model, engine: by, events: chatEvents(response) };
  }

  override async streamCompletion(request: CompletionRequest, options: CallOptions): Promise<ModelStream> {
    const { response, engine: by } = await this.complete({ ...request, stream: null }, options);
    return { model: response.model, engine: by, events: completionEvents(response) };
  }

  async embed(
    request: EmbeddingRequest,
    { signal, progress }: CallOptions,
  ): Promise<ModelAnswer<EmbeddingResponse>> {
    const texts = embeddingTexts(request);
    const dimensions = request.dimensions ?? EMBEDDED_DIMENSIONS_MAX;
    const format = request.encoding_format ?? 'float';
    const job = { texts, dimensions, asJson: format === 'float' };
    const embedded = await this.threads.run(textJobs.embedTexts, job, texts, signal, () => progress?.taken());
    const { vectors, json, inputTokens } = embedded;
    const data = texts.map((_, index): EmbeddedInput => {
      const vector = vectors.subarray(index * dimensions, (index + 1) * dimensions);
      return { object: 'embedding', index, embedding: encoded(vector, format) };
    });
    const response: EmbeddingResponse = {
      object: 'list',
      data,
      model: EMBEDDED_EMBEDDING_MODEL,
      usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
    };
    const text =
      json === null ? undefined : JSON.stringify({ ...response, data: [] }).replace('[]', () => json);
    return { response, text, engine: engine('hashed-n-grams') };
  }

  private answer(
    field: string,
    request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens' | 'stop'>,
    messages: readonly AnswerMessage[],
    { signal, progress }: CallOptions,
  ): Promise<AnswerOutput> {
    const texts = messages.flatMap(({ role, name, parts }) => [role, name, ...parts]);
    limitText(field, texts);
    const input: AnswerInput = {
      messages,
      stop: [request.stop ?? []].flat(),
      outputTokensMax: outputTokensMax(request, this.outputTokensMaxDefault),
    };
    return this.threads.run(textJobs.answerMessages, input, texts, signal, () => progress?.taken());
  }

  private unixTime(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

function answerMessage({ role, name, content }: ChatMessage): AnswerMessage {
  const parts = typeof content === 'string' ? [content] : (content ?? []).map(({ text }) => text ?? '');
  return { role, name: name ?? '', parts };
}

function framingTokens(name: string): number {
  return name === '' ? TOKENS_PER_MESSAGE : TOKENS_PER_MESSAGE + TOKENS_PER_NAME;
}

/** A refusal counts nothing, so that only the base price is paid. */
function usageOfAnswer({ method, contentTokens, outputTokens }: AnswerOutput, framingTokens = 0) {
  return method === 'refusal'
    ? usageOf({ inputTokens: 0, outputTokens: 0 })
    : usageOf({ inputTokens: contentTokens + framingTokens, outputTokens });
}

function engine(method: string): Engine {
  return { provider: 'embedded', method, quality: 'basic' };
}

/** Base64 holds little-endian floats, the byte order of the platforms this service runs on. */
function encoded(vector: Float32Array, format: 'float' | 'base64'): EmbeddedInput['embedding'] {
  if (format === 'float') {
    return Array.from(vector);
  }
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}

function limitText(field: string, texts: readonly string[]): void {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > TEXT_LENGTH_MAX) {
    refuseTooLarge(field, `At most ${TEXT_LENGTH_MAX} characters in all.`);
  }
}

function refuseTooLarge(field: string, message: string): never {
  throw new ModelInputTooLarge({ field, message });
}

type Harmless = (value: unknown) => boolean;

const STOPS_MAX = 16;

const isFalse: Harmless = (value) => value === false;
const isOne: Harmless = (value) => value === 1;
const isNone: Harmless = (value) => value === 'none';
const isEmpty: Harmless = (value) => typeof value === 'object' && Object.keys(value ?? {}).length === 0;
const isFewTexts: Harmless = (value) => [value].flat().length <= STOPS_MAX && [value].flat().every(isText);
const never: Harmless = () => false;

const CHAT_PARAMETERS: Record<string, Harmless> = {
  tools: isEmpty,
  tool_choice: isNone,
  functions: isEmpty,
  function_call: isNone,
  response_format: (value) => (value as { type?: unknown }).type === 'text',
  logprobs: isFalse,
  top_logprobs: never,
  logit_bias: isEmpty,
  n: isOne,
  stream: isFalse,
  stop: isFewTexts,
  modalities: (value) => Array.isArray(value) && value.every((modality) => modality === 'text'),
  audio: never,
  web_search_options: never,
};

const COMPLETION_PARAMETERS: Record<string, Harmless> = {
  prompt: (value) =>
    typeof value === 'string' || (Array.isArray(value) && value.length === 1 && isText(value[0])),
  suffix: (value) => value === '',
  echo: isFalse,
  best_of: isOne,
  logprobs: never,
  logit_bias: isEmpty,
  n: isOne,
  stream: isFalse,
  stop: isFewTexts,
};

const EMBEDDING_PARAMETERS: Record<string, Harmless> = {
  input: (value) =>
    isFilledText(value) || (Array.isArray(value) && value.length > 0 && value.every(isFilledText)),
  encoding_format: (value) => value === 'float' || value === 'base64',
  dimensions: (value) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= EMBEDDED_DIMENSIONS_MAX,
};

const REASONS: Record<string, string> = {
  stop: `A text or at most ${STOPS_MAX} of them.`,
  prompt: 'The embedded model takes one prompt, as text.',
  input: 'The embedded model takes a non-empty text or an array of them, no tokens.',
  encoding_format: 'Either float or base64.',
  dimensions: `The embedded model has up to ${EMBEDDED_DIMENSIONS_MAX} dimensions.`,
};
const REASON_DEFAULT = 'The embedded model cannot honour this; an upstream model can.';

function refuseChatParameters(request: ChatRequest): void {
  if (request.messages.length > MESSAGES_MAX) {
    refuseTooLarge('messages', `At most ${MESSAGES_MAX} messages.`);
  }
  refuseFields([...refusedFields(request, CHAT_PARAMETERS), ...refusedParts(request)]);
}

function refuseCompletionParameters(request: CompletionRequest): void {
  refuseFields(refusedFields(request, COMPLETION_PARAMETERS));
}

function embeddingTexts(request: EmbeddingRequest): string[] {
  refuseFields(refusedFields(request, EMBEDDING_PARAMETERS));
  const texts = [request.input].flat().map(String);
  if (texts.length > EMBEDDING_INPUTS_MAX) {
    refuseTooLarge('input', `At most ${EMBEDDING_INPUTS_MAX} inputs.`);
  }
  limitText('input', texts);
  return texts;
}

function refusedFields(request: Readonly<Record<string, unknown>>, parameters: Record<string, Harmless>) {
  return Object.entries(parameters)
    .filter(([field, harmless]) => isGiven(request[field]) && !harmless(request[field]))
    .map(([field]) => ({ field, message: REASONS[field] ?? REASON_DEFAULT }));
}

function refusedParts({ messages }: ChatRequest): ValidationDetail[] {
  return messages.flatMap(({ content }, message) =>
    (Array.isArray(content) ? content : []).flatMap(({ type }: ContentPart, index) => {
      const field = `messages[${message}].content[${index}]`;
      const isText = type === 'text' || type === 'refusal';
      return isText ? [] : [{ field, message: `No ${type} parts. ${REASON_DEFAULT}` }];
    }),
  );
}

function refuseFields(refused: readonly ValidationDetail[]): void {
  if (refused.length > 0) {
    throw new UnsupportedModelParameter(refused);
  }
}

function isFilledText(value: unknown): boolean {
  return isText(value) && value !== '';
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/**
 * The wire format of chat completions, as far as this service reads it. Fields that it does not know stay in the
 * object, so that an upstream sees them. Source: OpenAI's API reference, "Chat completions".
 */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly [field: string]: unknown;
}

/** A message of a chat, of whatever role. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly name?: string | null;
  readonly [field: string]: unknown;
}

/** A part of a message's content, such as a text or an image. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string | null;
  readonly [field: string]: unknown;
}

/** The whole answer to a chat, when it is not streamed. */
export interface ChatResponse {
  id: string;
  object: 'chat.completion';
  /** Unix time in seconds. */
  created: number;
  /** The model that really answered. */
  model: string;
  choices: ChatChoice[];
  usage: TokenUsage;
  system_fingerprint?: string | null;
  [field: string]: unknown;
}

/** One of the answers to a chat; `n` asks for several. */
export interface ChatChoice {
  index: number;
  message: { role: 'assistant'; content: string | null; refusal?: string | null; [field: string]: unknown };
  finish_reason: string | null;
  logprobs?: Record<string, unknown> | null;
  [field: string]: unknown;
}

/**
 * The tokens of an answer as the upstream reports them. They may be any numbers; a response may lack the whole object.
 */
interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

/** The most output tokens that each choice of a request may have: the request's own cap, or else the given default. */
export function outputTokensMax(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  outputTokensMaxDefault: number,
): number {
  return request.max_completion_tokens ?? request.max_tokens ?? outputTokensMaxDefault;
}

/** The wire format of legacy completions. Source: OpenAI's API reference, "Completions". */
export interface CompletionRequest {
  readonly model: string;
  /** A text, several texts, one text as a list of tokens, or several such lists. */
  readonly prompt: string | readonly (string | number | readonly number[])[];
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly [field: string]: unknown;
}

/** The whole answer to a completion, when it is not streamed. */
export interface CompletionResponse {
  id: string;
  object: 'text_completion';
  /** Unix time in seconds. */
  created: number;
  /** The model that really answered. */
  model: string;
  choices: CompletionChoice[];
  usage: TokenUsage;
  system_fingerprint?: string | null;
  [field: string]: unknown;
}

/** One of the completions of a prompt. */
interface CompletionChoice {
  index: number;
  text: string;
  finish_reason: string | null;
  logprobs?: Record<string, unknown> | null;
  [field: string]: unknown;
}

const OF_EACH_PROMPT = 1;

/**
 * How many completions a model makes for a request: `n` for each prompt, or `best_of` where that is more, since
 * completions that are made but not shown are paid for too. Source: OpenAI's API reference, "Completions".
 */
export function completionChoices({ prompt, n, best_of: bestOf }: CompletionRequest): number {
  const asked = [n, bestOf].filter((count) => typeof count === 'number');
  return promptCount(prompt) * Math.max(OF_EACH_PROMPT, ...asked);
}

/**
 * How many prompts a field holds. A list of numbers is one prompt, given as tokens. In any other list every item counts
 * as a prompt, which is never too few.
 */
export function promptCount(prompt: CompletionRequest['prompt']): number {
  const isOne = typeof prompt === 'string' || prompt.every((part) => typeof part === 'number');
  return isOne ? 1 : prompt.length;
}

/** The wire format of embeddings. Source: OpenAI's API reference, "Embeddings". */
export interface EmbeddingRequest {
  readonly model: string;
  /** A text, several texts, one text as a list of tokens, or several such lists. */
  readonly input: string | readonly (string | number | readonly number[])[];
  readonly encoding_format?: 'float' | 'base64' | null;
  readonly dimensions?: number | null;
  readonly [field: string]: unknown;
}

/** The answer to a request for embeddings. */
export interface EmbeddingResponse {
  object: 'list';
  data: EmbeddedInput[];
  /** The model that really answered. */
  model: string;
  usage: { prompt_tokens: number; total_tokens: number; [field: string]: unknown };
  [field: string]: unknown;
}

/** The vector of one input. */
export interface EmbeddedInput {
  object: 'embedding';
  index: number;
  /** Numbers, or the base64 of little-endian 32-bit floats, as `encoding_format` asked. */
  embedding: number[] | string;
  [field: string]: unknown;
}

/** Fields that this service does not know stay in the object. Source: OpenAI's API reference, "Chat completions". */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly max_tokens?: number | null;
  readonly max_completion_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly [field: string]: unknown;
}

export interface ChatMessage {
  readonly role: string;
  readonly content?: string | readonly ContentPart[] | null;
  readonly name?: string | null;
  readonly [field: string]: unknown;
}

export interface ContentPart {
  readonly type: string;
  readonly text?: string | null;
  readonly [field: string]: unknown;
}

export interface ChatResponse {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: ChatChoice[];
  usage: TokenUsage;
  system_fingerprint?: string | null;
  [field: string]: unknown;
}

export interface ChatChoice {
  index: number;
  message: { role: 'assistant'; content: string | null; refusal?: string | null; [field: string]: unknown };
  finish_reason: string | null;
  logprobs?: Record<string, unknown> | null;
  [field: string]: unknown;
}

/** They may be any numbers; a response may lack the whole object. */
interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

/** Of each choice: the request's own cap, or else the default. */
export function outputTokensMax(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  outputTokensMaxDefault: number,
): number {
  return request.max_completion_tokens ?? request.max_tokens ?? outputTokensMaxDefault;
}

/** Source: OpenAI's API reference, "Completions". */
export interface CompletionRequest {
  readonly model: string;
  /** A text, several texts, one text as a list of tokens, or several such lists. */
  readonly prompt: string | readonly (string | number | readonly number[])[];
  readonly max_tokens?: number | null;
  readonly stop?: string | readonly string[] | null;
  readonly [field: string]: unknown;
}

export interface CompletionResponse {
  id: string;
  object: 'text_completion';
  created: number;
  model: string;
  choices: CompletionChoice[];
  usage: TokenUsage;
  system_fingerprint?: string | null;
  [field: string]: unknown;
}

interface CompletionChoice {
  index: number;
  text: string;
  finish_reason: string | null;
  logprobs?: Record<string, unknown> | null;
  [field: string]: unknown;
}

const OF_EACH_PROMPT = 1;

/** `n` for each prompt, or `best_of` where that is more: what is made but not shown is paid for too. */
export function completionChoices({ prompt, n, best_of: bestOf }: CompletionRequest): number {
  const asked = [n, bestOf].filter((count) => typeof count === 'number');
  return promptCount(prompt) * Math.max(OF_EACH_PROMPT, ...asked);
}

/** A list of numbers is one prompt, given as tokens; in any other every item counts, which is never too few. */
export function promptCount(prompt: CompletionRequest['prompt']): number {
  const isOne = typeof prompt === 'string' || prompt.every((part) => typeof part === 'number');
  return isOne ? 1 : prompt.length;
}

/** Source: OpenAI's API reference, "Embeddings". */
export interface EmbeddingRequest {
  readonly model: string;
  readonly input: string | readonly (string | number | readonly number[])[];
  readonly encoding_format?: 'float' | 'base64' | null;
  readonly dimensions?: number | null;
  readonly [field: string]: unknown;
}

export interface EmbeddingResponse {
  object: 'list';
  data: EmbeddedInput[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number; [field: string]: unknown };
  [field: string]: unknown;
}

export interface EmbeddedInput {
  object: 'embedding';
  index: number;
  /** Numbers, or the base64 of little-endian 32-bit floats. */
  embedding: number[] | string;
  [field: string]: unknown;
}

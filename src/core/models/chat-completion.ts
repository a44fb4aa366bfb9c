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
export interface TokenUsage {
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

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
  /** Unix time in seconds. */
  created: number;
  /** The model that really answered. */
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

/** As the upstream says it, which may be any numbers; undefined in a response where it says nothing usable. */
export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [field: string]: unknown;
}

/** The most output tokens that each choice of a request may have: what it says itself, else the service's default cap. */
export function outputTokensMax(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  outputTokensMaxDefault: number,
): number {
  return request.max_completion_tokens ?? request.max_tokens ?? outputTokensMaxDefault;
}

import { TokenUsage } from './chat-completion';

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
export interface CompletionChoice {
  index: number;
  text: string;
  finish_reason: string | null;
  logprobs?: Record<string, unknown> | null;
  [field: string]: unknown;
}

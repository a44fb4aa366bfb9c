import { ChatRequest } from './chat-completion';

/** The most output tokens that a request may produce: what it says itself, else the service's default cap. */
export function outputTokensMax(
  request: Pick<ChatRequest, 'max_tokens' | 'max_completion_tokens'>,
  outputTokensMaxDefault: number,
): number {
  return request.max_completion_tokens ?? request.max_tokens ?? outputTokensMaxDefault;
}

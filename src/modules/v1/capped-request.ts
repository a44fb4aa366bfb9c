import type { ChatRequest } from '../../core/models/chat-completion';
import { outputTokensMax } from '../../core/models/output-tokens-max';

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

/**
 * The request as the client sent it, but with no more output for each choice than the call has reserved: the cap goes
 * where the client put his own, since not every model knows both fields, and into `max_tokens` where he gave none.
 */
export function cappedRequest<Request extends Partial<Pick<ChatRequest, (typeof CAPS)[number]>> & object>(
  request: Request,
  outputTokensMaxDefault: number,
): Request {
  const cap = outputTokensMax(request, outputTokensMaxDefault);
  const given = CAPS.filter((field) => typeof request[field] === 'number');
  const fields = given.length > 0 ? given : (['max_tokens'] as const);
  const capped = fields.map((field) => [field, Math.min(request[field] ?? cap, cap)] as const);
  return { ...request, ...Object.fromEntries(capped) };
}

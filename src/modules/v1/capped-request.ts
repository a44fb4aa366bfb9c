import { outputTokensMax, type ChatRequest } from '../../core/models/chat-completion';

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

type CappedFields = Partial<Pick<ChatRequest, (typeof CAPS)[number]>>;

/**
 * The request as the client sent it, but with no more output tokens for each choice than the call has reserved. The cap
 * stands in the field that the client used, since not every model knows both, and in `max_tokens` where it used
 * neither.
 */
export function cappedRequest<Request extends CappedFields & object>(
  request: Request,
  outputTokensMaxDefault: number,
): Request {
  const cap = outputTokensMax(request, outputTokensMaxDefault);
  const given = fieldsGiven(request);
  const fields = given.length > 0 ? given : (['max_tokens'] as const);
  const capped = fields.map((field) => [field, Math.min(request[field] ?? cap, cap)] as const);
  return { ...request, ...Object.fromEntries(capped) };
}

/** Whether the client gave no cap, so that `cappedRequest` chooses the field. */
export function isOwnCap(request: CappedFields): boolean {
  return fieldsGiven(request).length === 0;
}

function fieldsGiven(request: CappedFields) {
  return CAPS.filter((field) => typeof request[field] === 'number');
}

import { outputTokensMax, type ChatRequest } from '../../core/models/chat-completion';

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

type CappedFields = Partial<Pick<ChatRequest, (typeof CAPS)[number]>>;

/**
 * The request as the client sent it, but with no more output for each choice than the call has reserved: the cap goes
 * where the client put his own, since not every model knows both fields, and into `max_tokens` where he gave none.
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

/** Whether the cap stands in a field that the client did not choose. */
export function isOwnCap(request: CappedFields): boolean {
  return fieldsGiven(request).length === 0;
}

function fieldsGiven(request: CappedFields) {
  return CAPS.filter((field) => typeof request[field] === 'number');
}

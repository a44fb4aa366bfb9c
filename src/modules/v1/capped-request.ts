import type { Meter } from '../../contract/call';

const CAPS = ['max_tokens', 'max_completion_tokens'] as const;

/**
 * The request as the client sent it, but with no more output than the call has reserved: the cap goes where the client
 * put his own, since not every model knows both fields, and into `max_tokens` where he gave none.
 */
export function cappedRequest<Request extends Readonly<Record<string, unknown>>>(
  request: Request,
  meter: Pick<Meter, 'outputTokensMax' | 'choices'>,
): Request {
  const cap = Math.floor(meter.outputTokensMax / meter.choices);
  const given = CAPS.filter((field) => typeof request[field] === 'number');
  const fields = (given.length > 0 ? given : CAPS.slice(0, 1)).map((field) => {
    const own = request[field];
    return [field, typeof own === 'number' ? Math.min(own, cap) : cap];
  });
  return { ...request, ...(Object.fromEntries(fields) as object) };
}

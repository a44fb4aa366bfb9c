import type { Clock } from '../clock/clock';

/** What answers need that are given before any route, and so without the pipeline. */
export interface PlainAnswerParts {
  /** The headers that every answer has but for its request id, in lower case. */
  headers: Readonly<Record<string, string>>;
  clock: Clock;
}

/** What an error tells, by itself and in fields and headers beside that. */
export interface PlainError {
  error: string;
  message: string;
  options?: { fields?: object; headers?: Readonly<Record<string, string>> };
}

/** An error's head and body in the form of all others, for a request that reached no route. */
export function plainError(
  { headers, clock }: PlainAnswerParts,
  requestId: string,
  { error, message, options = {} }: PlainError,
): { headers: Record<string, string>; body: string } {
  const timestamp = clock.now().toISOString();
  return {
    headers: {
      ...headers,
      ...options.headers,
      'x-request-id': requestId,
      'content-type': 'application/json; charset=utf-8',
    },
    body: JSON.stringify({ error, message, request_id: requestId, timestamp, ...options.fields }),
  };
}

import type { ApiError } from '../../errors/api-error';

const TYPES: Record<number, string> = { 502: 'upstream_error', 504: 'timeout' };

/** The data of the event that says why a stream broke off, as JSON text in OpenAI's form of errors. */
export function failureEvent({ message, status }: ApiError, requestId: string): string {
  const type = TYPES[status] ?? 'server_error';
  return JSON.stringify({ error: { message, type, param: null, code: status, request_id: requestId } });
}

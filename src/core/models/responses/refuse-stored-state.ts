import { ValidationFailed, type ValidationDetail } from '../../errors/request-errors';
import type { ResponseRequest } from './response-object';

const REASONS: Record<string, string> = {
  previous_response_id: 'must be left out: responses are not stored; send the earlier items as input',
  conversation: 'must be left out: conversations are not stored; send the earlier items as input',
  background: 'must be false: responses are not stored, so nobody could fetch this one later',
};

/** @throws ValidationFailed for a request that refers to a stored response, or that has to be stored itself */
export function refuseStoredState(request: ResponseRequest): void {
  const details: ValidationDetail[] = Object.entries(REASONS)
    .filter(([field]) => Boolean(request[field]))
    .map(([field, message]) => ({ field, message }));
  if (details.length > 0) {
    throw new ValidationFailed(details);
  }
}

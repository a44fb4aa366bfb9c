import type { Logger } from '@nestjs/common';
import { TransportError } from '../../../infrastructure/upstream/transport-errors';
import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { parsedJson } from '../../../infrastructure/json/json-object';
import { UpstreamFailed, UpstreamRefused, UpstreamUnavailable } from './upstream-errors';
import { FailedAttempt } from './failed-attempt';
import { holdsKey, withoutKey } from './without-key';

/** A longer refusal is not worth passing on. */
const REFUSAL_BYTES_MAX = 64 * 1024;
const LOGGED_LENGTH_MAX = 500;
const PASSED_ON = new Set([400, 404, 413, 422]);
const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{10,30} GMT)$/;

export interface Refuser {
  readonly name: string;
  readonly apiKey: string | null;
  readonly logger: Logger;
}

/** What an answer without success means. Reads the body to its end, or closes the connection. */
export async function refusedStatus(
  { name, apiKey, logger }: Refuser,
  response: UpstreamResponse,
): Promise<FailedAttempt> {
  const { status } = response;
  if (status === 429) {
    response.discard();
    const retryAfter = retryAfterOf(response);
    const failure = new UpstreamUnavailable(name, 'takes no more calls at present', retryAfter);
    return new FailedAttempt(failure, false, false);
  }
  const body = await bodyOf(response);
  if (PASSED_ON.has(status)) {
    const isFit = body !== null && parsedJson(body) !== undefined && !holdsKey(body, apiKey);
    return new FailedAttempt(new UpstreamRefused(name, status, isFit ? body : null), false, false);
  }
  const shown = withoutKey(body ?? '', apiKey).slice(0, LOGGED_LENGTH_MAX);
  logger.warn(`The upstream ${name} answered with status ${status}: ${shown}`);
  const isFault = status >= 500;
  return new FailedAttempt(new UpstreamFailed(name, `answered with status ${status}`), isFault, isFault);
}

/** Handed on only where it is what the header may hold: seconds or a date. */
function retryAfterOf({ headers }: UpstreamResponse): string | null {
  const value = headers['retry-after'];
  return value !== undefined && RETRY_AFTER.test(value) ? value : null;
}

/** Null where it is not worth waiting for, or no text. The status alone says what has happened. */
async function bodyOf(response: UpstreamResponse): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await response.read(REFUSAL_BYTES_MAX));
  } catch (error) {
    if (error instanceof TransportError || error instanceof TypeError) {
      return null;
    }
    throw error;
  }
}

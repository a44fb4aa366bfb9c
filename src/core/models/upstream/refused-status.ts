import type { Logger } from '@nestjs/common';
import { TransportError } from '../../../infrastructure/upstream/transport-errors';
import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { parsedJson } from '../../../infrastructure/json/json-object';
import { UpstreamFailed, UpstreamRefused, UpstreamUnavailable } from './upstream-errors';
import { FailedAttempt } from './failed-attempt';
import { holdsKey, withoutKey } from './without-key';

/** The body of a longer refusal is not read. */
const REFUSAL_BYTES_MAX = 64 * 1024;
const LOGGED_LENGTH_MAX = 500;
/** The statuses for which the client's request is at fault, so that the client gets the upstream's own answer. */
const PASSED_ON = new Set([400, 404, 413, 422]);
const RETRY_AFTER = /^(?:\d{1,9}|[A-Z][a-z]{2}, [\w: ]{10,30} GMT)$/;

/** The upstream that refused, and where to log it. */
export interface Refuser {
  readonly name: string;
  readonly apiKey: string | null;
  readonly logger: Logger;
}

/** The FailedAttempt for an answer whose status is no success. Reads the body to its end, or closes the connection. */
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

/** The upstream's Retry-After; null where it is neither seconds nor a date. */
function retryAfterOf({ headers }: UpstreamResponse): string | null {
  const value = headers['retry-after'];
  return value !== undefined && RETRY_AFTER.test(value) ? value : null;
}

/** The body's text; null where it is too long, breaks off or is no text, since the status alone says what happened. */
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

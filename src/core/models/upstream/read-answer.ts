import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { isObject } from '../../../infrastructure/json/json-object';
import type { CallProgress } from '../model-provider';
import { UpstreamFailed } from './upstream-errors';
import { FailedAttempt, failedTransport, garbage } from './failed-attempt';

const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** An answer that was not streamed: its text as it came, and its JSON. */
export interface ReadAnswer {
  readonly text: string;
  readonly json: Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of an answer with a status of success.
 * @param list the member that an answer has to have, as an array
 * @param progress is told of the pieces of the body
 * @throws FailedAttempt where the body cannot be read or is no answer; the signal's reason
 */
export async function readAnswer(
  upstream: string,
  response: UpstreamResponse,
  list: 'choices' | 'data' | 'output',
  progress?: CallProgress,
): Promise<ReadAnswer> {
  const received = progress && ((chunk: Buffer) => progress.received(chunk));
  const bytes = await response.read(ANSWER_BYTES_MAX, received).catch((error: unknown) => {
    throw failedTransport(upstream, error, 'is final');
  });
  const { text, json } = parsed(upstream, bytes);
  if (isObject(json) && Array.isArray(json[list])) {
    return { text, json };
  }
  if (isObject(json) && Boolean(json.error)) {
    // The upstream says itself that it did not answer, so another provider may be asked.
    throw new FailedAttempt(new UpstreamFailed(upstream, 'answered with an error'), false, false);
  }
  throw garbage(upstream, 'sent what is no answer');
}

function parsed(upstream: string, bytes: Buffer): { text: string; json: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, json: JSON.parse(text) as unknown };
  } catch {
    // The cause is left out, because its message quotes what the upstream sent.
    throw garbage(upstream, 'sent what is no answer');
  }
}

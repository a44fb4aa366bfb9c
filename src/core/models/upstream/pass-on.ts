import { TotalTimedOut, TransportError } from '../../../infrastructure/upstream/transport-errors';
import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { UpstreamBrokeOff } from './upstream-errors';
import { OversizedEvent } from '../streams/read-server-sent-events';
import type { ServerSentEvent } from '../streams/server-sent-event';
import { isResponseEnd } from '../responses/response-object';
import { FinishedChoices } from '../streams/finished-choices';
import { readChunk } from '../streams/read-chunk';
import type { StreamSource } from './open-stream';
import { holdsKey } from './without-key';

/** A server has so long to end its answer after `[DONE]`; otherwise its connection is closed instead of used again. */
const REST_TIMEOUT_MS = 1000;

/**
 * The events of a stream as they came: first those in `held`, then those of `rest`, up to `[DONE]` or the last event of
 * a response. A stream without `[DONE]` is complete when every choice has a finish_reason. A reader that stops early
 * closes the connection.
 * @throws UpstreamBrokeOff where the stream is not complete; the signal's reason
 */
export async function* passOn(
  source: StreamSource,
  response: UpstreamResponse,
  held: readonly ServerSentEvent[],
  rest: AsyncIterator<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  const choices = new FinishedChoices();
  let isDone = false;
  try {
    for await (const event of joined(held, rest)) {
      const { content } = event;
      if (content.kind === 'chunk') {
        choices.see(readChunk(content.json).choices);
      } else if (content.kind === 'garbage') {
        throw new UpstreamBrokeOff(502, source.name, 'sent garbage');
      } else if (content.kind === 'error') {
        const mayBeTold = !holdsKey(event.data, source.apiKey);
        if (mayBeTold) {
          yield event;
        }
        throw new UpstreamBrokeOff(502, source.name, 'reported an error', undefined, mayBeTold);
      }
      const isEnd = content.kind === 'chunk' && isResponseEnd(content.json);
      if (isEnd && holdsKey(event.data, source.apiKey)) {
        throw new UpstreamBrokeOff(502, source.name, 'reported an error');
      }
      isDone = content.kind === 'done' || isEnd;
      yield event;
      if (isDone) {
        return;
      }
    }
    isDone = true;
    if (!choices.areAll) {
      throw new UpstreamBrokeOff(502, source.name, 'ended');
    }
  } catch (error) {
    throw brokenOff(source.name, error);
  } finally {
    if (isDone) {
      void readToEnd(response, rest);
    } else {
      response.discard();
    }
  }
}

/** Calls no `return` of `rest`, because a reader that stops early must not wait for a read that is under way. */
async function* joined(
  held: readonly ServerSentEvent[],
  rest: AsyncIterator<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  yield* held;
  for (let next = await rest.next(); !next.done; next = await rest.next()) {
    yield next.value;
  }
}

function brokenOff(upstream: string, error: unknown): unknown {
  if (error instanceof TotalTimedOut) {
    return new UpstreamBrokeOff(504, upstream, `did not end within ${error.timeoutMs} ms`, error);
  }
  if (error instanceof OversizedEvent) {
    return new UpstreamBrokeOff(502, upstream, 'sent an event that is too large', error);
  }
  return error instanceof TransportError ? new UpstreamBrokeOff(502, upstream, 'broke off', error) : error;
}

/** Reads and drops what follows `[DONE]`, so that the connection can be used again. After a time-out it is closed. */
async function readToEnd(response: UpstreamResponse, rest: AsyncIterator<ServerSentEvent>): Promise<void> {
  const timer = setTimeout(() => response.discard(), REST_TIMEOUT_MS);
  try {
    while (!(await rest.next()).done) {}
  } catch {
    // The connection is closed by the failure, and the client has the whole answer already.
  } finally {
    clearTimeout(timer);
  }
}

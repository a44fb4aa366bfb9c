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

/** A server has this long to end its answer after `[DONE]`, so that the connection can be used again. */
const REST_TIMEOUT_MS = 1000;

/**
 * The events of a stream as they came: those that are held already, then the others, up to `[DONE]` or the end of a
 * response. A server that omits `[DONE]` has ended well when every choice has a finish_reason. Closes the connection
 * when it is left early.
 * @throws UpstreamBrokeOff; the signal's reason
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

/** Without `return`: leaving must not wait for a read that is under way. */
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

/** What follows `[DONE]` is for nobody. The time-out closes a connection that brings more of it. */
async function readToEnd(response: UpstreamResponse, rest: AsyncIterator<ServerSentEvent>): Promise<void> {
  const timer = setTimeout(() => response.discard(), REST_TIMEOUT_MS);
  try {
    while (!(await rest.next()).done) {}
  } catch {
    // Its connection is closed then, and the answer was complete before.
  } finally {
    clearTimeout(timer);
  }
}

import { TransportError } from '../../../infrastructure/upstream/transport-errors';
import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import { UpstreamFailed } from './upstream-errors';
import { OversizedEvent, readServerSentEvents } from '../streams/read-server-sent-events';
import type { ServerSentEvent } from '../streams/server-sent-event';
import { FailedAttempt, failedTransport, garbage } from './failed-attempt';
import { passOn } from './pass-on';

/** Comments before the first event are kept until it comes. An upstream that sends more bytes of them has failed. */
const HELD_BYTES_MAX = 1024 * 1024;

/** A stream whose first event has come. */
export interface OpenedStream {
  /** The JSON of the first event. */
  readonly first: Readonly<Record<string, unknown>>;
  /** All events, the first one and the comments before it included. */
  readonly events: AsyncIterable<ServerSentEvent>;
}

/** The name of an upstream, and its key, which no client must see even if the upstream repeats it. */
export interface StreamSource {
  readonly name: string;
  readonly apiKey: string | null;
}

/**
 * Waits for the first event that has data. Nothing has been delivered before, so a failure is one of the whole attempt.
 * @throws FailedAttempt, the signal's reason; in both cases the connection is closed
 */
export async function openStream(source: StreamSource, response: UpstreamResponse): Promise<OpenedStream> {
  const held: ServerSentEvent[] = [];
  try {
    if (!/^text\/event-stream\s*(?:;|$)/i.test(response.headers['content-type'] ?? '')) {
      throw garbage(source.name, 'sent no stream of events');
    }
    const events = readServerSentEvents(response.chunks());
    const first = await firstChunk(source.name, events, held);
    return { first, events: passOn(source, response, held, events) };
  } catch (error) {
    response.discard();
    throw asFailedAttempt(source.name, error);
  }
}

/** The JSON of the first event that has data. @param held gets every event up to that one */
async function firstChunk(
  upstream: string,
  events: AsyncIterator<ServerSentEvent>,
  held: ServerSentEvent[],
): Promise<Readonly<Record<string, unknown>>> {
  let heldBytes = 0;
  for (;;) {
    const next = await events.next();
    if (next.done) {
      throw new FailedAttempt(new UpstreamFailed(upstream, 'ended before its first event'), true, true);
    }
    held.push(next.value);
    heldBytes += next.value.bytes.length;
    const { content } = next.value;
    switch (content.kind) {
      case 'chunk':
        return content.json;
      case 'error':
        throw new FailedAttempt(new UpstreamFailed(upstream, 'answered with an error'), true, true);
      case 'comment':
        if (heldBytes <= HELD_BYTES_MAX) {
          break;
        }
        throw garbage(upstream, 'sent what is no answer');
      case 'done':
      case 'garbage':
        throw garbage(upstream, 'sent what is no answer');
    }
  }
}

function asFailedAttempt(upstream: string, error: unknown): unknown {
  if (error instanceof OversizedEvent) {
    return garbage(upstream, 'sent an event that is too large', error);
  }
  return error instanceof TransportError ? failedTransport(upstream, error, 'may be retried') : error;
}

import { Models } from '../../../src/models/models';
import { ownEvent, type ServerSentEvent } from '../../../src/models/sse';
import type { TestService } from '../api/service';

export const TEXT_CHUNK = chunkOf(
  '"choices":[{"index":0,"delta":{"content":"At nine."},"finish_reason":null}]',
);
export const STOP_CHUNK = chunkOf('"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]');
export const USAGE_CHUNK = chunkOf('"choices":[],"usage":{"prompt_tokens":24,"completion_tokens":3}');
export const DONE = ownEvent('[DONE]');

/** What a test sees of a stream that it plays to the service. */
export interface FakeStream {
  /** How many events the service has asked for. */
  taken: number;
  signal: AbortSignal | undefined;
  /** Whether the service has left or ended it. */
  ended: boolean;
  /** What the upstream was asked. */
  request: Readonly<Record<string, unknown>>;
}

/** Answers the next chat that asks for a stream with these events; `heed` has it end when the signal aborts, as providers do. */
export function playNextStream(
  service: TestService,
  events: (signal: AbortSignal | undefined) => AsyncIterable<ServerSentEvent>,
): FakeStream {
  const stream: FakeStream = { taken: 0, signal: undefined, ended: false, request: {} };
  jest.spyOn(service.app.get(Models), 'streamChat').mockImplementationOnce((request, options) => {
    stream.signal = options?.signal;
    stream.request = request;
    const engine = { provider: 'played', method: 'upstream', quality: 'upstream' };
    return Promise.resolve({ model: 'played-1', engine, events: watched(stream, events(options?.signal)) });
  });
  return stream;
}

/** The events one after the other, then what `last` brings: an end, an error, or nothing until the signal aborts. */
export async function* inTurn(
  events: readonly ServerSentEvent[],
  last: () => Promise<void> = () => Promise.resolve(),
): AsyncGenerator<ServerSentEvent> {
  for (const event of events) {
    yield await Promise.resolve(event);
  }
  await last();
}

/** Waits as a provider does whose upstream says nothing more: until the signal aborts. */
export function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error));
  });
}

export function chunkOf(members: string): ServerSentEvent {
  return ownEvent(`{"id":"c1","object":"chat.completion.chunk","created":7,"model":"played-1",${members}}`);
}

async function* watched(
  stream: FakeStream,
  events: AsyncIterable<ServerSentEvent>,
): AsyncGenerator<ServerSentEvent> {
  try {
    for await (const event of events) {
      stream.taken += 1;
      yield event;
    }
  } finally {
    stream.ended = true;
  }
}

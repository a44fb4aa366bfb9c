import { EventReader, type ServerSentEvent } from '../../../src/models/sse';

/** The events in pieces of bytes that come one after the other. */
export async function* readEvents(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const source = pieces[Symbol.asyncIterator]();
  const reader = new EventReader(async () => {
    const { done, value } = (await source.next()) as IteratorResult<Uint8Array, undefined>;
    return done ? null : value;
  });
  for (let event = await reader.next(); event !== null; event = await reader.next()) {
    yield event;
  }
}

import type { CallProgress, ModelStream } from './model-provider';
import { ServerSentEvent } from './sse';
import { WAITING_COMMENT } from './streamed-answer';

/** Proxies between a client and this service give up connections on which nothing comes. */
const HEADERS_AFTER_MS = 1000;

/**
 * Opens a stream, but waits no longer than a second once a provider has taken the call: then the stream that is returned begins
 * with a comment, so that the headers of the answer leave. What fails within the second is thrown, and is answered with its status.
 * @param expected the model by which the call is priced
 */
export function openedSoon(
  open: (progress: CallProgress) => Promise<ModelStream>,
  progress: CallProgress,
  expected: string,
): Promise<ModelStream> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      clearTimeout(timer);
      timer = undefined;
    };
    const opening = open({
      received: (bytes) => progress.received(bytes),
      taken: () => {
        progress.taken();
        // What has come meanwhile to a process that was busy is read before.
        const leave = () => setImmediate(() => resolve(awaited(opening, expected)));
        timer ??= setTimeout(leave, HEADERS_AFTER_MS);
      },
      dropped: () => {
        progress.dropped();
        stop();
      },
    });
    opening.finally(stop).then(resolve, reject);
  });
}

/** Tells who answers as soon as that is known. */
function awaited(opening: Promise<ModelStream>, model: string): ModelStream {
  const engine = { provider: model, method: 'upstream', quality: 'model' };
  const stream = { model, engine, isAwaited: true, events: eventsOf(opening) };
  opening.then(
    (opened) => Object.assign(stream, { model: opened.model, engine: opened.engine }),
    // Whoever reads the events gets it.
    () => undefined,
  );
  return stream;
}

async function* eventsOf(opening: Promise<ModelStream>): AsyncGenerator<ServerSentEvent> {
  yield new ServerSentEvent(WAITING_COMMENT, '', '');
  yield* (await opening).events;
}

import type { Readable } from 'node:stream';

/**
 * How many bytes are held for a reader that is slower than the upstream. When there are more, the upstream has to
 * wait.
 */
const HELD_BYTES_MAX = 64 * 1024;

/**
 * Yields the chunks of a body in their order. When the connection breaks, its error is thrown only after all chunks
 * that had arrived before. The iterator of a Node stream would drop them at once, and with them text for the caller.
 */
export async function* arrivingChunks(body: Readable): AsyncGenerator<Buffer> {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let isOver = false;
  let error: Error | null = null;
  let wake: () => void = () => undefined;
  const end = (cause?: Error | null) => {
    isOver = true;
    error ??= cause ?? null;
    wake();
  };
  body.on('data', (chunk: Buffer) => {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes >= HELD_BYTES_MAX) {
      body.pause();
    }
    wake();
  });
  body.once('end', end);
  body.once('error', end);
  body.once('close', end);
  try {
    for (;;) {
      const chunk = held.shift();
      if (chunk) {
        heldBytes -= chunk.length;
        if (body.isPaused() && heldBytes < HELD_BYTES_MAX) {
          body.resume();
        }
        yield chunk;
      } else if (isOver) {
        break;
      } else {
        await new Promise<void>((resolve) => (wake = resolve));
      }
    }
  } finally {
    // When the reader has stopped early, nobody needs the rest of the body or an error in it.
    body.on('error', () => undefined).destroy();
  }
  if (error) {
    throw error as Error;
  }
}

import type { Readable } from 'node:stream';

/** Held for a reader that is slower than the upstream; beyond it the upstream has to wait. */
const HELD_BYTES_MAX = 64 * 1024;

/**
 * A body's chunks in their order, and its error only after all that had arrived before it. A stream's own iterator
 * forgets what it holds as soon as the connection breaks, and with it text that a caller could still have had.
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
    // Left early: nobody reads the rest, and its errors are nobody's.
    body.on('error', () => undefined).destroy();
  }
  if (error) {
    throw error as Error;
  }
}

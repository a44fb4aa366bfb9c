import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LockStep } from '../ledger/lock-step';

/** What an upstream was asked, and what became of its answer. Times are those of `performance.now()`. */
export interface RecordedRequest {
  /** How many requests came before. */
  readonly count: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  text: string;
  /** The text parsed; undefined where it is no JSON. */
  body: Record<string, unknown> | undefined;
  readonly receivedAt: number;
  chunksWritten: number;
  /** When the client closed the connection before the answer was complete; null when it did not. */
  leftByClientAt: number | null;
  /** Whether the upstream does nothing more for it. */
  isOver: boolean;
}

/** What an upstream does with one request, in the order of the members. */
export interface Reaction {
  readonly delayBeforeHeadersMs?: number;
  /** In place of an answer: a reset, an orderly end of the connection, silence, or bytes that are no HTTP. */
  readonly instead?: 'reset' | 'end' | 'silence' | { readonly bytes: string };
  /** 200 unless given. */
  readonly status?: number;
  /** `content-type: application/json` unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly delayBeforeFirstByteMs?: number;
  /** What is written one by one. */
  readonly chunks?: readonly (string | Uint8Array)[];
  readonly delayBetweenChunksMs?: number;
  /** Holds every chunk, and every end but a complete one, until the test lets it go. */
  readonly lockStep?: LockStep;
  /**
   * After the last chunk: the end that HTTP knows (`complete`, the default), the end of the connection without it
   * (`cut`), a reset, nothing ever (`silence`), or the last chunk again and again (`endless`).
   */
  readonly end?: 'complete' | 'cut' | 'reset' | 'silence' | 'endless';
}

/** Answers a request as its script decided. */
export async function react(
  outgoing: ServerResponse,
  request: RecordedRequest,
  reaction: Reaction,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on('close', () => {
    if (!request.isOver && !outgoing.writableFinished) {
      request.leftByClientAt = performance.now();
    }
    request.isOver = true;
    gone.abort();
  });
  try {
    await answer(outgoing, request, reaction, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) {
      throw error;
    }
  }
}

async function answer(
  outgoing: ServerResponse,
  request: RecordedRequest,
  reaction: Reaction,
  signal: AbortSignal,
): Promise<void> {
  await pause(reaction.delayBeforeHeadersMs, signal);
  if (reaction.instead !== undefined) {
    return refuse(outgoing, request, reaction.instead);
  }
  outgoing.writeHead(reaction.status ?? 200, { 'content-type': 'application/json', ...reaction.headers });
  if (reaction.delayBeforeFirstByteMs !== undefined || reaction.lockStep) {
    outgoing.flushHeaders();
  }
  await pause(reaction.delayBeforeFirstByteMs, signal);
  for (const [index, chunk] of (reaction.chunks ?? []).entries()) {
    await pause(index === 0 ? undefined : reaction.delayBetweenChunksMs, signal);
    await reaction.lockStep?.next(signal);
    await write(outgoing, chunk, signal);
    request.chunksWritten += 1;
  }
  if (reaction.end !== undefined && reaction.end !== 'complete') {
    // A reset takes back what its receiver has not read yet: the test waits for that.
    await reaction.lockStep?.next(signal);
  }
  await end(outgoing, request, reaction, signal);
}

function refuse(
  outgoing: ServerResponse,
  request: RecordedRequest,
  instead: NonNullable<Reaction['instead']>,
): void {
  if (instead === 'silence') {
    return;
  }
  request.isOver = true;
  if (instead === 'reset') {
    outgoing.socket?.resetAndDestroy();
  } else if (instead === 'end') {
    outgoing.socket?.end();
  } else {
    outgoing.socket?.end(instead.bytes);
  }
}

async function end(
  outgoing: ServerResponse,
  request: RecordedRequest,
  { end: way = 'complete', chunks = [], delayBetweenChunksMs = 1 }: Reaction,
  signal: AbortSignal,
): Promise<void> {
  switch (way) {
    case 'complete':
      request.isOver = true;
      outgoing.end();
      return;
    case 'cut':
      request.isOver = true;
      outgoing.socket?.end();
      return;
    case 'reset':
      request.isOver = true;
      outgoing.socket?.resetAndDestroy();
      return;
    case 'silence':
      return;
    case 'endless':
      for (;;) {
        await pause(delayBetweenChunksMs, signal);
        await write(outgoing, chunks.at(-1) ?? ' ', signal);
        request.chunksWritten += 1;
      }
  }
}

/** Waits until the chunk has left this process, so that a reset after it does not take it back. */
async function write(
  outgoing: ServerResponse,
  chunk: string | Uint8Array,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const isBuffered = !outgoing.write(chunk);
  if (isBuffered) {
    await once(outgoing, 'drain', { signal });
  }
  await new Promise<void>((resolve) => setImmediate(resolve));
}

async function pause(delayMs: number | undefined, signal: AbortSignal): Promise<void> {
  if (delayMs !== undefined) {
    await delay(delayMs, undefined, { signal });
  }
}

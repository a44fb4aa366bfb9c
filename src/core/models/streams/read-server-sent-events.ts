import { ServerSentEvent } from './server-sent-event';
import { HeldBytes } from './held-bytes';

/** The most bytes of one event. An upstream that sends more is broken, and must not fill this process's memory. */
const EVENT_BYTES_MAX = 16 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * Cuts a stream of bytes into its events and gives each as soon as its blank line has come. The `bytes` of all events
 * together are exactly the input. What follows the last blank line is an event too, because some servers omit the blank
 * line after `[DONE]`. Where a blank line ends with a carriage return and its line feed comes later, the line feed
 * becomes part of the next event: to wait for it would delay every event of a server that ends lines with carriage
 * returns alone.
 * Source: WHATWG HTML, "Server-sent events".
 *
 * @throws OversizedEvent when an event exceeds 16 MiB; whatever `bytes` throws
 */
export async function* readServerSentEvents(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent> {
  const cutter = new EventCutter();
  for await (const chunk of bytes) {
    yield* cutter.cut(chunk);
  }
  yield* cutter.rest();
}

/** Cuts bytes into events as they come, as {@link readServerSentEvents} does. */
export class EventCutter {
  private readonly border = new EventBorder();
  private readonly held = new HeldBytes();
  private isFirst = true;

  /** The events that end in this chunk. @throws OversizedEvent */
  *cut(chunk: Uint8Array): Generator<ServerSentEvent> {
    let from = 0;
    for (let end = this.border.after(chunk, from); end !== -1; end = this.border.after(chunk, from)) {
      this.held.add(chunk.subarray(from, end));
      yield this.taken();
      from = end;
    }
    this.held.add(chunk.subarray(from));
    refuseOversized(this.held);
  }

  /** What follows the last blank line, once no more comes. */
  *rest(): Generator<ServerSentEvent> {
    if (this.held.length > 0) {
      yield this.taken();
    }
  }

  private taken(): ServerSentEvent {
    refuseOversized(this.held);
    const event = parsed(this.held.take(), this.isFirst);
    this.isFirst = false;
    return event;
  }
}

/** An upstream sent an event that is larger than any event should be. */
export class OversizedEvent extends Error {
  constructor() {
    super(`A server-sent event exceeds ${EVENT_BYTES_MAX} bytes`);
  }
}

function refuseOversized(held: HeldBytes): void {
  if (held.length > EVENT_BYTES_MAX) {
    throw new OversizedEvent();
  }
}

/** Finds where events end. It remembers the state of the present line from one chunk of bytes to the next. */
class EventBorder {
  private lineIsEmpty = true;
  private isAfterCarriageReturn = false;

  /** The index behind the first blank line at or after `from`; -1 where the chunk ends before one. */
  after(chunk: Uint8Array, from: number): number {
    for (let index = from; index < chunk.length; index++) {
      const byte = chunk[index];
      const endsLine = byte === LINE_FEED || byte === CARRIAGE_RETURN;
      const belongsToLast = byte === LINE_FEED && this.isAfterCarriageReturn;
      this.isAfterCarriageReturn = byte === CARRIAGE_RETURN;
      if (belongsToLast) {
        continue;
      }
      if (endsLine && this.lineIsEmpty) {
        return this.behindLineEnd(chunk, index);
      }
      this.lineIsEmpty = endsLine;
    }
    return -1;
  }

  private behindLineEnd(chunk: Uint8Array, index: number): number {
    if (this.isAfterCarriageReturn && chunk[index + 1] === LINE_FEED) {
      this.isAfterCarriageReturn = false;
      return index + 2;
    }
    return index + 1;
  }
}

function parsed(bytes: Uint8Array, isFirst: boolean): ServerSentEvent {
  const text = new TextDecoder('utf-8', { ignoreBOM: !isFirst }).decode(bytes);
  const data: string[] = [];
  let type = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === 'data') {
      data.push(valueAfter(line, colon));
    } else if (field === 'event') {
      type = valueAfter(line, colon);
    }
  }
  return new ServerSentEvent(bytes, type, data.join('\n'));
}

function valueAfter(line: string, colon: number): string {
  if (colon === -1) {
    return '';
  }
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
}

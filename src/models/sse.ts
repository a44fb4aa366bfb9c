import {
  isObject,
  jsonField,
  type JsonObject,
  memberSpan,
  objectsOf,
  parsedJson,
  withMember,
} from '../runtime/json';

const END = '[DONE]';

type EventContent =
  | { readonly kind: 'comment' | 'done' | 'garbage' }
  | { readonly kind: 'chunk' | 'error'; readonly json: JsonObject };

/** Keeps its bytes, so that it can be passed on unchanged. Source: WHATWG HTML, "Server-sent events". */
export class ServerSentEvent {
  #content: EventContent | null = null;
  #chunk: ReadChunk | null = null;

  constructor(
    readonly bytes: Uint8Array,
    readonly type: string,
    readonly data: string,
    readonly isOneLine = false,
  ) {}

  get content(): EventContent {
    return (this.#content ??= contentOf(this));
  }

  get chunk(): ReadChunk {
    return (this.#chunk ??= readChunk('json' in this.content ? this.content.json : {}));
  }
}

export interface ReadChunk {
  readonly usage: JsonObject | undefined;
  readonly choices: readonly ReadChoice[];
}

export interface ReadChoice {
  readonly index: number;
  readonly finishReason: string | null;
  readonly json: JsonObject;
}

/** Wrong types count as missing. Moonshot reports usage within a choice, Groq in a member of its own. */
export function readChunk({ usage, choices: sent, x_groq: groq }: JsonObject): ReadChunk {
  const choices = objectsOf(sent);
  const places = [usage, ...choices.map((choice) => choice.usage), jsonField(groq, 'usage')];
  return { usage: places.find(isObject), choices: choices.map(readChoice) };
}

export function readChoice(json: JsonObject): ReadChoice {
  const { index, finish_reason: finishReason } = json;
  return {
    index: typeof index === 'number' ? index : 0,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    json,
  };
}

/** The event id, and the delay before the client reconnects. */
const STATE = /^(?:id|retry)(?:[:\r\n]|$)/;
const ANY_STATE = /(?:^|[\r\n])(?:id|retry)(?:[:\r\n]|$)/;

/** An id belongs to another server, and after one a client dispatches an empty event at each comment's blank line. */
export function withoutState(event: ServerSentEvent): ServerSentEvent {
  if (event.isOneLine) {
    return event;
  }
  const text = latin1Of(event);
  const isEmpty = event.data === '';
  if (!ANY_STATE.test(text) && !(isEmpty && event.type !== '')) {
    return event;
  }
  const kept = linesOf(text).filter(
    (line) => !STATE.test(line) && !(isEmpty && /^(?:data|event)/.test(line)),
  );
  const data = kept.join('');
  const bytes = Buffer.from(data.trim() === '' ? '' : data, 'latin1');
  return new ServerSentEvent(bytes, isEmpty ? '' : event.type, event.data);
}

/** Each byte is one character, so that bytes that are not UTF-8 survive. */
function latin1Of({ bytes }: ServerSentEvent): string {
  return Buffer.from(bytes).toString('latin1');
}

function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n|$)/g) ?? [];
}

/** `data` has to be one line. */
export function ownEvent(data: string, type = ''): ServerSentEvent {
  const name = type === '' ? '' : `event: ${type}\n`;
  return new ServerSentEvent(Buffer.from(`${name}data: ${data}\n\n`), type, data);
}

function contentOf({ type, data }: ServerSentEvent): EventContent {
  if (data === '') {
    return { kind: 'comment' };
  }
  if (data.trim() === END) {
    return { kind: 'done' };
  }
  const json = parsedJson(data);
  if (!isObject(json)) {
    return { kind: 'garbage' };
  }
  const isError = saysError(json.error) || type === 'error' || json.type === 'error';
  return { kind: isError ? 'error' : 'chunk', json };
}

/** Some servers send an empty error beside a good answer. */
export function saysError(error: unknown): boolean {
  return isObject(error) ? Object.values(error).some(Boolean) : Boolean(error);
}

const PIECES_JOINED_AT = 512;

/** Joins pieces in linear time and memory, however small they are. A single piece is not copied. */
class HeldBytes {
  length = 0;
  private blocks: Uint8Array[] = [];
  private pieces: Uint8Array[] = [];

  add(piece: Uint8Array): void {
    if (piece.length > 0) {
      this.pieces.push(piece);
      this.length += piece.length;
    }
    if (this.pieces.length === PIECES_JOINED_AT) {
      this.blocks.push(Buffer.concat(this.pieces));
      this.pieces = [];
    }
  }

  take(): Uint8Array {
    const [first = new Uint8Array(0), ...others] = [...this.blocks, ...this.pieces];
    [this.blocks, this.pieces, this.length] = [[], [], 0];
    return others.length === 0 ? first : Buffer.concat([first, ...others]);
  }
}

/** An upstream that sends more is broken, and must not fill the memory. */
const EVENT_BYTES_MAX = 16 * 1024 * 1024;

const BYTE_ORDER_MARK = '\ufeff';
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/**
 * The events' `bytes`, blank lines included, are exactly the input. What follows the last blank line is an event too,
 * because some servers omit it after `[DONE]`. A line feed after a blank line's carriage return goes to the next event:
 * waiting for it would delay every event of a server without line feeds. Source: WHATWG HTML, "Server-sent events".
 */
export class EventReader {
  private readonly cutter = new EventCutter();
  private events: readonly ServerSentEvent[] = [];
  private at = 0;
  private isOver = false;

  constructor(private readonly piece: () => Uint8Array | null | Promise<Uint8Array | null>) {}

  /** Null after the last. Waits only when nothing has arrived. @throws OversizedEvent, and what `piece` throws */
  next(): ServerSentEvent | null | Promise<ServerSentEvent | null> {
    for (;;) {
      const event = this.events[this.at];
      if (event) {
        this.at += 1;
        return event;
      }
      if (this.isOver) {
        return null;
      }
      const piece = this.piece();
      if (piece instanceof Promise) {
        return piece.then((come) => {
          this.take(come);
          return this.next();
        });
      }
      this.take(piece);
    }
  }

  private take(piece: Uint8Array | null): void {
    this.isOver = piece === null;
    this.events = piece === null ? this.cutter.rest() : this.cutter.cut(piece);
    this.at = 0;
  }
}

export class EventCutter {
  private readonly border = new EventBorder();
  private readonly held = new HeldBytes();
  private isFirst = true;

  /** @throws OversizedEvent when an event exceeds 16 MiB, after the events before it were given */
  cut(chunk: Uint8Array): ServerSentEvent[] {
    const events: ServerSentEvent[] = [];
    let from = 0;
    for (let end = this.border.after(chunk, from); end !== -1; end = this.border.after(chunk, from)) {
      this.held.add(chunk.subarray(from, end));
      events.push(this.taken());
      from = end;
    }
    this.held.add(chunk.subarray(from));
    if (events.length === 0) {
      refuseOversized(this.held);
    }
    return events;
  }

  rest(): ServerSentEvent[] {
    return this.held.length > 0 ? [this.taken()] : [];
  }

  private taken(): ServerSentEvent {
    refuseOversized(this.held);
    const event = parsed(this.held.take(), this.isFirst);
    this.isFirst = false;
    return event;
  }
}

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

class EventBorder {
  private lineIsEmpty = true;
  private isAfterCarriageReturn = false;

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
  const decoded = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  const text = isFirst && decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded;
  const lineEnd = text.indexOf('\n');
  if (
    text.startsWith('data:') &&
    lineEnd === text.length - 2 &&
    text.endsWith('\n') &&
    !text.includes('\r')
  ) {
    const data = valueAfter(text.slice(0, lineEnd), 'data'.length);
    return new ServerSentEvent(bytes, '', data, data !== '');
  }
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
  return colon === -1 ? '' : line.slice(valueStart(line, colon));
}

function valueStart(line: string, colon: number): number {
  return line[colon + 1] === ' ' ? colon + 2 : colon + 1;
}

/** All other bytes stay. Null where there is no object at `path`. */
export function memberInEvent(
  event: ServerSentEvent,
  path: readonly string[],
  name: string,
  value: string,
): Uint8Array | null {
  const lines = linesOf(latin1Of(event));
  const json = lines.filter(isData).map(valueOf).join('\n');
  const start = objectStart(json, path);
  if (start === null) {
    return null;
  }
  const changed = withMember(json, name, value, start).split('\n');
  let taken = 0;
  const text = lines.map((line) => (isData(line) ? withValue(line, changed[taken++] ?? '') : line));
  return Buffer.from(text.join(''), 'latin1');
}

function objectStart(json: string, path: readonly string[]): number | null {
  let start = 0;
  for (const name of path) {
    const span = memberSpan(json, name, start);
    if (!span) {
      return null;
    }
    start = span.start;
  }
  return json[start] === '{' ? start : null;
}

function isData(line: string): boolean {
  return line.startsWith('data:') || line.startsWith('\u00ef\u00bb\u00bfdata:');
}

function valueOf(line: string): string {
  return valueAfter(line, line.indexOf(':')).replace(/[\r\n]+$/, '');
}

function withValue(line: string, value: string): string {
  const start = valueStart(line, line.indexOf(':'));
  return line.slice(0, start) + value + line.slice(start + valueOf(line).length);
}

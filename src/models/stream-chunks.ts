import { isObject, jsonField, type JsonObject, objectsOf, parsedJson, shownValue } from '../runtime/json';
import { UpstreamBrokeOff } from './errors';
import type { ChatResponse } from './model-provider';
import { ownEvent, type ReadChoice, readChoice, readChunk, type ServerSentEvent } from './sse';
import { reportedUse, type ReportedUse } from './usage';

/** More than 128 choices for each of 100 prompts; a bound on the memory that an upstream can fill. */
const CHOICES_MAX = 16 * 1024;

export class FinishedChoices {
  private readonly seen = new Set<number>();
  private readonly finished = new Set<number>();

  constructor(private readonly choicesAsked = 1) {}

  see(choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[]): void {
    for (const { index, finishReason } of choices) {
      this.seen.add(index);
      if (finishReason !== null) {
        this.finished.add(index);
      }
    }
  }

  get areTooMany(): boolean {
    return this.seen.size > CHOICES_MAX;
  }

  get areAll(): boolean {
    return this.finished.size >= Math.max(this.choicesAsked, this.seen.size);
  }
}

/** Some servers report usage with every chunk: it is final only when every choice is complete or the stream ends. */
export class StreamedUse {
  private readonly finished: FinishedChoices;
  private usage: unknown = undefined;
  private isFinal = false;

  constructor(choicesAsked = 1) {
    this.finished = new FinishedChoices(choicesAsked);
  }

  note(said: { usage: unknown; choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[] }): void {
    this.finished.see(said.choices);
    if (said.usage !== undefined) {
      this.usage = merged(this.usage, said.usage);
      this.isFinal = this.allFinished;
    }
  }

  end(): void {
    this.isFinal = true;
  }

  get allFinished(): boolean {
    return this.finished.areAll;
  }

  get reported(): ReportedUse {
    return reportedUse(this.isFinal ? this.usage : undefined);
  }
}

/** Some servers report input first and output last: what a later event leaves out stays. */
function merged(before: unknown, now: unknown): unknown {
  if (!isObject(before) || !isObject(now)) {
    return now;
  }
  const placed = Object.entries(now).filter(([, value]) => value !== null);
  return { ...before, ...Object.fromEntries(placed) };
}

interface PlacedCall {
  readonly place: number;
  readonly id: unknown;
  readonly name: unknown;
  /** Of a call without an id: the next call is recognised by it. */
  argumentsSoFar: string;
}

const ARGUMENTS_LENGTH_MAX = 16 * 1024;
/** Bounds on the memory that an upstream can fill; later calls stay unchanged. */
const CALLS_MAX = 1024;
const NAMES_LENGTH_MAX = 1024 * 1024;

/** Some servers give parallel calls the same index, or none, and a client would join their arguments. */
export class CallPlaces {
  private readonly open = new Map<string, PlacedCall>();
  private readonly counts = new Map<number, number>();
  private namesLength = 0;

  given(event: ServerSentEvent): ServerSentEvent {
    if (
      event.content.kind !== 'chunk' ||
      !event.data.includes('"tool_calls"') ||
      this.open.size > CALLS_MAX ||
      this.namesLength > NAMES_LENGTH_MAX
    ) {
      return event;
    }
    const { json } = event.content;
    let isChanged = false;
    const choices = objectsOf(json.choices).map((choice) => {
      const calls = objectsOf(jsonField(choice.delta, 'tool_calls'));
      const seen = new Set<PlacedCall>();
      const placed = calls.map((call) => {
        const { place } = this.callOf(readChoice(choice).index, call, seen);
        isChanged ||= call.index !== place;
        return { ...call, index: place };
      });
      const delta = { ...(choice.delta as JsonObject), tool_calls: placed };
      return calls.length === 0 ? choice : { ...choice, delta };
    });
    return isChanged ? ownEvent(JSON.stringify({ ...json, choices }), event.type) : event;
  }

  private callOf(choice: number, piece: JsonObject, seen: Set<PlacedCall>): PlacedCall {
    const at = `${choice} ${typeof piece.index === 'number' ? piece.index : ''}`;
    const named = `${at} ${shownValue(piece.id)}`;
    const [name, text] = ['name', 'arguments'].map((field) => jsonField(piece.function, field));
    const last = (piece.id ? this.open.get(named) : undefined) ?? this.open.get(at);
    const isNew = !last || beginsAnew(last, piece.id, name, seen.has(last));
    const call = isNew ? { place: this.nextPlace(choice), id: piece.id, name, argumentsSoFar: '' } : last;
    if (!call.id && typeof text === 'string') {
      call.argumentsSoFar = (call.argumentsSoFar + text).slice(0, ARGUMENTS_LENGTH_MAX);
    }
    this.namesLength += isNew ? named.length + shownValue(name).length : 0;
    this.open.set(at, call);
    if (piece.id) {
      this.open.set(named, call);
    }
    seen.add(call);
    return call;
  }

  private nextPlace(choice: number): number {
    const place = this.counts.get(choice) ?? 0;
    this.counts.set(choice, place + 1);
    return place;
  }
}

/** By the id, or else by the name: some servers give no ids, and some repeat the name in each piece. */
function beginsAnew(last: PlacedCall, id: unknown, name: unknown, isInChunk: boolean): boolean {
  if (id && last.id) {
    return id !== last.id;
  }
  if (!name || !last.name) {
    return false;
  }
  return isInChunk || name !== last.name || isObject(parsedJson(last.argumentsSoFar));
}

export class CallOrder {
  private index: unknown = null;
  private id: unknown = null;
  private readonly ended = new Set<unknown>();

  /** Some providers give every call the same index, so another id means another call. */
  placeOf(piece: JsonObject, isOpen: boolean): 'open' | 'new' | 'ended' {
    const [index, id] = [piece.index ?? 0, piece.id];
    if (isOpen && index === this.index && (!id || id === this.id)) {
      return 'open';
    }
    this.ended.add(this.index);
    if (this.ended.has(index) && !id) {
      return 'ended';
    }
    [this.index, this.id] = [index, id];
    return 'new';
  }
}

/** A whole chat as a single chunk with its first choice. */
export function asChunk(chat: ChatResponse): JsonObject {
  const [first] = objectsOf(chat.choices);
  const { message, ...choice } = first ?? {};
  return { ...chat, choices: first ? [{ ...choice, index: 0, delta: numbered(message) }] : [] };
}

export function numbered(message: unknown): unknown {
  const calls = objectsOf(jsonField(message, 'tool_calls')).map((call, index) => ({ ...call, index }));
  return calls.length > 0 ? { ...(message as JsonObject), tool_calls: calls } : message;
}

export function functionArguments(call: unknown): string {
  const text = jsonField(jsonField(call, 'function'), 'arguments');
  if (text === undefined || text === null) {
    return '';
  }
  return typeof text === 'string' ? text : JSON.stringify(text);
}

export type NewId = () => string;

const BROKEN_OFF = 'The model broke off its answer.';

export abstract class TranslatedEvents<Request = unknown> {
  protected finishReason: string | null = null;
  private pending: ServerSentEvent[] = [];

  constructor(
    protected readonly request: Request,
    protected readonly stream: { readonly model: string; readonly provider: string },
    protected readonly newId: NewId,
  ) {}

  get isFinished(): boolean {
    return this.finishReason !== null;
  }

  take(chunk: JsonObject): ServerSentEvent[] {
    this.begin(chunk);
    const { usage, choices } = readChunk(chunk);
    this.takeUsage(usage);
    const choice = choices.find(({ index }) => index === 0);
    if (choice) {
      this.takeChoice(choice);
      this.finishReason = choice.finishReason ?? this.finishReason;
    }
    return this.emitted();
  }

  fail(error: unknown): ServerSentEvent[] {
    const message = jsonField(error, 'message') ?? error;
    this.emit('error', this.failure(error, typeof message === 'string' ? message : BROKEN_OFF));
    return this.emitted();
  }

  abstract end(): ServerSentEvent[];

  protected abstract begin(chunk: JsonObject): void;
  protected abstract takeUsage(usage: unknown): void;
  protected abstract takeChoice(choice: ReadChoice): void;
  protected abstract failure(error: unknown, message: string): JsonObject;

  protected modelOf({ model }: JsonObject): string {
    return typeof model === 'string' && model !== '' ? model : this.stream.model;
  }

  protected wentBack(): UpstreamBrokeOff {
    return new UpstreamBrokeOff(502, this.stream.provider, 'went back to a function call that had ended');
  }

  /** Serialized at once, because the objects in its fields go on growing. */
  protected emit(type: string, fields: JsonObject): void {
    this.pending.push(ownEvent(JSON.stringify({ type, ...fields }), type));
  }

  protected emitted(): ServerSentEvent[] {
    const events = this.pending;
    this.pending = [];
    return events;
  }
}

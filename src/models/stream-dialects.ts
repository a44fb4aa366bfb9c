import type { TokenUse } from '../ledger/price-list';
import { isObject, type JsonObject, objectsOf } from '../runtime/json';
import { type MediaByModel, mediaByModel, producedByMessage } from './message-text';
import type { ServerSentEvent } from './sse';
import { type ReadChoice, readChunk } from './stream-chunks';
import { usageOf } from './usage';

/** How the events of an API tell text, usage and the end of an answer. */
export interface StreamDialect {
  /** Reads one event, whose data must not be empty. @throws SyntaxError for data that is no event of the API */
  read(event: ServerSentEvent): StreamReading;

  /** The names that lead from an event's JSON to its usage. */
  readonly usagePath: readonly string[];

  /**
   * The event that says that a stream is complete, for streams whose upstream omitted it. Null where this service must
   * not write it, because only the upstream knows what it holds.
   */
  readonly end: string | null;

  /**
   * An event with the usage, for a stream whose upstream sent none; null where the API has no event for usage alone.
   */
  usageEvent(origin: StreamOrigin, use: TokenUse, costUsd: string): string | null;

  /**
   * The last event with the usage added that it lacks; null where it has no place for one. Absent for an API that tells
   * usage in an event of its own.
   */
  usageInEnd?(end: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null;

  /** An event for an error, blank line included. `body` is the JSON text of an object with OpenAI's `error`. */
  failureEvent(body: string): string;

  /** A new collector of events that puts them together to the unstreamed answer. */
  unstreamed(): UnstreamedAnswer;
}

/** What one event says. */
export interface StreamReading {
  /** The event's JSON; null for `[DONE]`, which is none. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** The texts that the model produced. */
  readonly texts: readonly ProducedPiece[];
  /** The sounds and images that it produced; absent for none. */
  readonly media?: readonly MediaByModel[];
  /** The usage as the upstream sent it; undefined where the event has none. */
  readonly usage: unknown;
  /** Whether the event has nothing but usage, so that a client which did not ask for usage must not get the event. */
  readonly isUsageAlone: boolean;
  readonly choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[];
  /** Whether the event ends the stream; whatever follows it is ignored. */
  readonly isEnd: boolean;
}

/** A piece of text, and the index of the choice that it belongs to. */
interface ProducedPiece {
  readonly choice: number;
  readonly text: string;
}

/** The members of a stream's first event that all its events repeat. */
export interface StreamOrigin {
  readonly id: unknown;
  readonly created: unknown;
  readonly model: unknown;
}

/** Collects the events of a stream and puts them together to the answer that has the same content. */
export interface UnstreamedAnswer {
  /** Adds the JSON of the next event. */
  add(json: Readonly<Record<string, unknown>>): void;
  /** The answer as JSON text. @param use the usage to tell where the events told none */
  json(use: TokenUse): string;
}

/** Texts that every chunk repeats as a whole. Of any other text each chunk brings a further piece. */
const SAID_AGAIN = new Set([
  'id',
  'object',
  'model',
  'system_fingerprint',
  'service_tier',
  'role',
  'type',
  'name',
  'finish_reason',
]);
/** Deeper members are replaced, not merged: merging recurses, and an upstream may nest deeper than the stack goes. */
const DEPTH_MAX = 8;

type Merged = Record<string, unknown>;

/**
 * Puts the chunks of a stream together to the answer that the same request gets without streaming. Texts and arrays are
 * joined, items with the same index are merged, and of any other value the last one counts.
 */
class MergedChunks implements UnstreamedAnswer {
  private readonly answer: Merged = {};
  private readonly choices = new Map<number, Merged>();

  /**
   * @param object the answer's `object`, which differs from that of its chunks
   * @param wholeChoice turns a merged choice of the chunks into a choice of the answer
   */
  constructor(
    private readonly object: string,
    private readonly wholeChoice: (choice: JsonObject) => JsonObject,
  ) {}

  add(json: JsonObject): void {
    const { choices: sentChoices, usage: sentUsage, ...rest } = json;
    const { usage, choices } = readChunk({ choices: sentChoices, usage: sentUsage });
    Object.assign(this.answer, rest, usage ? { usage } : {});
    for (const { index, json: choice } of choices) {
      const merged = this.choices.get(index) ?? {};
      this.choices.set(index, merged);
      merge(merged, choice, 0);
    }
  }

  json(use: TokenUse): string {
    const choices = [...this.choices]
      .sort(([one], [other]) => one - other)
      .map(([index, choice]) => this.wholeChoice({ finish_reason: null, ...choice, index }));
    const usage = { ...usageOf(use), ...(this.answer.usage as JsonObject | undefined) };
    return JSON.stringify({ ...this.answer, object: this.object, choices, usage });
  }
}

function merge(into: Merged, from: JsonObject, depth: number): void {
  for (const [name, value] of Object.entries(from)) {
    const present = own(into, name);
    if (present === undefined || present === null) {
      set(into, name, copied(value, depth));
    } else if (typeof value === 'string' && typeof present === 'string' && !SAID_AGAIN.has(name)) {
      set(into, name, present + value);
    } else if (Array.isArray(value) && Array.isArray(present)) {
      mergeItems(present as unknown[], value as unknown[], depth + 1);
    } else if (isObject(value) && isObject(present) && depth < DEPTH_MAX) {
      merge(present, value, depth + 1);
    } else if (value !== null) {
      set(into, name, value);
    }
  }
}

function mergeItems(into: unknown[], from: readonly unknown[], depth: number): void {
  for (const item of from) {
    const index = isObject(item) && typeof item.index === 'number' ? item.index : null;
    const present = index === null ? undefined : objectsOf(into).find((other) => other.index === index);
    if (present && isObject(item) && depth < DEPTH_MAX) {
      merge(present, item, depth + 1);
    } else {
      into.push(copied(item, depth));
    }
  }
}

/** A copy of a chunk's value, because merging changes the objects that it keeps, and others still read the chunk. */
function copied(value: unknown, depth: number): unknown {
  if (depth >= DEPTH_MAX) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item) => copied(item, depth + 1));
  }
  return isObject(value) ? { ...value } : value;
}

function own(object: Merged, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sets a member whatever its name is: an assignment to `__proto__` would set the object's prototype instead. */
function set(object: Merged, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

const END = '[DONE]';
const END_READING: StreamReading = Object.freeze({
  json: null,
  texts: [],
  usage: undefined,
  isUsageAlone: false,
  choices: [],
  isEnd: true,
});

/**
 * What the streams of chats and of completions have in common: chunks whose choices have an index and a finish reason,
 * usage in a chunk without choices, and `[DONE]` at the end. Source: OpenAI's API reference, "Streaming".
 */
abstract class ChunkDialect implements StreamDialect {
  readonly usagePath = ['usage'];
  readonly end = `data: ${END}\n\n`;
  protected abstract readonly object: string;

  abstract unstreamed(): UnstreamedAnswer;

  /** The texts that a choice of a chunk adds to the answer. */
  protected abstract textsOf(choice: JsonObject): string[];

  read({ content }: ServerSentEvent): StreamReading {
    if (content.kind === 'done') {
      return END_READING;
    }
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('a chunk is no object');
    }
    const { usage, choices } = readChunk(content.json);
    return {
      json: content.json,
      texts: choices.flatMap((choice) => this.piecesOf(choice)),
      media: choices.map(({ json }) => mediaByModel(json.delta)),
      usage,
      isUsageAlone: usage !== undefined && choices.length === 0,
      choices,
      isEnd: false,
    };
  }

  usageEvent({ id, created, model }: StreamOrigin, use: TokenUse, costUsd: string): string {
    const usage = JSON.stringify({
      id,
      object: this.object,
      created,
      model,
      choices: [],
      usage: usageOf(use),
    });
    // The cost is written as its decimal text: JSON.stringify would write a small number with an exponent.
    return `data: ${usage.slice(0, -2)},"cost":${costUsd}}}\n\n`;
  }

  failureEvent(body: string): string {
    return `data: ${body}\n\n`;
  }

  private piecesOf({ index, json }: ReadChoice): ProducedPiece[] {
    return this.textsOf(json)
      .filter((text) => text !== '')
      .map((text) => ({ choice: index, text }));
  }
}

/** Reads and writes the chunks of a streamed chat. */
class ChatDialect extends ChunkDialect {
  protected readonly object = 'chat.completion.chunk';

  protected textsOf(choice: JsonObject): string[] {
    return producedByMessage(choice.delta);
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks('chat.completion', ({ delta, message, ...choice }) => ({
      ...choice,
      message: { role: 'assistant', content: null, ...(message as JsonObject), ...(delta as JsonObject) },
    }));
  }
}

/** The dialect of all streams of chats. */
export const CHAT_DIALECT = new ChatDialect();

/** Reads and writes the chunks of a streamed legacy completion, which have the same `object` as a whole answer. */
class CompletionDialect extends ChunkDialect {
  protected readonly object = 'text_completion';

  protected textsOf({ text }: JsonObject): string[] {
    return typeof text === 'string' ? [text] : [];
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks('text_completion', (choice) => ({ text: '', ...choice }));
  }
}

/** The dialect of all streams of completions. */
export const COMPLETION_DIALECT = new CompletionDialect();

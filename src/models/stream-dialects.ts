import type { TokenUse } from '../ledger/money';
import { isObject, type JsonObject, withMember } from '../runtime/json';
import { type MediaByModel, mediaByModel, producedByMessage } from './message-text';
import { type ReadChoice, readChunk, type ServerSentEvent } from './sse';
import { usageWithCost } from './streamed-answer';
import { usageOf } from './usage';

export interface StreamDialect {
  /** The data must not be empty. @throws SyntaxError for data that is no event of the API */
  read(event: ServerSentEvent): StreamReading;

  readonly usagePath: readonly string[];

  readonly end: string | null;

  usageEvent?(origin: StreamOrigin, use: TokenUse, costUsd: string): string;

  usageInEnd?(event: ServerSentEvent, use: TokenUse, costUsd: string): Uint8Array | null;

  /** Null where the upstream's own error was the end. @param spent null where nothing is charged */
  failureEvent(failure: StreamFailure, spent: SpentUse | null): string | null;

  unstreamed(): UnstreamedAnswer;
}

export interface StreamReading {
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly texts: readonly ProducedPiece[];
  readonly media?: readonly MediaByModel[];
  readonly usage: unknown;
  readonly isUsageAlone: boolean;
  readonly choices: readonly Pick<ReadChoice, 'index' | 'finishReason'>[];
  readonly isEnd: boolean;
}

export interface StreamFailure {
  readonly body: string;
  readonly byUpstream: boolean;
}

export interface SpentUse {
  readonly use: TokenUse;
  readonly costUsd: string;
}

interface ProducedPiece {
  readonly choice: number;
  readonly text: string;
}

export interface StreamOrigin {
  readonly id: unknown;
  readonly created: unknown;
  readonly model: unknown;
}

export interface UnstreamedAnswer {
  add(json: Readonly<Record<string, unknown>>): void;
  json(use: TokenUse | null): string;
}

/** Every chunk repeats these whole. Any other text continues in each chunk. */
const SAID_AGAIN = new Set([
  ...['id', 'object', 'model', 'system_fingerprint', 'service_tier', 'role', 'type', 'name'],
  'finish_reason',
]);
/** Deeper members are replaced: merging recurses, and an upstream may nest deeper than the stack goes. */
const DEPTH_MAX = 8;

type Merged = Record<string, unknown>;

/** Joins texts and arrays, merges items of the same index, and keeps the last of any other value. */
class MergedChunks implements UnstreamedAnswer {
  private readonly answer: Merged = {};
  private readonly choices = new Map<number, Merged>();

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

  json(use: TokenUse | null): string {
    const choices = [...this.choices]
      .sort(([one], [other]) => one - other)
      .map(([index, choice]) => this.wholeChoice({ finish_reason: null, ...choice, index }));
    const reported = this.answer.usage as JsonObject | undefined;
    const usage = use ? { ...usageOf(use), ...reported } : reported;
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

/** Items of merged lists by index: searching very long lists would take minutes. */
const ITEMS = new WeakMap<unknown[], Map<unknown, Merged>>();

function mergeItems(into: unknown[], from: readonly unknown[], depth: number): void {
  const items = ITEMS.get(into) ?? new Map<unknown, Merged>();
  if (!ITEMS.has(into)) {
    ITEMS.set(into, items);
    into.forEach((item) => noteItem(items, item));
  }
  for (const item of from) {
    const present = isObject(item) ? items.get(item.index) : undefined;
    if (present && isObject(item) && depth < DEPTH_MAX) {
      merge(present, item, depth + 1);
    } else {
      const kept = copied(item, depth);
      into.push(kept);
      noteItem(items, kept);
    }
  }
}

function noteItem(items: Map<unknown, Merged>, item: unknown): void {
  if (isObject(item) && typeof item.index === 'number' && !items.has(item.index)) {
    items.set(item.index, item);
  }
}

/** Merging changes the objects that it keeps, and others still read the chunk. */
function copied(value: unknown, depth: number): unknown {
  if (depth >= DEPTH_MAX) {
    return value;
  }
  if (Array.isArray(value)) {
    return (value as unknown[]).map((item) => copied(item, depth + 1));
  }
  if (!isObject(value)) {
    return value;
  }
  const members = Object.entries(value).map(([name, member]) => [name, copied(member, depth + 1)] as const);
  return Object.fromEntries(members);
}

function own(object: Merged, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** An assignment to `__proto__` would set the object's prototype instead. */
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

interface ChunkForm {
  readonly chunk: string;
  readonly whole: string;
  textsOf(choice: JsonObject): readonly string[];
  wholeChoice(choice: JsonObject): JsonObject;
}

/** Usage is a chunk without choices. Source: OpenAI's API reference, "Streaming". */
class ChunkDialect implements StreamDialect {
  readonly usagePath = ['usage'];
  readonly end = `data: ${END}\n\n`;

  constructor(private readonly form: ChunkForm) {}

  read({ content, chunk: { usage, choices } }: ServerSentEvent): StreamReading {
    if (content.kind === 'done') {
      return END_READING;
    }
    if (content.kind !== 'chunk' && content.kind !== 'error') {
      throw new SyntaxError('a chunk is no object');
    }
    const texts: ProducedPiece[] = [];
    for (const { index, json } of choices) {
      for (const text of this.form.textsOf(json)) {
        if (text !== '') {
          texts.push({ choice: index, text });
        }
      }
    }
    return {
      json: content.json,
      texts,
      media: choices.map(({ json }) => mediaByModel(json.delta)),
      usage,
      isUsageAlone: usage !== undefined && choices.length === 0,
      choices,
      isEnd: false,
    };
  }

  usageEvent({ id, created, model }: StreamOrigin, use: TokenUse, costUsd: string): string {
    const event = JSON.stringify({ id, object: this.form.chunk, created, model, choices: [] });
    return `data: ${withMember(event, 'usage', usageWithCost(usageOf(use), costUsd))}\n\n`;
  }

  failureEvent({ body, byUpstream }: StreamFailure): string | null {
    return byUpstream ? null : `data: ${body}\n\n`;
  }

  unstreamed(): UnstreamedAnswer {
    return new MergedChunks(this.form.whole, (choice) => this.form.wholeChoice(choice));
  }
}

export const CHAT_DIALECT: StreamDialect = new ChunkDialect({
  chunk: 'chat.completion.chunk',
  whole: 'chat.completion',
  textsOf: ({ delta }) => producedByMessage(delta),
  wholeChoice: ({ delta, message, ...choice }) => ({
    ...choice,
    message: { role: 'assistant', content: null, ...(message as JsonObject), ...(delta as JsonObject) },
  }),
});

export const COMPLETION_DIALECT: StreamDialect = new ChunkDialect({
  chunk: 'text_completion',
  whole: 'text_completion',
  textsOf: ({ text }) => (typeof text === 'string' ? [text] : []),
  wholeChoice: (choice) => ({ text: '', ...choice }),
});

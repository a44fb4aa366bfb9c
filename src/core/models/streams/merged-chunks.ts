import type { TokenUse } from '../../money/pricing/price-list';
import { isObject, objectsOf, type JsonObject } from '../../../infrastructure/json/json-object';
import { usageOf } from '../use/reported-use';
import { readChunk } from './read-chunk';
import type { UnstreamedAnswer } from './stream-dialect';

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
export class MergedChunks implements UnstreamedAnswer {
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

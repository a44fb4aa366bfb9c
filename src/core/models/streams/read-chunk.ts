import { isObject, objectsOf, type JsonObject } from '../../../infrastructure/json/json-object';

/** The parts of a chunk of a chat or of a completion. Source: OpenAI's API reference, "Streaming". */
export interface ReadChunk {
  /** The usage as the upstream sent it; undefined where the chunk has none. */
  readonly usage: JsonObject | undefined;
  readonly choices: readonly ReadChoice[];
}

/** One choice of a chunk. */
export interface ReadChoice {
  /** The choice's number; 0 where a server does not number its choices. */
  readonly index: number;
  /** Null until the choice is complete. */
  readonly finishReason: string | null;
  /** The choice itself: a chat's has a `delta`, a completion's a `text`. */
  readonly json: JsonObject;
}

/** Reads the JSON of a chunk. Members of a wrong type count as missing, because a provider may send anything. */
export function readChunk({ usage, choices }: JsonObject): ReadChunk {
  return { usage: isObject(usage) ? usage : undefined, choices: objectsOf(choices).map(readChoice) };
}

function readChoice(json: JsonObject): ReadChoice {
  const { index, finish_reason: finishReason } = json;
  return {
    index: typeof index === 'number' ? index : 0,
    finishReason: typeof finishReason === 'string' ? finishReason : null,
    json,
  };
}

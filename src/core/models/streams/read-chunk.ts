import { isObject, objectsOf, type JsonObject } from '../../../infrastructure/json/json-object';

/** What a chunk of a chat or of a completion says. Source: OpenAI's API reference, "Streaming". */
export interface ReadChunk {
  /** As the upstream sent it; undefined where the chunk has none. */
  readonly usage: JsonObject | undefined;
  readonly choices: readonly ReadChoice[];
}

export interface ReadChoice {
  /** The first one where a server does not count them. */
  readonly index: number;
  /** Null until the choice is complete. */
  readonly finishReason: string | null;
  /** The choice itself: a chat's has a `delta`, a completion's a `text`. */
  readonly json: JsonObject;
}

/** Reads a chunk; a provider may send anything, so anything is expected. */
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

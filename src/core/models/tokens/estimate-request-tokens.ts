import { setImmediate } from 'node:timers/promises';
import { mediaOf, type Media } from './media-tokens';
import { TokenCounter } from '../../text/tokens/token-counter';

/**
 * What o200k chat models add around messages: start, separator and end of each, and the start of the answer. A name
 * costs one more. Source: OpenAI's cookbook, "How to count tokens with tiktoken".
 */
export const TOKENS_PER_MESSAGE = 3;
export const TOKENS_PER_NAME = 1;
export const TOKENS_PER_ANSWER = 3;

/** Fields that a model reads as plain text. Of all others their keys count too. */
const TEXT_FIELDS = new Set(['messages', 'prompt', 'input']);
/** Fields that a model reads as JSON, with all its signs and numbers. */
const JSON_FIELDS = new Set(['tools', 'functions', 'response_format', 'text']);

/** What steers the server and reaches no model. Where nobody reports usage the estimate is what is charged for input. */
const UNREAD_FIELDS = new Set([
  ...['model', 'user', 'metadata', 'stop', 'stream_options', 'logit_bias', 'encoding_format', 'modalities'],
  ...['service_tier', 'reasoning_effort', 'prompt_cache_key', 'safety_identifier', 'include', 'truncation'],
]);

const TEXTS_PER_TURN = 5_000;

export interface RequestTokensOptions {
  signal?: AbortSignal;
  /** What an image counts that is not wanted in low detail, and the least that a sound or a file does. */
  imageTokensMax?: number;
}

/** The most that gpt-4o makes of an image is 1,445 (85 and 8 tiles of 170); models of patches take 1,536 of them. */
export const IMAGE_TOKENS_MAX_DEFAULT = 1_536;

/**
 * An upper bound of the input tokens of a chat, completion or embedding request, for a reservation: every text in it,
 * the framing of its messages, its images, sounds and files, and one token for each number in an array (a prompt may be
 * given as tokens). Accepts any JSON value, in linear time. Throws what TokenCounter.countAll throws.
 */
export async function estimateRequestTokens(
  body: unknown,
  counter: TokenCounter,
  { signal, imageTokensMax = IMAGE_TOKENS_MAX_DEFAULT }: RequestTokensOptions = {},
): Promise<number> {
  const messages = (body as { messages?: unknown } | null)?.messages;
  const messageCount = Array.isArray(messages) ? messages.length : 0;
  const media = mediaOf(body, imageTokensMax);
  const { texts, numbers } = leaves(body, media);
  // Many texts take long to find and as long to lay end to end: others get their turn in between.
  if (texts.length > TEXTS_PER_TURN) {
    await setImmediate();
  }
  const framing = messageCount * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME) + TOKENS_PER_ANSWER;
  return (await counter.countAll(texts, signal)) + numbers + media.tokens + framing;
}

interface Leaves {
  readonly texts: string[];
  /** How many numbers stand in arrays. */
  numbers: number;
}

/** Walks without recursion: JSON.parse accepts a nesting that overflows the stack of anything recursive. */
function leaves(body: unknown, { encoded }: Media): Leaves {
  const found: Leaves = { texts: [], numbers: 0 };
  for (const [field, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (UNREAD_FIELDS.has(field)) {
      continue;
    }
    const keysCount = !TEXT_FIELDS.has(field);
    const json =
      JSON_FIELDS.has(field) && typeof value === 'object' && value !== null ? written(value) : null;
    if (json !== null) {
      found.texts.push(json);
      continue;
    }
    const pending: unknown[] = [value];
    while (pending.length > 0) {
      const next = pending.pop();
      if (typeof next === 'string') {
        found.texts.push(next);
      } else if (Array.isArray(next)) {
        found.numbers += takeItems(next, found.texts, pending);
      } else if (typeof next === 'object' && next !== null) {
        takeMembers(next, { keysCount, left: encoded.get(next) }, found.texts, pending);
      }
    }
  }
  return found;
}

/** Null for what is nested deeper than JSON.stringify goes; its texts are counted then. */
function written(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) {
      return null;
    }
    throw error;
  }
}

/** Moves an array's texts and the values that have leaves of their own; returns how many numbers it holds. */
function takeItems(items: readonly unknown[], texts: string[], pending: unknown[]): number {
  let numbers = 0;
  for (const item of items) {
    if (typeof item === 'string') {
      texts.push(item);
    } else if (typeof item === 'number') {
      numbers += 1;
    } else if (typeof item === 'object') {
      pending.push(item);
    }
  }
  return numbers;
}

/** `left` names the one member that is no text, if any. */
interface Taking {
  keysCount: boolean;
  left: string | undefined;
}

function takeMembers(
  members: object,
  { keysCount, left }: Taking,
  texts: string[],
  pending: unknown[],
): void {
  for (const key of Object.keys(members)) {
    if (key === left) {
      continue;
    }
    const value = (members as Record<string, unknown>)[key];
    if (keysCount) {
      texts.push(key);
    }
    if (typeof value === 'string') {
      texts.push(value);
    } else if (typeof value === 'object') {
      pending.push(value);
    }
  }
}

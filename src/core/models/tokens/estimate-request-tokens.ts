import { setImmediate } from 'node:timers/promises';
import { mediaOf, type Media } from './media-tokens';
import { TokenCounter } from '../../text/tokens/token-counter';

/**
 * The tokens that o200k chat models add: start, separator and end of each message, one for a message's name, and the
 * start of the answer. Source: OpenAI's cookbook, "How to count tokens with tiktoken".
 */
export const TOKENS_PER_MESSAGE = 3;
export const TOKENS_PER_NAME = 1;
export const TOKENS_PER_ANSWER = 3;

/** Fields that a model reads as plain text. In all other fields the names of members count too. */
const TEXT_FIELDS = new Set(['messages', 'prompt', 'input']);
/** Fields that a model reads as JSON, with all its signs and numbers. */
const JSON_FIELDS = new Set(['tools', 'functions', 'response_format', 'text']);

/**
 * Fields that steer the server and that no model reads. They must not count, because the estimate is what is charged
 * for the input where no usage is reported.
 */
const UNREAD_FIELDS = new Set([
  ...['model', 'user', 'metadata', 'stop', 'stream_options', 'logit_bias', 'encoding_format', 'modalities'],
  ...['service_tier', 'reasoning_effort', 'prompt_cache_key', 'safety_identifier', 'include', 'truncation'],
]);

/** With more texts than this the event loop gets a turn before they are counted. */
const TEXTS_PER_TURN = 5_000;

export interface RequestTokensOptions {
  signal?: AbortSignal;
  /** The tokens of an image, unless it is wanted in low detail, and the fewest tokens of a sound or a file. */
  imageTokensMax?: number;
}

/**
 * gpt-4o reads an image as at most 1,445 tokens (85 and 8 tiles of 170); models that read patches, as at most 1,536.
 */
export const IMAGE_TOKENS_MAX_DEFAULT = 1_536;

/**
 * An upper bound of the input tokens of a request to a model, to be reserved: the tokens of every text in it, of the
 * framing of its messages, of its images, sounds and files, and one for each number in an array, because a prompt may
 * be given as tokens. Accepts any JSON value and takes linear time. Throws what TokenCounter.countAll throws.
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
  // To find many texts takes long, and so does joining them below: other calls get a turn in between.
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

/** All texts and numbers of a request. There is no recursion, because JSON.parse reads JSON of any depth. */
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

/**
 * A value as JSON text; null where it is nested deeper than JSON.stringify goes, so that only its texts can be counted.
 */
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

/** Adds an array's texts to `texts`, its arrays and objects to `pending`, and returns how many numbers it holds. */
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

/** How the members of an object are counted. */
interface Taking {
  /** Whether their names count as texts too. */
  keysCount: boolean;
  /** The member that holds an encoded medium and is no text, if there is one. */
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

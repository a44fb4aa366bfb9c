import { setImmediate } from 'node:timers/promises';
import { isObject } from '../runtime/json';
import { TokenCounter } from '../text/token-counter';
import { mediaOf, type Media } from './media-parts';

/**
 * The tokens that o200k chat models add: start, separator and end of each message, one for a message's name, and the
 * start of the answer. Source: OpenAI's cookbook, "How to count tokens with tiktoken".
 */
export const TOKENS_PER_MESSAGE = 3;
export const TOKENS_PER_NAME = 1;
export const TOKENS_PER_ANSWER = 3;

/** Fields whose texts a model reads. It reads all other fields, unless they only steer the server, as JSON. */
const TEXT_FIELDS = new Set(['messages', 'prompt', 'input']);
/** Fields whose numbers are the tokens of a prompt. */
const TOKEN_FIELDS = new Set(['prompt', 'input']);
/**
 * The names of members of messages, items and parts that the framing covers. Any other member counts with its name, as
 * the JSON that a server may show to its model.
 */
const FRAMING = new Set([
  ...['role', 'content', 'type', 'text', 'name', 'refusal', 'summary', 'output', 'id', 'status', 'index'],
  ...[
    'tool_calls',
    'function',
    'function_call',
    'custom',
    'tool_call_id',
    'call_id',
    'audio',
    'detail',
    'format',
  ],
  ...['image_url', 'url', 'audio_url', 'video_url', 'input_audio', 'data', 'file', 'file_data', 'file_id'],
  ...['filename', 'file_url'],
]);

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
  /** The tokens of an image, and the fewest tokens of a sound or a file, where `partTokens` does not set them. */
  imageTokensMax?: number;
  /** The tokens of parts by their kind, as the operator has priced them. */
  partTokens?: ReadonlyMap<string, number>;
}

/**
 * gpt-4o reads an image as at most 1,445 tokens (85 and 8 tiles of 170); models that read patches, as at most 1,536.
 */
export const IMAGE_TOKENS_MAX_DEFAULT = 1_536;

/**
 * An upper bound of the input tokens of a request to a model, to be reserved: the tokens of every text in it, of the
 * framing of its messages, of its images, sounds and files, and one for each number of a prompt that is given as tokens. Accepts any JSON value and takes linear time. Throws what TokenCounter.countAll throws.
 */
export async function estimateRequestTokens(
  body: unknown,
  counter: TokenCounter,
  { signal, imageTokensMax = IMAGE_TOKENS_MAX_DEFAULT, partTokens }: RequestTokensOptions = {},
): Promise<number> {
  const messages = (body as { messages?: unknown } | null)?.messages;
  const messageCount = Array.isArray(messages) ? messages.length : 0;
  const media = mediaOf(body, { imageTokensMax, partTokens });
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
  /** How many tokens a prompt is given as. */
  numbers: number;
}

/** All texts of a request, and the tokens that it is given as. */
function leaves(body: unknown, { encoded }: Media): Leaves {
  const found: Leaves = { texts: [], numbers: 0 };
  for (const [field, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (UNREAD_FIELDS.has(field)) {
      continue;
    }
    if (TEXT_FIELDS.has(field) || typeof value === 'string') {
      take(value, { encoded, found, hasTokens: TOKEN_FIELDS.has(field) });
    } else if (typeof value === 'object' && value !== null) {
      takeJson(value, found.texts);
    }
  }
  return found;
}

interface Taking {
  readonly encoded: Media['encoded'];
  readonly found: Leaves;
  /** Whether numbers that stand in nothing but arrays are tokens. */
  readonly hasTokens: boolean;
}

/** There is no recursion, because JSON.parse reads JSON of any depth. */
function take(value: unknown, { encoded, found, hasTokens }: Taking): void {
  const { texts } = found;
  const lists: unknown[] = [value];
  const members: unknown[] = [];
  while (lists.length + members.length > 0) {
    const isInList = lists.length > 0;
    const next = isInList ? lists.pop() : members.pop();
    if (Array.isArray(next)) {
      found.numbers += takeItems(next, texts, isInList ? lists : members, hasTokens);
    } else if (typeof next === 'object' && next !== null) {
      takeMembers(next, encoded.get(next), texts, members);
    } else {
      takeScalar(next, texts);
    }
  }
}

/**
 * Adds an array's texts to `texts`, and its arrays and objects to `pending`. Returns how many of its items are tokens.
 */
function takeItems(
  items: readonly unknown[],
  texts: string[],
  pending: unknown[],
  hasTokens: boolean,
): number {
  let numbers = 0;
  for (const item of items) {
    if (typeof item === 'number' && hasTokens) {
      numbers += 1;
    } else if (typeof item === 'object') {
      pending.push(item);
    } else {
      takeScalar(item, texts);
    }
  }
  return numbers;
}

/** @param left the member that holds an encoded medium and is no text, if there is one */
function takeMembers(object: object, left: string | undefined, texts: string[], pending: unknown[]): void {
  for (const key of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[key];
    if (key === left || value === null) {
      continue;
    }
    if (!FRAMING.has(key)) {
      texts.push(key);
    }
    if (typeof value !== 'object') {
      takeScalar(value, texts);
    } else if (FRAMING.has(key) && !isListOfScalars(value)) {
      pending.push(value);
    } else {
      takeJson(value, texts);
    }
  }
}

/** Whether a value is a list of something else than parts and calls, which all are objects. */
function isListOfScalars(value: object): boolean {
  return Array.isArray(value) && value.some((item) => !isObject(item));
}

function takeScalar(value: unknown, texts: string[]): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    texts.push(String(value));
  }
}

/**
 * Adds a value as the JSON that a model reads, with all its signs, names and numbers. Where it is nested deeper than
 * JSON.stringify goes, its signs are left out.
 */
function takeJson(value: object, texts: string[]): void {
  try {
    texts.push(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RangeError)) {
      throw error;
    }
    takeDeep(value, texts);
  }
}

function takeDeep(value: object, texts: string[]): void {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'object' && next !== null) {
      for (const [key, member] of Object.entries(next)) {
        if (!Array.isArray(next)) {
          texts.push(key);
        }
        pending.push(member);
      }
    } else {
      takeScalar(next, texts);
    }
  }
}

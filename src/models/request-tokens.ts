import { setImmediate } from 'node:timers/promises';
import { isObject, valuesIn } from '../runtime/json';
import { TokenCounter } from '../text/token-counter';
import { mediaOf, type Media } from './extra-costs';

/** Source for o200k chat models: OpenAI's cookbook, "How to count tokens with tiktoken". */
export const TOKENS_PER_MESSAGE = 3;
export const TOKENS_PER_NAME = 1;
export const TOKENS_PER_ANSWER = 3;

const TEXT_FIELDS = new Set(['messages', 'prompt', 'input']);
const TOKEN_FIELDS = new Set(['prompt', 'input']);
/** Members that the framing covers. Any other counts with its name, as JSON that a server may show to its model. */
const FRAMING = new Set([
  ...['role', 'content', 'type', 'text', 'name', 'refusal', 'summary', 'output', 'id', 'status', 'index'],
  ...['tool_calls', 'function', 'function_call', 'custom', 'tool_call_id', 'call_id', 'audio', 'detail'],
  ...['image_url', 'url', 'audio_url', 'video_url', 'input_audio', 'data', 'file', 'file_data', 'file_id'],
  ...['format', 'filename', 'file_url'],
]);

/** Fields that no model reads: the estimate is charged as input where no usage is reported. */
const UNREAD_FIELDS = new Set([
  ...['model', 'user', 'metadata', 'stop', 'stream_options', 'logit_bias', 'encoding_format', 'modalities'],
  ...['service_tier', 'reasoning_effort', 'prompt_cache_key', 'safety_identifier', 'include', 'truncation'],
]);

const TEXTS_PER_TURN = 5_000;

export interface RequestTokensOptions {
  signal?: AbortSignal;
  /** For an image, and the least for a sound or a file, where `partTokens` does not set them. */
  imageTokensMax?: number;
  partTokens?: ReadonlyMap<string, number>;
}

/** gpt-4o reads an image as at most 1,445 tokens (85 and 8 tiles of 170); models that read patches, as 1,536. */
export const IMAGE_TOKENS_MAX_DEFAULT = 1_536;

/** An upper bound in tokens, for any JSON value, in linear time. Throws what countAll throws. */
export async function estimateRequestTokens(
  body: unknown,
  counter: TokenCounter,
  { signal, imageTokensMax = IMAGE_TOKENS_MAX_DEFAULT, partTokens }: RequestTokensOptions = {},
): Promise<number> {
  const messages = (body as { messages?: unknown } | null)?.messages;
  const messageCount = Array.isArray(messages) ? messages.length : 0;
  const media = mediaOf(body, { imageTokensMax, partTokens });
  const { texts, numbers } = leaves(body, media);
  if (texts.length > TEXTS_PER_TURN) {
    await setImmediate();
  }
  const framing = messageCount * (TOKENS_PER_MESSAGE + TOKENS_PER_NAME) + TOKENS_PER_ANSWER;
  return (await counter.countAll(texts, signal)) + numbers + media.tokens + framing;
}

interface Leaves {
  readonly texts: string[];
  numbers: number;
}

function leaves(body: unknown, { encoded }: Media): Leaves {
  const found: Leaves = { texts: [], numbers: 0 };
  for (const [field, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (UNREAD_FIELDS.has(field)) {
      continue;
    }
    if (TEXT_FIELDS.has(field) || typeof value === 'string') {
      take(value, encoded, found, TOKEN_FIELDS.has(field));
    } else if (typeof value === 'object' && value !== null) {
      takeJson(value, found.texts);
    }
  }
  return found;
}

/** Without recursion, because JSON.parse reads JSON of any depth. */
function take(value: unknown, encoded: Media['encoded'], found: Leaves, hasTokens: boolean): void {
  const { texts } = found;
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (Array.isArray(next)) {
      found.numbers += takeItems(next, texts, pending, hasTokens);
    } else if (typeof next === 'object' && next !== null) {
      takeMembers(next, encoded.get(next), texts, pending);
    } else {
      takeScalar(next, texts);
    }
  }
}

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

function isListOfScalars(value: object): boolean {
  return Array.isArray(value) && value.some((item) => !isObject(item));
}

function takeScalar(value: unknown, texts: string[]): void {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    texts.push(String(value));
  }
}

/** A value that nests too deeply for JSON.stringify is counted without its punctuation. */
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
  for (const next of valuesIn(value)) {
    Object.keys(isObject(next) ? next : {}).forEach((key) => texts.push(key));
    takeScalar(next, texts);
  }
}

import type { ContentPart } from '../chat-completion';

/** The tokens of an image in `detail: low`. Source: OpenAI's guide "Images and vision", gpt-4o. */
const LOW_DETAIL_TOKENS = 85;
/**
 * The characters of base64 for each token of a sound or a file. Source: OpenAI's guide "Audio": a second is ten tokens,
 * and 5,333 characters at 32 kbit/s. A sound of better quality has more characters for each token.
 */
const BASE64_LENGTH_PER_TOKEN = 512;

/** The images, sounds and files of a request: their tokens, and which members must not be counted as text. */
export interface Media {
  tokens: number;
  /** The objects that hold an encoded medium, each with the name of the member that holds it. */
  readonly encoded: ReadonlyMap<object, string>;
}

interface Found {
  tokens: number;
  encoded: Map<object, string>;
}

/**
 * The images, sounds and files in the messages of a chat or the input items of a response. A data: URL counts as a
 * medium only where a part of such a type has its URL; anywhere else it is a text like any other. `imageTokensMax` is
 * what an image counts, and the least that a sound or a file does.
 */
export function mediaOf(body: unknown, imageTokensMax: number): Media {
  const { messages, input } = (body ?? {}) as { messages?: unknown; input?: unknown };
  const found: Found = { tokens: 0, encoded: new Map() };
  for (const list of [messages, input]) {
    for (const message of Array.isArray(list) ? (list as unknown[]) : []) {
      for (const part of partsOf(message)) {
        if (typeof part === 'object' && part !== null) {
          addPart(found, part as ContentPart, imageTokensMax);
        }
      }
    }
  }
  return found;
}

const NO_PARTS: readonly unknown[] = [];

/**
 * The parts in a message's content and in a tool's output. For other values it is fast: a list may be of 400,000
 * numbers.
 */
function partsOf(message: unknown): readonly unknown[] {
  if (typeof message !== 'object' || message === null) {
    return NO_PARTS;
  }
  const { content, output } = message as { content?: unknown; output?: unknown };
  return [content, output].flatMap((parts) => (typeof parts === 'object' ? parts : []));
}

function addPart(found: Found, part: ContentPart, imageTokensMax: number): void {
  switch (part.type) {
    case 'image_url':
    case 'input_image':
    case 'computer_screenshot':
      found.tokens += imageTokens(part, imageTokensMax);
      keepFromText(found, part, 'image_url', 'url');
      break;
    case 'input_audio':
      found.tokens += Math.max(imageTokensMax, keepFromText(found, part, 'input_audio', 'data'));
      break;
    case 'audio_url':
    case 'video_url':
      found.tokens += Math.max(imageTokensMax, keepFromText(found, part, part.type, 'url'));
      break;
    case 'file':
      found.tokens += Math.max(imageTokensMax, keepFromText(found, part, 'file', 'file_data'));
      break;
    case 'input_file':
      found.tokens += Math.max(imageTokensMax, keepFromText(found, part, 'file_data', ''));
  }
}

function imageTokens(part: ContentPart, imageTokensMax: number): number {
  const image = part.image_url as { detail?: unknown } | string | null | undefined;
  const detail = typeof image === 'object' ? image?.detail : part.detail;
  return detail === 'low' ? LOW_DETAIL_TOKENS : imageTokensMax;
}

/**
 * Notes that a field of the part, or the member `inner` of the object in that field, holds an encoded medium. Returns
 * the tokens for its length; 0 where there is none, or only the address of one.
 */
function keepFromText(found: Found, part: ContentPart, field: string, inner: string): number {
  const value = part[field];
  const wraps = typeof value === 'object' && value !== null;
  const [holder, name] = wraps ? [value, inner] : [part, field];
  const encoded = (holder as Record<string, unknown>)[name];
  if (typeof encoded !== 'string' || (inner === 'url' && !encoded.startsWith('data:'))) {
    return 0;
  }
  found.encoded.set(holder, name);
  return Math.ceil(encoded.length / BASE64_LENGTH_PER_TOKEN);
}

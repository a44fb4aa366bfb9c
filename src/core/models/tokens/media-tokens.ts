import type { ContentPart } from '../chat-completion';

/** What an image costs that a caller wants seen in `detail: low`. Source: OpenAI's guide "Images and vision", gpt-4o. */
const LOW_DETAIL_TOKENS = 85;
/**
 * Characters of base64 for a token of sound or of a file. Source: OpenAI's guide "Audio": ten tokens a second, which is
 * 5,333 characters of 32 kbit/s; anything clearer has more characters for its tokens.
 */
const BASE64_LENGTH_PER_TOKEN = 512;

/** The media of a request: what they count, and what of them is no text. */
export interface Media {
  tokens: number;
  /** The objects that hold encoded media, each with the name of the field that does. */
  readonly encoded: ReadonlyMap<object, string>;
}

interface Found {
  tokens: number;
  encoded: Map<object, string>;
}

/**
 * The images, sounds and files among the parts of the messages of a request, of chats and of responses. A data: URL is
 * media only where a part of that kind has its URL: anywhere else it is a text like any other.
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

/** What a message or an item of a response says, and what the output of a tool in it does. A list may be of 400,000 numbers. */
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

/** Notes which field holds the encoded medium, of the part itself or of what it wraps; returns the tokens of its length. */
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

import { isObject } from '../runtime/json';
import type { ContentPart } from './wire-format';

export interface MediaPart {
  readonly part: Readonly<Record<string, unknown>>;
  /** `image`, `audio`, `video`, `file`, or the type of a part that this service does not know. */
  readonly kind: string;
  readonly at: string;
}

/** Their tokens are those of the texts in them. */
const TEXTS = new Set([
  ...['text', 'input_text', 'output_text', 'refusal', 'reasoning', 'reasoning_text', 'summary_text'],
  ...['thinking', 'redacted_thinking', 'tool_use', 'tool_call', 'reference'],
]);
const KINDS = new Map(
  Object.entries({
    image: ['image_url', 'input_image', 'computer_screenshot', 'image'],
    audio: ['input_audio', 'audio_url', 'audio'],
    video: ['video_url', 'input_video', 'video'],
    file: ['file', 'input_file', 'document', 'document_url'],
  }).flatMap(([kind, types]) => types.map((type) => [type, kind])),
);
/** An input item that stands for another one which the upstream has stored. */
const REFERENCE = 'item_reference';

/** Every part of messages or input items that is of no type known to be text. */
export function mediaParts(body: unknown): MediaPart[] {
  const found: MediaPart[] = [];
  for (const list of ['messages', 'input']) {
    const messages = isObject(body) ? body[list] : null;
    (Array.isArray(messages) ? (messages as unknown[]) : []).forEach((message, index) => {
      // A list may be of 400,000 numbers.
      if (isObject(message)) {
        addParts(found, message, `${list}.${index}`);
      }
    });
  }
  return found;
}

function addParts(found: MediaPart[], message: Readonly<Record<string, unknown>>, at: string): void {
  if (message.type === REFERENCE) {
    found.push({ part: message, kind: REFERENCE, at });
  }
  // An assistant's message may refer to a sound that the upstream has kept.
  if (isObject(message.audio)) {
    found.push({ part: message.audio, kind: 'audio', at: `${at}.audio` });
  }
  for (const field of ['content', 'output']) {
    const parts = message[field];
    if (Array.isArray(parts)) {
      parts.forEach((part: unknown, index) => addPart(found, part, `${at}.${field}.${index}`));
    } else {
      addPart(found, parts, `${at}.${field}`);
    }
  }
}

function addPart(found: MediaPart[], part: unknown, at: string): void {
  const { type } = isObject(part) ? (part as unknown as ContentPart) : { type: null };
  if (isObject(part) && typeof type === 'string' && !TEXTS.has(type)) {
    found.push({ part, kind: holdsNoImage(part) ? 'file' : (KINDS.get(type) ?? type), at });
  }
}

/** Some upstreams take a whole document in the part of an image. */
function holdsNoImage({ image_url: image }: Readonly<Record<string, unknown>>): boolean {
  const url = isObject(image) ? image.url : image;
  return typeof url === 'string' && /^\s*data:(?!image\/)/i.test(url);
}

/**
 * The characters of base64 for each token of a sound or a file; no bound, so that such parts are refused unless they are priced.
 * Source: OpenAI's guide "Audio": a second is ten tokens, and 5,333 characters at 32 kbit/s.
 */
const BASE64_LENGTH_PER_TOKEN = 512;
/** A URL holds a medium only where it begins with `data:`. */
const ENCODED = [
  ...[
    ['image_url', 'url'],
    ['audio_url', 'url'],
    ['video_url', 'url'],
    ['input_audio', 'data'],
  ],
  ...[
    ['file', 'file_data'],
    ['file_data', ''],
  ],
] as const;

interface PartTokens {
  /** Of an image, and of any part that has no bound below. */
  readonly imageTokensMax: number;
  /** By kind, and `image_low` for images in low detail. */
  readonly partTokens?: ReadonlyMap<string, number>;
}

export interface Media {
  readonly tokens: number;
  /** The objects that hold an encoded medium, each with the name of the member that holds it. */
  readonly encoded: ReadonlyMap<object, string>;
}

/** A data: URL counts as a medium only where a part of such a type has its URL; anywhere else it is a text. */
export function mediaOf(body: unknown, bounds: PartTokens): Media {
  let tokens = 0;
  const encoded = new Map<object, string>();
  for (const part of mediaParts(body)) {
    const length = keepFromText(encoded, part);
    tokens += tokensOf(part, length, bounds);
  }
  return { tokens, encoded };
}

function isLowDetail(part: MediaPart): boolean {
  return detailOf(part) === 'low';
}

/** Undefined where the request leaves the detail to the model. */
export function detailOf({ part }: MediaPart): unknown {
  return (isObject(part.image_url) ? part.image_url.detail : part.detail) ?? undefined;
}

/** An image in low detail counts as any other unless that is set: models differ by more than a factor of thirty. */
function tokensOf(
  part: MediaPart,
  encodedLength: number,
  { imageTokensMax, partTokens }: PartTokens,
): number {
  const image = partTokens?.get('image') ?? imageTokensMax;
  if (part.kind === 'image') {
    return (isLowDetail(part) ? partTokens?.get('image_low') : undefined) ?? image;
  }
  return (
    partTokens?.get(part.kind) ?? Math.max(imageTokensMax, Math.ceil(encodedLength / BASE64_LENGTH_PER_TOKEN))
  );
}

/** Returns the length of the medium, 0 where there is none. */
function keepFromText(encoded: Map<object, string>, { part }: MediaPart): number {
  for (const [field, inner] of ENCODED) {
    const value = part[field];
    const [holder, name] = isObject(value) ? [value, inner] : [part, field];
    const medium = (holder as Readonly<Record<string, unknown>>)[name];
    if (typeof medium === 'string' && (inner !== 'url' || medium.startsWith('data:'))) {
      encoded.set(holder, name);
      return medium.length;
    }
  }
  return 0;
}

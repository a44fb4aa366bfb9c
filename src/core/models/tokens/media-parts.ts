import { isObject } from '../../../infrastructure/json/json-object';
import type { ContentPart } from '../chat-completion';

/** A part of a request that is no text. */
export interface MediaPart {
  readonly part: Readonly<Record<string, unknown>>;
  /** `image`, `audio`, `video`, `file`, or the type of a part that this service does not know. */
  readonly kind: string;
  /** Its path in the request. */
  readonly at: string;
}

/** Parts whose tokens are those of the texts in them. */
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

/**
 * The images, sounds, films and files in the messages of a chat or the input items of a response, and every other part
 * of a type that is not known to be text.
 */
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

/** Whether the URL of an image holds something else: some upstreams take a whole document in such a part. */
function holdsNoImage({ image_url: image }: Readonly<Record<string, unknown>>): boolean {
  const url = isObject(image) ? image.url : image;
  return typeof url === 'string' && /^\s*data:(?!image\/)/i.test(url);
}
